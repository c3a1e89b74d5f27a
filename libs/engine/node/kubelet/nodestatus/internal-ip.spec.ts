import { expect, test } from '@jest/globals';
import { node } from '../testing.js';
import { internalIPOf } from './internal-ip.js';

test.each([
  [
    'its InternalIP',
    [
      { type: 'Hostname', address: 'worker-1' },
      { type: 'InternalIP', address: '172.18.0.2' },
    ],
    '172.18.0.2',
  ],
  ['none', [{ type: 'Hostname', address: 'worker-1' }], ''],
  ['no addresses', undefined, ''],
])('%s', (_case, addresses, expected) => {
  expect(internalIPOf(node({ addresses }))).toBe(expected);
});
