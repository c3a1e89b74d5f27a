import { expect, test } from '@jest/globals';
import { activeDeadline } from './active-deadline.js';
import { NOW, pod, STAMP } from './testing.js';

test.each([
  ['no deadline', undefined, STAMP, undefined],
  ['begins now', 30, undefined, NOW + 30_000],
  ['counts from the start', 30, STAMP, NOW + 30_000],
])('%s', (_case, activeDeadlineSeconds, startTime, expected) => {
  expect(activeDeadline(pod({ activeDeadlineSeconds }, { startTime }), NOW)).toBe(expected);
});
