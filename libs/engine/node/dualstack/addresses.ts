/** The second addresses of nodes and pods in a cluster of both families; one of IPv4 alone has none of them. */
import type { Node, Pod } from '../../api/core_v1.js';
import { parseAddress, parsePrefix } from '../../machinery/net/netip.js';

/** As kind makes them. */
export const POD_SUBNET_6 = 'fd00:10:244::/56';
export const SERVICE_SUBNET_6 = 'fd00:10:96::/112';
export const HOSTS_6 = 'fc00:f853:ccd:e793::/64';
/** The router of the network that the nodes stand in. */
export const HOST_GATEWAY_6 = 'fc00:f853:ccd:e793::1';

export const isSixth = (address: string): boolean => address.includes(':');

/** 'fd00:10:244:1::/64' beside '10.244.1.0/24'. */
export function secondRangeFor(podCIDR: string): string {
  const [, second = 244, third = 0] = podCIDR.split('.').map(Number);
  const number = ((second - 244) & 255) * 256 + third;
  return number === 0 ? 'fd00:10:244::/64' : `fd00:10:244:${number.toString(16)}::/64`;
}

/** The node's range of IPv6; undefined: it has none. */
export const secondRangeOf = ({ spec }: Node): string | undefined =>
  spec?.podCIDRs && spec.podCIDRs.length > 1 ? spec.podCIDRs.find(isSixth) : undefined;

/** The node's own address of IPv6; '' when it has none. */
export const secondIPOf = ({ status }: Node): string =>
  status.addresses?.find(({ type, address }) => type === 'InternalIP' && isSixth(address))?.address ?? '';

/** The address of a pod that is not of IPv4. Those on their node's network have the node's. */
export const secondPodIPOf = ({ status }: Pod): string | undefined =>
  status.podIPs && status.podIPs.length > 1 ? status.podIPs.find(({ ip }) => isSixth(ip ?? ''))?.ip : undefined;

/** All addresses that lead to a pod. */
export const podIPsOf = (pod: Pod): readonly string[] => {
  const second = secondPodIPOf(pod);
  const first = pod.status.podIP ?? '';
  return second === undefined ? [first] : [first, second];
};

/** The address of a family; '' when there is none. */
export const podIPTo = (pod: Pod, destination: string): string =>
  isSixth(destination) ? (secondPodIPOf(pod) ?? '') : (pod.status.podIP ?? '');

/**
 * The address that host-local gives a pod of the range of IPv6: as far from its beginning as the first address is from
 * that of the other range, since both ranges are filled in one order.
 */
export function secondAddressFor(ip: string, podCIDR: string | undefined, range: string): string | undefined {
  const own = parseAddress(ip);
  const prefix = parsePrefix(range);
  if (own?.kind() !== 'ipv4' || prefix?.address.kind() !== 'ipv6') return undefined;
  const base = parsePrefix(podCIDR ?? '');
  const number =
    base?.address.kind() === 'ipv4' ? toNumber(own.toByteArray()) - toNumber(base.address.toByteArray()) : 0;
  const low = number > 0 && number < 65_536 ? number : toNumber(own.toByteArray().slice(2));
  const { parts } = prefix.address as unknown as { readonly parts: readonly number[] };
  return shorten([...parts.slice(0, 7), (parts[7] ?? 0) | low]);
}

const toNumber = (bytes: readonly number[]): number => bytes.reduce((n, byte) => n * 256 + byte, 0);
const shorten = (parts: readonly number[]): string =>
  String(parseAddress(parts.map((part) => part.toString(16)).join(':')));

/** The host's end of a pod's pair: 'fd00:10:244:1::1'. */
export const secondGatewayOf = (range: string): string => `${range.slice(0, range.indexOf('/'))}1`;
