import { expect, test } from '@jest/globals';
import type { HistoryQuery, PastChange } from '../machinery/past-change.js';
import { chainOf } from './chain.js';
import type { World } from './world.js';

const BATCHES = 40;

/** A user's Deployment, and so many batches of pods, each because of the one before. */
const log: readonly PastChange[] = Array.from({ length: BATCHES + 1 }, (_, i) => ({
  ...{ revision: i + 1, at: 0, cause: i, verb: 'create', namespace: 'shop', fields: [] },
  ...(i === 0
    ? { actor: 'jane', resource: 'deployments.apps', name: 'web' }
    : { actor: 'system:serviceaccount:kube-system:replicaset-controller', resource: 'pods', name: `web-${i}` }),
}));

const world = {
  kinds: () => [],
  past: (query: HistoryQuery) => {
    if (query.type !== 'chain') throw new Error(`asked for ${query.type}`);
    return { changes: log.slice(0, query.revision).reverse().slice(0, query.limit), reached: 0 };
  },
} as unknown as World;

test('a chain of many batches leads back to its user, and says what it leaves out', () => {
  const { steps, ends } = chainOf(world, BATCHES + 1);
  expect(steps.map(({ revision, text }) => [revision, text])).toEqual([
    [1, 'jane created deployments/shop/web'],
    [2, 'replicaset-controller created pods/shop/web-1'],
    [41, 'replicaset-controller created pods/shop/web-40, after 38 steps that are left out'],
  ]);
  expect(ends).toBe('');
});

test('one step that is left out is one', () =>
  expect(chainOf(world, 4).steps.at(-1)?.text).toMatch(/, after a step that is left out$/));

test.each<[object, string]>([
  [{ ended: 'beginning', template: 'default' }, 'it is part of the cluster as it was created (template default)'],
  [{ ended: 'beginning' }, 'it is part of the cluster as it was created'],
  [{ ended: 'retention' }, 'older changes are no longer retained'],
  [{ ended: 'budget' }, 'older changes were not looked through'],
  [{}, ''],
])('a chain that ends as %j says why', (end, text) => {
  const past = () => ({ changes: [], reached: 7, ...end });
  expect(chainOf({ kinds: () => [], past } as unknown as World, 7)).toEqual({ steps: [], ends: text });
});
