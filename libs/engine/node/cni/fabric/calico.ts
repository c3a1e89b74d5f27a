import type { Node, Pod } from '../../../api/core_v1.js';
import type { NetworkInterface, Route } from '../../../kernel/process/syscalls.js';
import type { Reader } from '../../../machinery/client.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import { CALICO } from '../agent-files.js';
import { blocksOf, IPAMBlocks, IPPools, isCidr, type IPPool } from '../calico/objects.js';
import { LOOPBACK } from './bridge.js';
import { isWithin, macOf, type Fabric, type NodeView, type PodRoute } from './fabric.js';
import { caliOf } from './names.js';

/** All pods' gateway, which answers for every address. */
const GATEWAY = '169.254.1.1';
const HOST_MAC = 'ee:ee:ee:ee:ee:ee';

type Encapsulation = 'ipip' | 'vxlan' | 'none';

/** All nodes are of one subnet: what is encapsulated between subnets only is not. */
const encapsulationOf = (pool: IPPool | undefined): Encapsulation =>
  pool?.spec?.ipipMode === 'Always' ? 'ipip' : pool?.spec?.vxlanMode === 'Always' ? 'vxlan' : 'none';

const poolOf = (read: Reader, cidr: string): IPPool | undefined =>
  read.list(IPPools).find(({ spec }) => isCidr(spec?.cidr) && isWithin(cidr.split('/')[0] ?? '', spec?.cidr ?? ''));

const annotation = ({ metadata }: Node, name: string): string | undefined => metadata.annotations?.[CALICO + name];
const ipipAddress = (node: Node): string | undefined => annotation(node, 'IPv4IPIPTunnelAddr');
const vxlanAddress = (node: Node): string | undefined => annotation(node, 'IPv4VXLANTunnelAddr');
const nameOf = ({ metadata }: Node): string => metadata.name ?? '';
const isUp = (node: Node): boolean => annotation(node, 'IPv4Address') !== undefined;

interface Peer {
  readonly node: Node;
  readonly route: Route;
}

/** The routes to other nodes' blocks, as BIRD or Felix writes them. */
function peerRoutes({ read, node, nodes }: Pick<NodeView, 'read' | 'node' | 'nodes'>): Peer[] {
  if (!isUp(node)) return [];
  return read.list(IPAMBlocks).flatMap(({ spec }) => {
    const { cidr, affinity = '' } = spec ?? {};
    const name = affinity.startsWith('host:') ? affinity.slice(5) : '';
    const other = name === nameOf(node) ? undefined : nodes.find((one) => nameOf(one) === name);
    return other && isCidr(cidr) && isUp(other) ? [{ node: other, route: routeTo(other, cidr, read) }] : [];
  });
}

function routeTo(other: Node, cidr: string, read: Reader): Route {
  switch (encapsulationOf(poolOf(read, cidr))) {
    case 'ipip':
      return {
        ...{ destination: cidr, gateway: internalIPOf(other), device: 'tunl0', flags: ['proto', 'bird', 'onlink'] },
      };
    case 'vxlan':
      return { destination: cidr, gateway: vxlanAddress(other) ?? '', device: 'vxlan.calico', flags: ['onlink'] };
    case 'none':
      return { destination: cidr, gateway: internalIPOf(other), device: 'eth0', flags: ['proto', 'bird'] };
  }
}

/**
 * Calico: every pod has a route of its own on its node, and blocks of addresses have routes between nodes, by IP in IP,
 * VXLAN or without either. Models projectcalico/calico's cni-plugin/pkg/dataplane/linux, confd's BIRD templates and
 * felix/dataplane/linux.
 */
