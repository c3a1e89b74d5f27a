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

/** Two components that wake each other, for a StatefulSet that jane has made and john has scaled. */
test('a chain that is too long leads to what was asked last', () => {
  const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db', namespace: 'shop', uid: 'u' } };
  const set = { group: 'apps', version: 'v1', kind: 'StatefulSet', plural: 'statefulsets', singular: 'statefulset' };
  const pods = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', singular: 'pod', scope: 'Namespaced' };
  const metadata = {
    name: 'db-0',
    namespace: 'shop',
    ownerReferences: [{ ...owner, ...owner.metadata, controller: true }],
  };
  const base = { at: 0, verb: 'update' as const, namespace: 'shop', fields: ['spec'] };
  const john = { ...base, revision: 9, cause: 0, actor: 'john', resource: 'statefulsets.apps', name: 'db' };
  const long = (revision: number): PastChange => ({
    ...{ ...base, revision, cause: revision - 1, fields: ['status'], resource: 'pods', name: `db-0` },
    actor: revision % 2 ? 'system:node:a' : 'system:kube-scheduler',
  });
  const past = ({ type, ...query }: HistoryQuery) => {
    if (type === 'search') return { changes: [john], reached: 0 };
    const { revision, limit } = query as { revision: number; limit: number };
    return {
      changes: revision === 9 ? [john] : Array.from({ length: limit }, (_, i) => long(revision - i)),
      reached: 1,
    };
  };
  const read = { get: ({ kind }: { kind: string }) => (kind === 'Pod' ? { kind: 'Pod', metadata } : owner) };
  const kinds = () => [set, { ...pods }].map((kind) => ({ scope: 'Namespaced', ...kind }));
  const { steps, ends } = chainOf({ kinds, past, read } as unknown as World, 1_000);
  expect([steps[0]?.text, ends]).toEqual(['john changed statefulset/shop/db (spec)', '']);
  expect(steps[1]?.text).toMatch(/, after many steps that are left out$/);
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
