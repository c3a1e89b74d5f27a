import { expect, test } from '@jest/globals';
import { remoteNetworkOf } from './remote-network.js';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:aaaa::1', '20010db800010002/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '20010db800010002/64'],
  ['2001:db8:1:3::1', '20010db800010003/64'],
  ['fe80::1%eth0', 'fe80000000000000/64'],
  ['', ''],
])('%s is of %s', (address, network) => expect(remoteNetworkOf(address)).toBe(network));
