/** What the second family adds to interfaces and routes, as kindnet and the kernel make them. */
import type { Node, Pod } from '../../../api/core_v1.js';
import type { NetworkInterface, Route } from '../../../kernel/process/syscalls.js';
import {
  HOST_GATEWAY_6,
  HOSTS_6,
  secondGatewayOf,
  secondIPOf,
  secondPodIPOf,
  secondRangeOf,
} from '../../dualstack/addresses.js';
import { vethOf } from './routes.js';

/** The address that an interface makes of its hardware's: 'fe80::858:aff:fef4:105'. Models addrconf's EUI-64. */
export function linkLocalOf(mac: string): string {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = mac.split(':').map((part) => Number.parseInt(part, 16));
  const groups = [((a ^ 2) << 8) | b, (c << 8) | 0xff, 0xfe00 | d, (e << 8) | f];
  return `fe80::${groups.map((group) => group.toString(16)).join(':')}`;
}

const withSecond = (one: NetworkInterface, ...addresses: string[]): NetworkInterface => ({
  ...one,
  addresses: [...one.addresses, ...addresses, `${linkLocalOf(one.mac)}/64`],
});

/** A pod's interfaces with its address of IPv6; as they are when it has none. */
export function podInterfaces6(pod: Pod, own: readonly NetworkInterface[]): readonly NetworkInterface[] {
  const ip = secondPodIPOf(pod);
  return ip === undefined ? own : own.map((one) => (one.name === 'eth0' ? withSecond(one, `${ip}/64`) : one));
}

/** A pod's routes of IPv6. */
export function podRoutes6(pod: Pod): readonly Route[] {
  const ip = secondPodIPOf(pod);
  if (ip === undefined) return [];
  const network = networkOf(ip);
  const gateway = secondGatewayOf(network);
  return [
    { destination: gateway, device: 'eth0' },
    { destination: network, gateway, device: 'eth0' },
    { destination: 'fe80::/64', device: 'eth0' },
    { destination: 'default', gateway, device: 'eth0' },
  ];
}

/** 'fd00:10:244:1::/64' of 'fd00:10:244:1::5'. */
const networkOf = (ip: string): string => `${ip.slice(0, ip.lastIndexOf('::'))}::/64`;

export function hostInterfaces6(node: Node, own: readonly NetworkInterface[]): readonly NetworkInterface[] {
  const ip = secondIPOf(node);
  if (ip === '') return own;
  const range = secondRangeOf(node);
  const gateway = range === undefined ? [] : [`${secondGatewayOf(range)}/128`];
  return own.map((one) =>
    one.name === 'eth0' ? withSecond(one, `${ip}/64`) : one.name.startsWith('veth') ? withSecond(one, ...gateway) : one,
  );
}

export function hostRoutes6(node: Node, pods: readonly Pod[], nodes: readonly Node[]): readonly Route[] {
  if (secondIPOf(node) === '') return [];
  const others = nodes.filter((other) => other.metadata.name !== node.metadata.name && secondRangeOf(other));
  const routes: readonly Route[] = [
    { destination: HOSTS_6, device: 'eth0' },
    ...pods.flatMap((pod): Route[] => {
      const destination = secondPodIPOf(pod);
      return destination === undefined ? [] : [{ destination, device: vethOf(pod) }];
    }),
    ...others.map((other) => ({
      destination: secondRangeOf(other) ?? '',
      gateway: secondIPOf(other),
      device: 'eth0',
    })),
    { destination: 'fe80::/64', device: 'eth0' },
    { destination: 'default', gateway: HOST_GATEWAY_6, device: 'eth0' },
  ];
  return routes;
}
