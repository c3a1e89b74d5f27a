import { expect, test } from '@jest/globals';
import type { NetworkInterface } from '../../../../engine/kernel/process/syscalls.js';
import { flagsOf, linkOf, shownName, stateOf } from './links.js';

const one = (name: string, own: Partial<NetworkInterface> = {}): NetworkInterface => ({
  ...{ name, index: 2, addresses: [], mac: '02:42:ac:12:00:03', mtu: 1_500, isUp: true },
  ...own,
});
const UP = 'BROADCAST,MULTICAST,UP,LOWER_UP';

test.each<[NetworkInterface, string, string, string]>([
  [one('lo', { mac: '00:00:00:00:00:00' }), 'lo', 'UNKNOWN', 'LOOPBACK,UP,LOWER_UP'],
  [one('eth0'), 'eth0@if12', 'UP', UP],
  [one('eth0', { isUp: false }), 'eth0@if12', 'DOWN', UP],
  [one('cni0', { kind: 'bridge' }), 'cni0', 'UP', UP],
  [one('flannel.1', { kind: 'vxlan' }), 'flannel.1', 'UNKNOWN', UP],
  [one('tunl0', { kind: 'ipip' }), 'tunl0@NONE', 'UNKNOWN', 'NOARP,UP,LOWER_UP'],
  [one('net1', { kind: 'macvlan', parent: 'eth0' }), 'net1@eth0', 'UP', UP],
])('%j is shown', (shown, name, state, flags) => {
  expect([shownName(shown), stateOf(shown), flagsOf(shown)]).toEqual([name, state, flags]);
});

test.each<[NetworkInterface, boolean, string]>([
  [one('eth0'), true, 'link/ether 02:42:ac:12:00:03 brd ff:ff:ff:ff:ff:ff link-netnsid 0'],
  [one('eth0'), false, 'link/ether 02:42:ac:12:00:03 brd ff:ff:ff:ff:ff:ff'],
  [one('cni0', { kind: 'bridge' }), true, 'link/ether 02:42:ac:12:00:03 brd ff:ff:ff:ff:ff:ff'],
  [one('tunl0', { kind: 'ipip', mac: '0.0.0.0' }), true, 'link/ipip 0.0.0.0 brd 0.0.0.0'],
])('the link of %j', (shown, isGnu, link) => {
  expect(linkOf(shown, isGnu)).toBe(link);
});
