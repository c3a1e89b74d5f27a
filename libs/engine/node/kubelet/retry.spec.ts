import { expect, test } from '@jest/globals';
import { formatTime } from './pod/pod-runtime.js';
import { retryContainer } from './retry.js';
import { NOW } from './testing.js';

test.each([
  ['the first failure', {}, 1, 12_000],
  ['one of many', { failures: 23, step: 'creating' as const }, 24, 12_000],
  ['when the events are not let through any more', { failures: 24 }, 25, 300_000],
])('%s', (_, record, failures, after) => {
  const wakeAt = NOW + after;
  expect(retryContainer(record, NOW)).toEqual({ record: { failures, notBefore: formatTime(wakeAt) }, wakeAt });
});
