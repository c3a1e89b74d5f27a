import { expect, test } from '@jest/globals';
import { formatTime } from './pod/pod-runtime.js';
import { retryContainer, tellOfBackOff, withoutTelling } from './retry.js';
import { delays, NOW } from './testing.js';

test.each([
  ['the first failure', {}, 1, 12_000],
  ['one of many', { failures: 23, step: 'creating' as const }, 24, 12_000],
  ['when the events are not let through any more', { failures: 24 }, 25, 300_000],
])('%s', (_, record, failures, after) => {
  const wakeAt = NOW + after;
  expect(retryContainer(record, NOW)).toEqual({ record: { failures, notBefore: formatTime(wakeAt) }, wakeAt });
});

test.each([
  ['the first time', {}, true, 1, 15_000],
  ['before the next sync', { told: 1, tellAt: formatTime(NOW + 1) }, false, 1, 1],
  ['the last time that the recorder lets through', { told: 24 }, true, 25, 300_000],
])('a back-off is told of %s', (_, record, isTold, told, after) => {
  const telling = tellOfBackOff(record, delays, NOW);
  expect([telling.isTold, telling.record.told, telling.wakeAt]).toEqual([isTold, told, NOW + after]);
});

test.each([
  [{ told: 3, tellAt: 'x' }, { told: 3 }],
  [
    { told: 25, tellAt: 'x' },
    { told: 25, tellAt: 'x' },
  ],
])('after another run %j is %j', (record, expected) => expect(withoutTelling(record)).toEqual(expected));
