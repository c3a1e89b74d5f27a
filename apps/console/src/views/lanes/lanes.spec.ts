import { expect, test } from '@jest/globals';
import { Lanes, MAX_RUNS, placeInStrip } from './lanes.js';
import type { Reconcile } from './operations.generated.js';

const run = (controller: string, more: Partial<Reconcile> = {}): Reconcile => ({
  ...{
    controller,
    namespace: 'shop',
    name: 'web',
    at: 0,
    duration: 1,
    queued: 0,
    writes: 1,
    outcome: 'ok',
    requeueAfter: null,
  },
  ...more,
});

test('lanes stand in the order of the work, with their sums', () => {
  const lanes = new Lanes();
  lanes.tell([run('kubelet'), run('deployment', { queued: 3, writes: 2 }), run('zeta', { outcome: 'error' })], 4, 0);
  lanes.tell([run('deployment')], 0, 1);
  expect(lanes.all.map(({ name, total, writes, errors, queued }) => [name, total, writes, errors, queued])).toEqual([
    ['deployment', 2, 3, 0, 0],
    ['kubelet', 1, 1, 0, 0],
    ['zeta', 1, 1, 1, 0],
  ]);
  expect(lanes.dropped).toBe(4);
});

test('a day left open keeps no more than can be seen', () => {
  const lanes = new Lanes();
  for (let i = 0; i < 2_000; i++) lanes.tell([run('kubelet'), run(`c${i}`)], 0, i);
  expect(lanes.all.length).toBeLessThanOrEqual(60);
  expect(Math.max(...lanes.all.map(({ runs }) => runs.length))).toBe(MAX_RUNS);
});

test.each([
  [100, 1],
  [75, 0.75],
  [-1, undefined],
])('heard at %i', (heard, place) => expect(placeInStrip({ heard }, 100, 100)).toBe(place));
