import { expect, test } from '@jest/globals';
import { Selection } from './selection.js';
import { podAt, policy } from './testing.js';

const web = podAt('shop/web', '10.244.1.2', { tier: 'front', 'a=b': 'c' });
const policies = [
  policy('shop/all', {}),
  policy('shop/by-labels', { podSelector: { matchLabels: { pod: 'web', tier: 'front' } } }),
  policy('shop/by-other-labels', { podSelector: { matchLabels: { pod: 'web', tier: 'back' } } }),
  policy('shop/by-expression', { podSelector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] } }),
  policy('shop/by-nothing', { podSelector: { matchLabels: { a: 'b=c' } } }),
  policy('shop/zero', { podSelector: { matchLabels: { tier: 'front' } } }),
];

test('finds the policies that select a pod, in their order', () => {
  const selection = new Selection(policies, new WeakMap());
  const keys = ['shop/all', 'shop/by-labels', 'shop/by-expression', 'shop/zero'];
  expect(selection.of(web).map(({ key }) => key)).toEqual(keys);
  expect(selection.of(web)).toBe(selection.of(web));
  expect(selection.of({ ...web, metadata: { ...web.metadata, labels: {} } }).map(({ key }) => key)).toEqual([
    'shop/all',
  ]);
});
