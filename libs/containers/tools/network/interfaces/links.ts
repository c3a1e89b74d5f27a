import type { NetworkInterface } from '../../../../engine/kernel/process/syscalls.js';

/** What `ip` says of an interface by its kind. One without a kind is an end of a pair, or the loopback. */

const isLoopback = ({ name }: NetworkInterface): boolean => name === 'lo';

/** 'eth0@if12' of a pair whose other end is elsewhere, 'net1@eth0' of what stands on another one. */
export function shownName(one: NetworkInterface): string {
  const { name, kind, parent } = one;
  if (parent !== undefined) return `${name}@${parent}`;
  if (kind === 'ipip') return `${name}@NONE`;
  return isLoopback(one) || kind !== undefined ? name : `${name}@if12`;
}

/** Tunnels and the loopback do not know whether there is a link. */
export function stateOf(one: NetworkInterface): string {
  const { kind, isUp } = one;
  if (isLoopback(one) || kind === 'vxlan' || kind === 'ipip') return 'UNKNOWN';
  return isUp ? 'UP' : 'DOWN';
}

export function flagsOf(one: NetworkInterface): string {
  if (isLoopback(one)) return 'LOOPBACK,UP,LOWER_UP';
  return one.kind === 'ipip' ? 'NOARP,UP,LOWER_UP' : 'BROADCAST,MULTICAST,UP,LOWER_UP';
}

/** The addresses of its link; `isGnu`: iproute2 says whether a pair's other end is in another namespace. */
export function linkOf(one: NetworkInterface, isGnu: boolean): string {
  const { kind, mac } = one;
  if (isLoopback(one)) return `link/loopback ${mac} brd 00:00:00:00:00:00`;
  if (kind === 'ipip') return `link/ipip ${mac} brd 0.0.0.0`;
  return `link/ether ${mac} brd ff:ff:ff:ff:ff:ff${isGnu && kind === undefined ? ' link-netnsid 0' : ''}`;
}
