import { expect, test } from '@jest/globals';
import { readRangeSet } from './range-set.js';

const whole = { first: '10.244.1.1', last: '10.244.1.254', gateway: '10.244.1.1' };

test.each<[object, object]>([
  [{ ranges: [[{ subnet: '10.244.1.0/24' }]] }, { ranges: [whole] }],
  [{ subnet: '10.244.1.0/24' }, { ranges: [whole] }],
  [
    { ranges: [[{ subnet: '10.244.1.0/24' }], [{ subnet: 'fd00:10:244:1::/64' }]] },
    { ranges: [whole], range6: 'fd00:10:244:1::/64' },
  ],
  [{ ranges: [[{ subnet: '10.244.1.0/24' }], [{ subnet: '10.9.0.0/24' }]] }, { ranges: [whole] }],
  [
    { ranges: [[{ subnet: '10.1.0.0/16', rangeStart: '10.1.2.3', rangeEnd: '10.1.2.9', gateway: '10.1.0.254' }]] },
    { ranges: [{ first: '10.1.2.3', last: '10.1.2.9', gateway: '10.1.0.254' }] },
  ],
  [
    { ranges: [[{ subnet: '10.244.1.0/24' }, { subnet: '10.9.0.0/30' }]] },
    {
      ranges: [whole, { first: '10.9.0.1', last: '10.9.0.2', gateway: '10.9.0.1' }],
    },
  ],
  [{}, { error: 'no IP ranges specified' }],
  [{ ranges: [[]] }, { error: 'invalid range set 0: empty range set' }],
  [{ ranges: [[{ subnet: 'x' }]] }, { error: 'invalid range set 0: invalid CIDR address: x' }],
  [
    { ranges: [[{ subnet: '10.0.0.0/31' }]] },
    {
      error: 'invalid range set 0: Network 10.0.0.0/31 too small to allocate from',
    },
  ],
  [
    { ranges: [[{ subnet: '10.0.0.1/24' }]] },
    {
      error:
        'invalid range set 0: Network has host bits set. For a subnet mask of length 24 the network address is 10.0.0.0',
    },
  ],
  [
    { ranges: [[{ subnet: '10.0.0.0/24', rangeStart: '10.0.1.1' }]] },
    {
      error: 'invalid range set 0: RangeStart 10.0.1.1 not in network 10.0.0.0/24',
    },
  ],
  [{ ranges: [[{ subnet: '10.0.0.0/24', rangeEnd: 7 }]] }, { error: 'invalid range set 0: invalid IP address: ' }],
  [{ ranges: 'all' }, { error: 'no IP ranges specified' }],
  [{ ranges: [null] }, { error: 'invalid range set 0: empty range set' }],
])('%j', (ipam, expected) => {
  expect(readRangeSet(ipam as Record<string, unknown>)).toEqual(expected);
});
