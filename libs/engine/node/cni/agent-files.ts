import type { Node } from '../../api/core_v1.js';
import { ConfigMaps } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { ciliumFiles } from './cilium/files.js';
import { SUBNET_FILE } from './flannel/delegate.js';
import { isInside, parseNetConf } from './flannel/net-conf.js';

export const FLANNEL = 'flannel.alpha.coreos.com/';
export const CALICO = 'projectcalico.org/';
/** Where flannel's own manifests put its configuration. */
const FLANNEL_NAMESPACES: readonly string[] = ['kube-flannel', 'kube-system'];
const FLANNEL_CONFIG = 'kube-flannel-cfg';
const DEFAULT_NETWORK = '10.244.0.0/16';
/** What a backend's headers take of an Ethernet frame. */
const OVERHEAD: Readonly<Record<string, number>> = { vxlan: 50, 'host-gw': 0, ipip: 20, wireguard: 80, udp: 28 };
const ETHERNET_MTU = 1_500;

/**
 * The files that a network's agent leaves on its node, by their paths, and their directories (undefined), which pods
 * mount before there is anything in them: a function of what the agent has said of the node.
 */
export function agentFiles(node: Node, read: Reader): Record<string, string | undefined> {
  const { name = '', annotations = {} } = node.metadata;
  const isThere = (namespace: string, config: string): boolean =>
    read.get(ConfigMaps, { namespace, name: config }) !== undefined;
  return {
    ...(FLANNEL_NAMESPACES.some((one) => isThere(one, FLANNEL_CONFIG)) ? { '/run/flannel': undefined } : {}),
    ...(isThere('kube-system', 'calico-config') ? { '/var/lib/calico': undefined } : {}),
    ...(isManaged(node, read) ? { [SUBNET_FILE]: subnetFile(node, read) } : {}),
    ...(annotations[`${CALICO}IPv4Address`] === undefined ? {} : { '/var/lib/calico/nodename': name }),
    ...ciliumFiles(read, name),
  };
}

/** flanneld has a lease for the node, whose range is one of the network's. */
const isManaged = (node: Node, read: Reader): boolean =>
  node.metadata.annotations?.[`${FLANNEL}kube-subnet-manager`] === 'true' &&
  isInside(node.spec.podCIDR ?? '', flannelNetwork(read));

/** Models flannel's pkg/subnet/subnet.go WriteSubnetFile. */
function subnetFile({ metadata, spec }: Node, read: Reader): string {
  const [network = '', bits = '24'] = (spec.podCIDR ?? '').split('/');
  const first = `${network.slice(0, network.lastIndexOf('.'))}.1`;
  const lines = {
    FLANNEL_NETWORK: flannelNetwork(read),
    FLANNEL_SUBNET: `${first}/${bits}`,
    FLANNEL_MTU: flannelMtu(metadata.annotations),
    FLANNEL_IPMASQ: 'true',
  };
  return Object.entries(lines)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}

export const flannelMtu = (annotations: Readonly<Record<string, string>> = {}): number =>
  ETHERNET_MTU - (OVERHEAD[annotations[`${FLANNEL}backend-type`] ?? 'vxlan'] ?? 0);

/** The addresses of all pods, as flannel's configuration says. */
export function flannelNetwork(read: Reader): string {
  for (const namespace of FLANNEL_NAMESPACES) {
    const text = read.get(ConfigMaps, { namespace, name: FLANNEL_CONFIG })?.data?.['net-conf.json'];
    const conf = text === undefined ? undefined : parseNetConf(text);
    if (conf && !('error' in conf)) return conf.network;
  }
  return DEFAULT_NETWORK;
}
