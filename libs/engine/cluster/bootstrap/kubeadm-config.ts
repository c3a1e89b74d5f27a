import type { KubeObject } from '../../machinery/meta/object.js';
import { clusterInfoKubeconfig } from '../../node/index.js';
import { CA_DATA, CA_PEM } from './authority.js';
import type { ClusterNames } from '../template-options.js';
import { CLUSTER_DNS, POD_SUBNET, POD_SUBNETS_OF_BOTH, SERVICE_SUBNET, SERVICE_SUBNETS_OF_BOTH } from './versions.js';

const NAMESPACE = 'kube-system';
const configMap = (namespace: string, name: string, data: Record<string, string>): KubeObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data }) as KubeObject;

/** What each namespace gets a copy of. */
export const rootAuthorityMap = (): KubeObject => configMap(NAMESPACE, 'kube-root-ca.crt', { 'ca.crt': CA_PEM });

/** By what the API server authenticates, for extension API servers. */
export const authenticationMap = (): KubeObject =>
  configMap(NAMESPACE, 'extension-apiserver-authentication', {
    'client-ca-file': CA_PEM,
    'requestheader-allowed-names': '["front-proxy-client"]',
    'requestheader-username-headers': '["X-Remote-User"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
  });

/** The configuration that kubeadm uploads; the CA is there before namespaces' copies of it are published. */
export function kubeadmConfigMaps({ controlPlane, version, dualStack }: ClusterNames): KubeObject[] {
  const [pods, services] = dualStack ? [POD_SUBNETS_OF_BOTH, SERVICE_SUBNETS_OF_BOTH] : [POD_SUBNET, SERVICE_SUBNET];
  const kubeconfig = clusterInfoKubeconfig(`https://${controlPlane}:6443`, CA_DATA);
  const clusterConfiguration = `apiVersion: kubeadm.k8s.io/v1beta4\nclusterName: terrarium\ncontrolPlaneEndpoint: ${controlPlane}:6443\nkind: ClusterConfiguration\nkubernetesVersion: ${version}\nnetworking:\n  dnsDomain: cluster.local\n  podSubnet: ${pods}\n  serviceSubnet: ${services}\n`;
  const kubelet = `apiVersion: kubelet.config.k8s.io/v1beta1\ncgroupDriver: systemd\nclusterDNS:\n- ${CLUSTER_DNS}\nclusterDomain: cluster.local\nkind: KubeletConfiguration\nstaticPodPath: /etc/kubernetes/manifests\n`;
  return [
    configMap('kube-public', 'cluster-info', { kubeconfig }),
    rootAuthorityMap(),
    configMap(NAMESPACE, 'kubeadm-config', { ClusterConfiguration: clusterConfiguration }),
    configMap(NAMESPACE, 'kubelet-config', { kubelet }),
    authenticationMap(),
  ];
}
