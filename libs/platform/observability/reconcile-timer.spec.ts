import { expect, test } from '@jest/globals';
import { timeReconciles } from './reconcile-timer.js';

test('a reconcile takes the time between its two calls', () => {
  const observed: [string, string, number][] = [];
  const observer = timeReconciles({ observeReconcile: (...args) => void observed.push(args) });
  for (const [controller, outcome, busyMs] of [
    ['deployment', 'ok', 30],
    ['job', 'error', 0],
  ] as const) {
    observer.started(controller, { namespace: '', name: 'a' }, 0, 0);
    for (const end = performance.now() + busyMs; performance.now() < end;);
    observer.finished(controller, outcome, 1, undefined);
  }
  expect(observed.map(([controller, outcome]) => [controller, outcome])).toEqual([
    ['deployment', 'ok'],
    ['job', 'error'],
  ]);
  expect(observed[0]![2]).toBeGreaterThanOrEqual(30);
  expect(observed[1]![2]).toBeLessThan(30);
});
