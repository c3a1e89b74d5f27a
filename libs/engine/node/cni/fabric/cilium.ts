import type { Node, Pod } from '../../../api/core_v1.js';
import type { Route } from '../../../kernel/process/syscalls.js';
import type { Rule } from '../../../kernel/netfilter/index.js';
import { prefixOf } from '../../../kernel/netfilter/index.js';
import type { OtherRules } from '../../proxy/index.js';
import { Pods } from '../../../kinds/index.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import type { Reader } from '../../../machinery/client.js';
import { isCidr } from '../calico/objects.js';
import { CiliumNodes, ciliumNodeOf, rangeOf, routerOf } from '../cilium/objects.js';
import { ciliumSettings, type CiliumSettings } from '../cilium/settings.js';
import { LOOPBACK } from './bridge.js';
import { isWithin, macOf, type Fabric, type NodeView, type PodRoute } from './fabric.js';
import { lxcOf } from './names.js';

const HOST = 'cilium_host';
const MTU = 1_500;
/** What a tunnel's headers leave of it. */
const TUNNEL_MTU = MTU - 50;
const PORT: Readonly<Record<string, number>> = { vxlan: 8_472, geneve: 6_081 };

const nameOf = ({ metadata }: Node): string => metadata.name ?? '';
const hasTunnel = ({ routing }: CiliumSettings): boolean => routing !== 'native';

interface Peer {
  readonly node: Node;
  readonly route: Route;
}

/** The routes to other nodes' ranges: to the tunnel by cilium_host, or by the nodes' own network. */
function peerRoutes({ read, node, nodes }: Pick<NodeView, 'read' | 'node' | 'nodes'>): Peer[] {
  const settings = ciliumSettings(read);
  const router = routerOf(ciliumNodeOf(read, nameOf(node)));
  if (router === '') return [];
  return read.list(CiliumNodes).flatMap((other) => {
    const found =
      other.metadata.name === nameOf(node) ? undefined : nodes.find((one) => nameOf(one) === other.metadata.name);
    const destination = rangeOf(other);
    if (!found || destination === '' || routerOf(other) === '') return [];
    if (hasTunnel(settings)) return [{ node: found, route: byTunnel(destination, router) }];
    if (!settings.hasDirectRoutes) return [];
    const route = { destination, gateway: internalIPOf(found), device: 'eth0', flags: ['proto', 'kernel'] };
    return [{ node: found, route }];
  });
}

const byTunnel = (destination: string, router: string): Route => ({
  ...{ destination, gateway: router, device: HOST },
  flags: ['proto', 'kernel', 'src', router, 'mtu', String(TUNNEL_MTU)],
});

/** The node's own range: its pods have no routes of their own. */
const ownRoute = (destination: string, router: string): Route => ({
  ...{ destination, gateway: router, device: HOST, flags: ['proto', 'kernel', 'src', router] },
});

const printed = ({ destination, gateway = '', device, flags = [] }: Route): string =>
  `${destination} via ${gateway} dev ${device} ${flags.join(' ')}`;

/**
 * Cilium: programs of BPF at each pod's interface send packets on, so that routes lead to cilium_host, and from there
 * into a tunnel by VXLAN or Geneve, or to the nodes by native routing. Models cilium/cilium's
 * pkg/datapath/linux/node.go and plugins/cilium-cni.
 */
export const cilium: Fabric = {
  podInterfaces({ status }) {
    const ip = status.podIP ?? '';
    const addresses = ip ? [`${ip}/32`] : [];
    return [LOOPBACK, { name: 'eth0', index: 2, addresses, mac: macOf(ip, '4e:1f'), mtu: MTU, isUp: true }];
  },
  podRoutes({ status, spec }, _network, read) {
    const gateway = read ? routerOf(ciliumNodeOf(read, spec.nodeName ?? '')) : '';
    if (!status.podIP || gateway === '') return [];
    const mtu = read && hasTunnel(ciliumSettings(read)) ? { flags: ['mtu', String(TUNNEL_MTU)] } : {};
    return [
      { destination: 'default', gateway, device: 'eth0', ...mtu },
      { destination: gateway, device: 'eth0', scope: 'link' },
    ];
  },
  hostInterfaces({ read, node, pods }) {
    const own = ciliumNodeOf(read, nameOf(node));
    const router = routerOf(own);
    if (router === '') return [];
    const { routing } = ciliumSettings(read);
    const end = { addresses: [], mtu: MTU, isUp: true };
    return [
      { ...end, name: 'cilium_net', mac: macOf(router, '7a:09') },
      { ...end, name: HOST, addresses: [`${router}/32`], mac: macOf(router, '3e:52') },
      ...(routing === 'native' ? [] : [tunnelInterface(routing, router)]),
      ...(own?.spec?.health?.ipv4 ? [{ ...end, name: 'lxc_health', mac: macOf(own.spec.health.ipv4, '62:d3') }] : []),
      ...pods.map((pod) => ({ ...end, name: lxcOf(pod), mac: macOf(pod.status.podIP ?? '', 'a2:b4') })),
    ];
  },
  hostRoutes(view) {
    const own = ciliumNodeOf(view.read, nameOf(view.node));
    const [router, range] = [routerOf(own), rangeOf(own)];
    if (router === '') return [];
    const link: Route = { destination: router, device: HOST, scope: 'link', flags: ['proto', 'kernel'] };
    return [...peerRoutes(view).map(({ route }) => route), ownRoute(range, router), link, ...leftovers(view)];
  },
  neighbours: () => [],
  route: (view, address, podAt) => routeOf(view, address, podAt),
  hostEnd: lxcOf,
  addressOn: (device, node, read) => {
    if (!device.startsWith('cilium_') && !device.startsWith('lxc')) return undefined;
    return routerOf(ciliumNodeOf(read, nameOf(node))) || undefined;
  },
  balances: (read) => ciliumSettings(read).replacesProxy,
};

