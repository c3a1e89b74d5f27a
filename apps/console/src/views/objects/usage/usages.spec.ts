import { expect, test } from '@jest/globals';
import { usagesOf } from './usages.js';

const pod = (name: string, cpu: string) => ({
  metadata: { name, namespace: 'shop' },
  containers: [
    { name: 'a', usage: { cpu, memory: '64Mi' } },
    { name: 'b', usage: { cpu: '1m', memory: '64Mi' } },
  ],
});

test('of pods: the sum of their containers', () => {
  const usages = usagesOf({ items: [pod('web', '249m')] }, undefined);
  expect(usages.get('shop/web')).toMatchObject({ cpu: 0.25, texts: { cpu: '250m', memory: '128Mi' } });
});

test('of nodes: also of what they have', () => {
  const metrics = { items: [{ metadata: { name: 'worker-1' }, usage: { cpu: '1', memory: '2Gi' } }] };
  const nodes = { items: [{ metadata: { name: 'worker-1' }, status: { allocatable: { cpu: '4', memory: '8Gi' } } }] };
  expect(usagesOf(metrics, nodes).get('/worker-1')?.texts).toEqual({ cpu: '1.00 (25%)', memory: '2.00Gi (25%)' });
});

test('what stays the same stays the same object', () => {
  const first = usagesOf({ items: [pod('a', '1m'), pod('b', '1m')] }, undefined);
  const then = usagesOf({ items: [pod('a', '1m'), pod('b', '2m')] }, undefined, first);
  expect([then.get('shop/a') === first.get('shop/a'), then.get('shop/b') === first.get('shop/b')]).toEqual([
    true,
    false,
  ]);
});
