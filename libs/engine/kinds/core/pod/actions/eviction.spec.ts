import { expect, test } from '@jest/globals';
import type { Pod } from '../../../../api/core_v1.js';
import type { PodDisruptionBudget } from '../../../../api/policy_v1.js';
import { makePod } from '../testing.js';
import { runAction } from './testing.js';

const running: Pod['status'] = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
const labels = { app: 'web' };
const evict = (status: Pod['status'], budgets: readonly PodDisruptionBudget[] = [], body: object = {}) =>
  runAction('eviction', 'create', makePod({}, status, { labels }), body, budgets);
const budget = (status: object, spec: object = {}): PodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'b', namespace: 'default', generation: 1 },
  spec: { selector: { matchLabels: labels }, ...spec },
  status: {
    disruptionsAllowed: 0,
    currentHealthy: 2,
    desiredHealthy: 2,
    expectedPods: 2,
    observedGeneration: 1,
    ...status,
  },
});
const VIOLATES = "Cannot evict pod as it would violate the pod's disruption budget.";

test('deletes a pod that no budget covers', () => {
  expect(evict(running)).toMatchObject({ deleted: 1, budgets: [] });
  expect(evict(running, [budget({}, { selector: { matchLabels: { app: 'shop' } } })])).toMatchObject({ deleted: 1 });
});

test('spends a disruption', () => {
  const { budgets, stored, deleted } = evict(running, [budget({ disruptionsAllowed: 1 })]);
  expect(budgets[0]!.status).toMatchObject({ disruptionsAllowed: 0, disruptedPods: { web: '2026-01-01T12:00:00Z' } });
  expect(stored!.status.conditions!.at(-1)).toEqual({
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
    lastTransitionTime: '2026-01-01T12:00:00Z',
  });
  expect(deleted).toBe(1);
});

test.each<[string, object, string]>([
  ['without one left', {}, 'The disruption budget b needs 2 healthy pods and has 2 currently'],
  [
    'before the controller has seen the budget',
    { observedGeneration: 0, disruptionsAllowed: 1 },
    'The disruption budget b is still being processed by the server.',
  ],
  ['with fewer than none', { disruptionsAllowed: -1 }, 'pdb disruptions allowed is negative'],
  [
    'with too many that the controller has not confirmed',
    {
      disruptionsAllowed: 1,
      disruptedPods: Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`pod-${i}`, '2026-01-01T12:00:00Z'])),
    },
    'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
  ],
])('is refused %s', (_, status, message) => {
  const { error, deleted } = evict(running, [budget(status)]);
  expect(error).toMatchObject({ code: 429, reason: 'TooManyRequests', message: VIOLATES });
  expect(error!.details!.causes).toEqual([{ reason: 'DisruptionBudget', message }]);
  expect(deleted).toBe(0);
});

test('tried out, asks the budget and writes nothing', () => {
  const dryRun = { deleteOptions: { dryRun: ['All'] } };
  expect(evict(running, [budget({ disruptionsAllowed: 1 })], dryRun)).toEqual({ budgets: [], deleted: 1 });
  expect(evict(running, [budget({})], dryRun).error).toMatchObject({ code: 429 });
});

test.each<[string, Pod['status']]>([
  ['is pending', { phase: 'Pending' }],
  ['has ended', { phase: 'Succeeded' }],
])('of a pod that %s needs no disruption', (_, status) =>
  expect(evict(status, [budget({})])).toMatchObject({ deleted: 1, budgets: [] }),
);

test.each<[string, object, object, number]>([
  ['enough others are healthy', {}, {}, 1],
  ['too few others are healthy', { currentHealthy: 1 }, {}, 0],
  [
    'too few others are healthy, and the budget does not mind',
    { currentHealthy: 1 },
    { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    1,
  ],
])('a pod that is not ready may go: %s', (_, status, spec, deleted) =>
  expect(evict({ phase: 'Running' }, [budget(status, spec)]).deleted).toBe(deleted),
);

test('two budgets are one too many', () =>
  expect(evict(running, [budget({}), budget({})]).error).toMatchObject({
    code: 500,
    message: expect.stringContaining(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    ) as unknown as string,
  }));
