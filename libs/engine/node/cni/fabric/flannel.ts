import type { Node, Pod } from '../../../api/core_v1.js';
import type { NetworkInterface, Route } from '../../../kernel/process/syscalls.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import { FLANNEL, flannelMtu, flannelNetwork } from '../agent-files.js';
import { bridgeInterface, bridgePodInterfaces, portInterface } from './bridge.js';
import { isWithin, macOf, networkPrefix, type Fabric, type NodeView, type PodRoute } from './fabric.js';
import { vethOf } from './names.js';

const BRIDGE = 'cni0';
/** VXLAN's port that Linux had before there was a standard. */
const PORT = 8_472;

const annotation = ({ metadata }: Node, name: string): string => metadata.annotations?.[FLANNEL + name] ?? '';
const hasLease = (node: Node): boolean => annotation(node, 'kube-subnet-manager') === 'true' && !!node.spec.podCIDR;
const isTunnelled = (node: Node): boolean => annotation(node, 'backend-type') === 'vxlan';
const subnetOf = ({ spec }: Node): string => spec.podCIDR ?? '';
const baseOf = (node: Node): string => subnetOf(node).slice(0, Math.max(0, subnetOf(node).indexOf('/')));
const gatewayOf = (node: Node): string => baseOf(node).replace(/\.\d{1,3}$/, '.1');
/** flannel.1 by default. */
const deviceOf = (node: Node): string => `flannel.${backendData(node).vni}`;

/** What a node's agent has said of its end of the tunnel. */
function backendData(node: Node): { readonly vni: number; readonly mac: string } {
  try {
    const data = JSON.parse(annotation(node, 'backend-data') || 'null') as { VNI?: number; VtepMAC?: string } | null;
    return { vni: data?.VNI ?? 1, mac: data?.VtepMAC ?? '' };
  } catch {
    return { vni: 1, mac: '' };
  }
}

const othersOf = ({ node, nodes }: Pick<NodeView, 'node' | 'nodes'>): readonly Node[] =>
  nodes.filter((other) => other.metadata.name !== node.metadata.name && hasLease(other));
/** Tunnels reach those that have an end of one; host-gw writes routes to those that share its link: all nodes here. */
const peersOf = (view: Pick<NodeView, 'node' | 'nodes'>): readonly Node[] =>
  hasLease(view.node) ? othersOf(view).filter((other) => isTunnelled(other) === isTunnelled(view.node)) : [];

const routeTo = (from: Node, to: Node): Route =>
  isTunnelled(from)
    ? { destination: subnetOf(to), gateway: baseOf(to), device: deviceOf(from), flags: ['onlink'] }
    : { destination: subnetOf(to), gateway: annotation(to, 'public-ip'), device: 'eth0' };

/**
 * Flannel: the bridge plug-in on each node, and routes between them by VXLAN or by the nodes' own network. Models
 * flannel-io/flannel's pkg/backend/vxlan and pkg/backend/hostgw.
 */
export const flannel: Fabric = {
  podInterfaces: (pod, { mtu = 1_450 }) => bridgePodInterfaces(pod, mtu),
  podRoutes({ status }) {
    const ip = status.podIP ?? '';
    if (!ip) return [];
    const gateway = ip.replace(/\.\d{1,3}$/, '.1');
    return [
      { destination: 'default', gateway, device: 'eth0' },
      { destination: networkPrefix(ip, 16), gateway, device: 'eth0' },
      { destination: networkPrefix(ip, 24), device: 'eth0', source: ip },
    ];
  },
  hostInterfaces({ node, pods }, { mtu = flannelMtu(node.metadata.annotations) }) {
    const tunnel = hasLease(node) && isTunnelled(node) ? [tunnelInterface(node, mtu)] : [];
    if (pods.length === 0) return tunnel;
    const bridge = bridgeInterface(BRIDGE, `${gatewayOf(node)}/24`, mtu);
    return [...tunnel, bridge, ...pods.map((pod) => portInterface(pod, BRIDGE, mtu))];
  },
  hostRoutes(view) {
    const { node, pods } = view;
    const own: Route[] = [{ destination: subnetOf(node), device: BRIDGE, source: gatewayOf(node) }];
    return [...peersOf(view).map((peer) => routeTo(node, peer)), ...(pods.length > 0 ? own : [])];
  },
  neighbours(view) {
    const { node } = view;
    if (!hasLease(node) || !isTunnelled(node)) return [];
    return peersOf(view).map((peer) => ({
      address: baseOf(peer),
      mac: backendData(peer).mac,
      device: deviceOf(node),
      remote: annotation(peer, 'public-ip'),
    }));
  },
  route: (view, address, podAt) => routeOf(view, address, podAt),
  hostEnd: vethOf,
  addressOn: (device, node) =>
    device === BRIDGE || device.startsWith('veth')
      ? gatewayOf(node)
      : device === deviceOf(node)
        ? baseOf(node)
        : undefined,
};

function routeOf(
  { read, node, nodes }: Omit<NodeView, 'pods'>,
  address: string,
  podAt: (ip: string) => Pod | undefined,
): PodRoute | undefined {
  if (subnetOf(node) && isWithin(address, subnetOf(node))) {
    if (address === gatewayOf(node) || (isTunnelled(node) && address === baseOf(node))) return { type: 'local' };
    const route = `${subnetOf(node)} dev ${BRIDGE} proto kernel scope link src ${gatewayOf(node)}`;
    const isHere = podAt(address)?.spec.nodeName === node.metadata.name;
    return { type: isHere ? 'pod' : 'nobody', device: BRIDGE, route };
  }
  const peer = peersOf({ node, nodes }).find((other) => isWithin(address, subnetOf(other)));
  if (!peer) {
    if (!isWithin(address, flannelNetwork(read))) return undefined;
    return { type: 'nobody', device: 'eth0', route: 'default via 172.18.0.1 dev eth0' };
  }
  const { destination, gateway = '', device, flags = [] } = routeTo(node, peer);
  const route = [destination, 'via', gateway, 'dev', device, ...flags].join(' ');
  return { type: 'node', node: peer, device, route };
}

function tunnelInterface(node: Node, mtu: number): Omit<NetworkInterface, 'index'> {
  const { vni, mac } = backendData(node);
  return {
    name: deviceOf(node),
    addresses: [`${baseOf(node)}/32`],
    mac: mac || macOf(baseOf(node), '3a:5e'),
    mtu,
    isUp: true,
    kind: 'vxlan',
    detail:
      `vxlan id ${vni} local ${annotation(node, 'public-ip') || internalIPOf(node)} dev eth0 srcport 0 0 ` +
      `dstport ${PORT} nolearning ttl auto ageing 300 udpcsum noudp6zerocsumtx noudp6zerocsumrx`,
  };
}
