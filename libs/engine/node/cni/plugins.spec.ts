import { expect, test } from '@jest/globals';
import { findMistake } from './plugins.js';

test.each<[string, Readonly<Record<string, unknown>>, string | undefined]>([
  ['ptp', {}, undefined],
  ['host-device', { device: 'eth1' }, undefined],
  ['host-device', {}, 'specify either "device", "hwaddr", "kernelpath" or "pciBusID"'],
  ['vlan', { master: 'eth0', vlanId: 5 }, undefined],
  ['vlan', { master: 'eth0', vlanId: 5_000 }, 'invalid VLAN ID 5000 (must be between 0 and 4095 inclusive)'],
  ['vlan', { vlanId: 5 }, '"master" field is required. It specifies the host interface name to create the VLAN for'],
  ['macvlan', { mode: 'bridge' }, undefined],
  ['macvlan', { mode: 'l2' }, 'unknown macvlan mode: "l2"'],
  ['ipvlan', {}, undefined],
  ['ipvlan', { mode: 'x' }, 'unknown ipvlan mode: "x"'],
])('%s with %j: %s', (type, config, mistake) => {
  expect(findMistake(type, config)).toBe(mistake);
});