export const calico: Fabric = {
  podInterfaces({ status }, { mtu = 1_480 }) {
    const ip = status.podIP ?? '';
    const addresses = ip ? [`${ip}/32`] : [];
    return [LOOPBACK, { name: 'eth0', index: 2, addresses, mac: macOf(ip, '66:1c'), mtu, isUp: true }];
  },
  podRoutes: ({ status }) =>
    status.podIP
      ? [
          { destination: 'default', gateway: GATEWAY, device: 'eth0' },
          { destination: GATEWAY, device: 'eth0', scope: 'link' },
        ]
      : [],
  hostInterfaces({ node, pods }, { mtu = 1_480 }) {
    const ends = pods.map((pod) => ({
      ...{ name: caliOf(pod), addresses: [], mac: HOST_MAC, mtu, isUp: true },
    }));
    return [...tunnels(node), ...ends];
  },
  hostRoutes(view) {
    const own = blocksOf(view.read, nameOf(view.node)).map(({ spec }): Route => ({
      ...{ destination: spec?.cidr ?? '', device: '', type: 'blackhole', flags: ['proto', 'bird'] },
    }));
    const pods = view.pods.map((pod): Route => ({
      ...{ destination: pod.status.podIP ?? '', device: caliOf(pod), scope: 'link' },
    }));
    return [...peerRoutes(view).map(({ route }) => route), ...own, ...pods];
  },
  neighbours(view) {
    if (vxlanAddress(view.node) === undefined) return [];
    return view.nodes.flatMap((other) => {
      const address = vxlanAddress(other);
      if (address === undefined || nameOf(other) === nameOf(view.node)) return [];
      return [{ address, mac: macOf(address, '66:5d'), device: 'vxlan.calico', remote: internalIPOf(other) }];
    });
  },
  route: (view, address, podAt) => routeOf(view, address, podAt),
  hostEnd: caliOf,
  addressOn: (device, node) =>
    device === 'tunl0' ? ipipAddress(node) : device === 'vxlan.calico' ? vxlanAddress(node) : undefined,
};

function routeOf(
  view: Omit<NodeView, 'pods'>,
  address: string,
  podAt: (ip: string) => Pod | undefined,
): PodRoute | undefined {
  const { read, node } = view;
  if (address === ipipAddress(node) || address === vxlanAddress(node)) return { type: 'local' };
  const pod = podAt(address);
  if (pod && pod.spec.nodeName === nameOf(node)) {
    const device = caliOf(pod);
    return { type: 'pod', device, route: `${address} dev ${device} scope link` };
  }
  const own = blocksOf(read, nameOf(node)).find(({ spec }) => isWithin(address, spec?.cidr ?? ''));
  if (own) return { type: 'nobody', device: 'lo', route: `blackhole ${own.spec?.cidr ?? ''} proto bird` };
  const found = peerRoutes(view).find(({ route }) => isWithin(address, route.destination));
  if (!found) return undefined;
  const { destination, gateway = '', device, flags = [] } = found.route;
  return {
    type: 'node',
    node: found.node,
    device,
    route: `${destination} via ${gateway} dev ${device} ${flags.join(' ')}`,
  };
}

function tunnels(node: Node): Omit<NetworkInterface, 'index'>[] {
  const [ipip, vxlan] = [ipipAddress(node), vxlanAddress(node)];
  return [
    ...(ipip === undefined
      ? []
      : [
          {
            ...{ name: 'tunl0', addresses: [`${ipip}/32`], mac: '0.0.0.0', mtu: 1_480, isUp: true, kind: 'ipip' },
            detail: 'ipip any remote any local any ttl inherit nopmtudisc',
          },
        ]),
    ...(vxlan === undefined
      ? []
      : [
          {
            ...{ name: 'vxlan.calico', addresses: [`${vxlan}/32`], mac: macOf(vxlan, '66:5d'), mtu: 1_450 },
            ...{ isUp: true, kind: 'vxlan' },
            detail:
              `vxlan id 4096 local ${internalIPOf(node)} dev eth0 srcport 0 0 dstport 4789 nolearning ` +
              'ttl auto ageing 300 udpcsum noudp6zerocsumtx noudp6zerocsumrx',
          },
        ]),
  ];
}