function routeOf(
  view: Omit<NodeView, 'pods'>,
  address: string,
  podAt: (ip: string) => Pod | undefined,
): PodRoute | undefined {
  const { read, node } = view;
  const own = ciliumNodeOf(read, nameOf(node));
  const [router, range] = [routerOf(own), rangeOf(own)];
  if (router === '') return undefined;
  if (address === router) return { type: 'local' };
  const pod = podAt(address);
  // Who was plugged in before keeps an address of another range, and is reached as an endpoint all the same.
  if (pod && pod.spec.nodeName === nameOf(node))
    return { type: 'pod', device: lxcOf(pod), route: printed(ownRoute(range, router)) };
  if (isWithin(address, range)) return { type: 'nobody', device: HOST, route: printed(ownRoute(range, router)) };
  const peer = peerRoutes(view).find(({ route }) => isWithin(address, route.destination));
  if (!peer) return pod && leftoverTo(view, pod);
  return { type: 'node', node: peer.node, device: peer.route.device, route: printed(peer.route) };
}

/** Routes that the network before has written stay, for pods that it has plugged in. */
function leftoverTo({ node, nodes }: Omit<NodeView, 'pods'>, { spec, status }: Pod): PodRoute | undefined {
  const other = nodes.find((one) => nameOf(one) === spec.nodeName && nameOf(one) !== nameOf(node));
  const range = other?.spec.podCIDR ?? '';
  if (!other || range === '' || !isWithin(status.podIP ?? '', range)) return undefined;
  return { type: 'node', node: other, device: 'eth0', route: `${range} via ${internalIPOf(other)} dev eth0` };
}

/** The same, as they are listed: where there are such pods. */
const leftovers = ({ read, node, nodes }: NodeView): Route[] =>
  nodes.flatMap((other) => {
    const destination = other.spec.podCIDR ?? '';
    if (nameOf(other) === nameOf(node) || destination === '') return [];
    if (read.list(CiliumNodes).some((one) => rangeOf(one) === destination)) return [];
    const isNeeded = read
      .byIndex(Pods, 'nodeName', nameOf(other))
      .some(({ status, spec }) => !spec.hostNetwork && isWithin(status.podIP ?? '', destination));
    return isNeeded ? [{ destination, gateway: internalIPOf(other), device: 'eth0' }] : [];
  });

const tunnelInterface = (kind: 'vxlan' | 'geneve', router: string): ReturnType<Fabric['hostInterfaces']>[number] => ({
  ...{ name: `cilium_${kind}`, addresses: [], mac: macOf(router, '1a:c6'), mtu: MTU, isUp: true, kind },
  detail:
    kind === 'vxlan'
      ? `vxlan external id 0 srcport 0 0 dstport ${PORT[kind]} nolearning ttl auto ageing 300 udpcsum ` +
        'noudp6zerocsumtx noudp6zerocsumrx'
      : `geneve external id 0 ttl auto dstport ${PORT[kind]} udpcsum noudp6zerocsumtx noudp6zerocsumrx`,
});

/** What leaves the pods' ranges is masqueraded. Models pkg/datapath/iptables. Left out: its chains but for nat. */
export function ciliumRules(read: Reader, node: string): OtherRules {
  const range = rangeOf(ciliumNodeOf(read, node));
  const { masquerades, routing, nativeCIDR } = ciliumSettings(read);
  if (range === '' || !masquerades) return {};
  const chain = 'CILIUM_POST_nat';
  const comment = (text: string): Rule['matches'] => [{ type: 'comment', text }];
  return {
    nat: {
      POSTROUTING: [{ matches: comment('cilium-feeder: CILIUM_POST_nat'), target: { type: 'jump', chain } }],
      [chain]: [
        {
          source: { prefix: prefixOf(range) },
          destination: {
            prefix: prefixOf(routing === 'native' && isCidr(nativeCIDR) ? nativeCIDR : range),
            isNot: true,
          },
          output: { name: 'cilium_+', isNot: true },
          matches: comment('cilium masquerade non-cluster'),
          target: { type: 'MASQUERADE' },
        },
      ],
    },
  };
}
