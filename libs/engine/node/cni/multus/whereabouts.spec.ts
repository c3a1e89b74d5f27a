import { expect, test } from '@jest/globals';
import { readWhereabouts } from './whereabouts.js';

test.each<[Record<string, unknown>, unknown]>([
  [{ range: '192.168.2.225/28' }, ['192.168.2.224/28', '192.168.2.225', '192.168.2.238']],
  [
    { range: '10.0.0.0/24', range_start: '10.0.0.10', range_end: '10.0.0.20' },
    ['10.0.0.0/24', '10.0.0.10', '10.0.0.20'],
  ],
  [{ range: '10.0.0.5-10.0.0.9/24' }, ['10.0.0.0/24', '10.0.0.5', '10.0.0.9']],
  [{ range: 'x' }, 'IPAM configuration error: invalid CIDR x: invalid CIDR address: x'],
  [
    { range: '10.0.0.0/24', range_start: '10.0.9.1' },
    'IPAM configuration error: 10.0.9.1 is not within the network 10.0.0.0/24',
  ],
])('whereabouts reads %j', (ipam, expected) => {
  const read = readWhereabouts(ipam);
  expect('error' in read ? read.error : [read.cidr, read.range.first, read.range.last]).toEqual(expected);
});
