import { expect, test } from '@jest/globals';
import { parseAddress } from '../net/netip.js';
import { parseTraceEnd } from './trace.js';

test.each([
  ['pod/shop/web', { type: 'pod', namespace: 'shop', name: 'web' }],
  ['service/shop/db', { type: 'service', namespace: 'shop', name: 'db' }],
  ['node/worker-1', { type: 'node', name: 'worker-1' }],
  ['10.244.1.5', { type: 'address', address: '10.244.1.5' }],
  ['db.shop', { type: 'name', name: 'db.shop' }],
  ['db.shop.svc.cluster.local.', { type: 'name', name: 'db.shop.svc.cluster.local.' }],
  ['', undefined],
  ['pod/web', undefined],
  ['pod/shop/web/80', undefined],
  ['node/a/b', undefined],
  ['deployment/shop/web', undefined],
  ['pod/Shop/web', undefined],
  ['a b', undefined],
  [`${'a'.repeat(301)}`, undefined],
])('%s', (text, expected) => {
  expect(parseTraceEnd(text, (one) => parseAddress(one) !== undefined)).toEqual(expected);
});
