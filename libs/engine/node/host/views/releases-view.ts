import type { DaemonSet, Deployment } from '../../../api/apps_v1.js';
import type { Pod } from '../../../api/core_v1.js';
import { ConfigMaps, DaemonSets, Deployments, Nodes, Pods, Secrets } from '../../../kinds/index.js';
import { activeEffects } from '../../../kinds/terrarium/fault/active.js';
import { decodeBase64Text } from '../../../machinery/text/base64.js';
import type { Reader } from '../../../machinery/client.js';
import { DEFAULT_VERSION } from '../../../machinery/releases.js';
import { parseTimestamp } from '../../../machinery/time/time.js';
import { digestOf } from '../../digest.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import { isControlPlane } from '../files/config-files.js';

/** Where kubeadm finds what the API server would tell it of the cluster and of this node: ClusterInfo as JSON. */
export const CLUSTER_FILE = '/run/kubeadm/cluster.json';

export interface ClusterInfo {
  /** 'https://172.18.0.3:6443'. */
  readonly server: string;
  /** PEM. */
  readonly authority: string;
  /** The content of kubeadm-flags.env. */
  readonly flags: string;
  /** The node's address. */
  readonly ip: string;
  /** Of the kubeadm-config ConfigMap: 'v1.36.3'. */
  readonly release: string;
  readonly nodes: readonly NodeRelease[];
  /** Images of what kubeadm has added to the cluster. */
  readonly proxyImage: string;
  readonly dnsImage: string;
  /** The address that all control planes share: 'control-plane:6443'; '': the cluster has none. */
  readonly endpoint: string;
  /** Of the kubelet-config ConfigMap, YAML; '': there is none. */
  readonly kubeletConfig: string;
  /** The seal of certificates that were uploaded for other control planes, and when (virtual ms). */
  readonly certificates?: { readonly seal: string; readonly at: number };
  /** A fault has taken members of etcd away, of so many at least; absent: all are there. */
  readonly etcd?: { readonly members: number; readonly hasQuorum: boolean };
}

export const KUBEADM_CERTS = { namespace: 'kube-system', name: 'kubeadm-certs' };

/** What the Secret has of one file: it cannot be read without the key, and shows whether that is the right one. */
export const sealOf = (certificateKey: string, file: string): string => digestOf(`${certificateKey}/${file}`);

export interface NodeRelease {
  readonly name: string;
  readonly kubelet: string;
  readonly ip: string;
  /** Of its API server; undefined: it is a worker. */
  readonly controlPlane?: string;
}

const SYSTEM = 'kube-system';
export const KUBEADM_CONFIG = { namespace: SYSTEM, name: 'kubeadm-config' };
const KUBELET_CONFIG = { namespace: SYSTEM, name: 'kubelet-config' };

const imageOf = (object: DaemonSet | Deployment | Pod | undefined): string => {
  const spec = object?.spec as { containers?: { image?: string }[]; template?: { spec: Pod['spec'] } } | undefined;
  return (spec?.template?.spec ?? spec)?.containers?.[0]?.image ?? '';
};

export const tagOf = (image: string): string => image.slice(image.lastIndexOf(':') + 1);

/** Which releases run where, as kubeadm asks the API server. */
export function viewReleases(
  read: Reader,
): Pick<
  ClusterInfo,
  'release' | 'nodes' | 'proxyImage' | 'dnsImage' | 'endpoint' | 'kubeletConfig' | 'certificates' | 'etcd'
> {
  const certificates = uploadedCertificates(read);
  const etcd = etcdOf(read);
  const config = read.get(ConfigMaps, KUBEADM_CONFIG)?.data?.['ClusterConfiguration'] ?? '';
  return {
    release: /^kubernetesVersion: *(v\S+)/m.exec(config)?.[1] ?? DEFAULT_VERSION,
    nodes: read.list(Nodes).map((node) => {
      const { name = '' } = node.metadata;
      const server = read.get(Pods, { namespace: SYSTEM, name: `kube-apiserver-${name}` });
      const controlPlane = isControlPlane(node) ? tagOf(imageOf(server)) : '';
      const kubelet = node.status.nodeInfo?.kubeletVersion ?? DEFAULT_VERSION;
      return { name, kubelet, ip: internalIPOf(node) ?? '', ...(controlPlane === '' ? {} : { controlPlane }) };
    }),
    proxyImage: imageOf(read.get(DaemonSets, { namespace: SYSTEM, name: 'kube-proxy' })),
    dnsImage: imageOf(read.get(Deployments, { namespace: SYSTEM, name: 'coredns' })),
    kubeletConfig: read.get(ConfigMaps, KUBELET_CONFIG)?.data?.['kubelet'] ?? '',
    endpoint: /^controlPlaneEndpoint: *(\S+)/m.exec(config)?.[1] ?? '',
    ...(certificates === undefined ? {} : { certificates }),
    ...(etcd === undefined ? {} : { etcd }),
  };
}

function uploadedCertificates(read: Reader): ClusterInfo['certificates'] {
  const found = read.get(Secrets, KUBEADM_CERTS);
  const seal = found?.data?.['ca.crt'];
  if (!found || seal === undefined) return undefined;
  return { seal: decodeBase64Text(seal), at: parseTimestamp(found.metadata.creationTimestamp ?? '') };
}

function etcdOf(read: Reader): ClusterInfo['etcd'] {
  const found = activeEffects(read, 'etcd').filter(({ fault }) => fault !== 'slow-disk');
  if (found.length === 0) return undefined;
  const lost = found.find(({ fault }) => fault === 'quorum');
  // The one that is left of two has no majority either.
  return { members: lost?.membersDown === 1 ? 2 : 3, hasQuorum: lost === undefined };
}
