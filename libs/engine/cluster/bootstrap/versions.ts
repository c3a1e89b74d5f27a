/** The addresses that kubeadm's defaults give. */
export const POD_SUBNET = '10.244.0.0/16';
export const SERVICE_SUBNET = '10.96.0.0/12';
export const POD_SUBNETS_OF_BOTH = '10.244.0.0/16,fd00:10:244::/56';
export const SERVICE_SUBNETS_OF_BOTH = '10.96.0.0/12,fd00:10:96::/112';
export const CLUSTER_DNS = '10.96.0.10';
export const KUBERNETES_SERVICE_IP = '10.96.0.1';
export const CONTROL_PLANE_IP = '172.18.0.2';
export const COREDNS_IMAGE = 'registry.k8s.io/coredns/coredns:v1.13.1';
export const kubeProxyImage = (version: string): string => `registry.k8s.io/kube-proxy:${version}`;
export const KINDNET_IMAGE = 'docker.io/kindest/kindnetd:v20260214-ea8e5717';
