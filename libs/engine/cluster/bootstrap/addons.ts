import type { Container, PodSpec } from '../../api/core_v1.js';
import type { DaemonSet, Deployment } from '../../api/apps_v1.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { AddonName, AddonObjects } from '../../node/index.js';
import type { ClusterNames } from '../template-options.js';
import { COREFILE } from './corefile.js';
import { rbacObjects } from './rbac.js';
import {
  CLUSTER_DNS,
  COREDNS_IMAGE,
  KINDNET_IMAGE,
  kubeProxyImage,
  POD_SUBNET,
  POD_SUBNETS_OF_BOTH,
} from './versions.js';

const NAMESPACE = 'kube-system';
const configMap = (namespace: string, name: string, data: Record<string, string>): KubeObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data }) as KubeObject;
const serviceAccount = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace: NAMESPACE },
});

const httpProbe = (path: string, port: number) => ({ httpGet: { path, port, scheme: 'HTTP' } });

function coreDns(): KubeObject[] {
  const labels = { 'k8s-app': 'kube-dns' };
  const container: Container = {
    name: 'coredns',
    image: COREDNS_IMAGE,
    args: ['-conf', '/etc/coredns/Corefile'],
    resources: { limits: { memory: '170Mi' }, requests: { cpu: '100m', memory: '70Mi' } },
    ports: [
      { name: 'dns', containerPort: 53, protocol: 'UDP' },
      { name: 'dns-tcp', containerPort: 53, protocol: 'TCP' },
      { name: 'metrics', containerPort: 9153, protocol: 'TCP' },
    ],
    volumeMounts: [{ name: 'config-volume', mountPath: '/etc/coredns', readOnly: true }],
    livenessProbe: { ...httpProbe('/health', 8080), initialDelaySeconds: 60, timeoutSeconds: 5, failureThreshold: 5 },
    readinessProbe: httpProbe('/ready', 8181),
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
  };
  const spec: PodSpec = {
    priorityClassName: 'system-cluster-critical',
    serviceAccountName: 'coredns',
    dnsPolicy: 'Default',
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    tolerations: [
      { key: 'CriticalAddonsOnly', operator: 'Exists' },
      { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' },
    ],
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            podAffinityTerm: {
              topologyKey: 'kubernetes.io/hostname',
              labelSelector: { matchExpressions: [{ key: 'k8s-app', operator: 'In', values: ['kube-dns'] }] },
            },
          },
        ],
      },
    },
    containers: [container],
    volumes: [
      { name: 'config-volume', configMap: { name: 'coredns', items: [{ key: 'Corefile', path: 'Corefile' }] } },
    ],
  };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'coredns', namespace: NAMESPACE, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      template: { metadata: { labels }, spec },
    },
  } as unknown as Deployment;
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'kube-dns',
      namespace: NAMESPACE,
      labels: { ...labels, 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' },
      annotations: { 'prometheus.io/port': '9153', 'prometheus.io/scrape': 'true' },
    },
    spec: {
      clusterIP: CLUSTER_DNS,
      selector: labels,
      ports: [
        { name: 'dns', port: 53, protocol: 'UDP' },
        { name: 'dns-tcp', port: 53, protocol: 'TCP' },
        { name: 'metrics', port: 9153, protocol: 'TCP' },
      ],
    },
  } as unknown as KubeObject;
  return [serviceAccount('coredns'), configMap(NAMESPACE, 'coredns', { Corefile: COREFILE }), deployment, service];
}

const hostPath = (name: string, path: string, type: string) => ({ name, hostPath: { path, type } });

function daemonSet(
  name: string,
  labels: Record<string, string>,
  selector: Record<string, string>,
  spec: PodSpec,
): DaemonSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: NAMESPACE, labels },
    spec: { selector: { matchLabels: selector }, template: { metadata: { labels }, spec } },
  } as DaemonSet;
}

