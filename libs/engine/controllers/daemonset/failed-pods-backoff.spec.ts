import { expect, test } from '@jest/globals';
import { MINUTE } from '../../machinery/time/time.js';
import { FailedPodsBackoff } from './failed-pods-backoff.js';

/** When pods that always fail at once are replaced. */
function replacements(backoff: FailedPodsBackoff, count: number): number[] {
  const times: number[] = [];
  for (let now = 0; times.length < count;) {
    const delay = backoff.delay('ds/node', now);
    if (delay === 0) times.push(now);
    now += delay;
  }
  return times;
}

test('a failed pod is replaced at once, the next after 1 s, and each after twice as long, at most 15 minutes', () => {
  const times = replacements(new FailedPodsBackoff(), 14);
  expect(times.slice(0, 5)).toEqual([0, 1_000, 3_000, 7_000, 15_000]);
  expect(times[13]! - times[12]!).toBe(15 * MINUTE);
});

test('each node has its own', () => {
  const backoff = new FailedPodsBackoff();
  expect([backoff.delay('ds/a', 0), backoff.delay('ds/a', 400), backoff.delay('ds/b', 400)]).toEqual([0, 600, 0]);
});

test('after half an hour without failures it begins anew', () => {
  const backoff = new FailedPodsBackoff();
  for (const now of [0, 1_000, 3_000]) expect(backoff.delay('ds/a', now)).toBe(0);
  const later = 3_001 + 30 * MINUTE;
  expect([backoff.delay('ds/a', later), backoff.delay('ds/a', later)]).toEqual([0, 1_000]);
});
