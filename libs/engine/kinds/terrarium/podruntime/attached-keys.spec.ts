import { expect, test } from '@jest/globals';
import { keysOf } from './attached-keys.js';

test('an interface is found by its addresses, and by who has given them', () => {
  expect(keysOf([{ segment: 'eth0', pool: 'worker-1 a', addresses: ['10.1.0.2/24'] }])).toEqual([
    'at eth0 10.1.0.2',
    'in worker-1 a',
  ]);
  expect(keysOf([{ segment: 'eth0', addresses: [] }])).toEqual([]);
});