function kubeProxy(version: string, podSubnet: string): KubeObject[] {
  const labels = { 'k8s-app': 'kube-proxy' };
  const spec: PodSpec = {
    priorityClassName: 'system-node-critical',
    serviceAccountName: 'kube-proxy',
    hostNetwork: true,
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    tolerations: [{ operator: 'Exists' }],
    containers: [
      {
        name: 'kube-proxy',
        image: kubeProxyImage(version),
        command: [
          '/usr/local/bin/kube-proxy',
          '--config=/var/lib/kube-proxy/config.conf',
          '--hostname-override=$(NODE_NAME)',
        ],
        env: [{ name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
        securityContext: { privileged: true },
        volumeMounts: [
          { name: 'kube-proxy', mountPath: '/var/lib/kube-proxy' },
          { name: 'xtables-lock', mountPath: '/run/xtables.lock' },
          { name: 'lib-modules', mountPath: '/lib/modules', readOnly: true },
        ],
      },
    ],
    volumes: [
      { name: 'kube-proxy', configMap: { name: 'kube-proxy' } },
      hostPath('xtables-lock', '/run/xtables.lock', 'FileOrCreate'),
      hostPath('lib-modules', '/lib/modules', ''),
    ],
  };
  const config = `apiVersion: kubeproxy.config.k8s.io/v1alpha1\nclusterCIDR: ${podSubnet}\nkind: KubeProxyConfiguration\nmode: iptables\n`;
  return [
    serviceAccount('kube-proxy'),
    configMap(NAMESPACE, 'kube-proxy', { 'config.conf': config }),
    daemonSet('kube-proxy', labels, labels, spec),
  ];
}

function kindnet(controlPlane: string, podSubnet: string): KubeObject[] {
  const labels = { app: 'kindnet', 'k8s-app': 'kindnet', tier: 'node' };
  const spec: PodSpec = {
    serviceAccountName: 'kindnet',
    hostNetwork: true,
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    tolerations: [{ operator: 'Exists' }],
    containers: [
      {
        name: 'kindnet-cni',
        image: KINDNET_IMAGE,
        resources: { requests: { cpu: '100m', memory: '50Mi' }, limits: { cpu: '100m', memory: '50Mi' } },
        env: [
          { name: 'HOST_IP', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } },
          { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
          { name: 'POD_SUBNET', value: podSubnet },
          { name: 'CONTROL_PLANE_ENDPOINT', value: `${controlPlane}:6443` },
        ],
        securityContext: { privileged: false, capabilities: { add: ['NET_RAW', 'NET_ADMIN'] } },
        volumeMounts: [
          { name: 'cni-cfg', mountPath: '/etc/cni/net.d' },
          { name: 'xtables-lock', mountPath: '/run/xtables.lock' },
          { name: 'lib-modules', mountPath: '/lib/modules', readOnly: true },
        ],
      },
    ],
    volumes: [
      hostPath('cni-cfg', '/etc/cni/net.d', ''),
      hostPath('xtables-lock', '/run/xtables.lock', 'FileOrCreate'),
      hostPath('lib-modules', '/lib/modules', ''),
    ],
  };
  return [serviceAccount('kindnet'), daemonSet('kindnet', labels, { app: 'kindnet' }, spec)];
}

/** What kubeadm and the CNI's manifest put into kube-system. Models cmd/kubeadm/app/phases/addons. */
export const addonObjects = ({ controlPlane, version, dualStack }: ClusterNames): KubeObject[] => {
  const podSubnet = dualStack ? POD_SUBNETS_OF_BOTH : POD_SUBNET;
  return [...coreDns(), ...kubeProxy(version, podSubnet), ...kindnet(controlPlane, podSubnet)];
};

/** By the names of roles and bindings. */
const RIGHTS: Readonly<Record<AddonName, readonly string[]>> = {
  coredns: ['system:coredns'],
  'kube-proxy': ['kubeadm:node-proxier', 'kube-proxy'],
};

/** What `kubeadm init phase addon` makes: the add-ons without which no cluster goes, with their rights. */
export const essentialAddons: AddonObjects = ({ version, dualStack }) => {
  const rights = rbacObjects();
  const rightsOf = (name: AddonName): KubeObject[] =>
    rights.filter(({ metadata }) => RIGHTS[name].includes(metadata.name ?? ''));
  return {
    coredns: [...coreDns(), ...rightsOf('coredns')],
    'kube-proxy': [...kubeProxy(version, dualStack ? POD_SUBNETS_OF_BOTH : POD_SUBNET), ...rightsOf('kube-proxy')],
  };
};
