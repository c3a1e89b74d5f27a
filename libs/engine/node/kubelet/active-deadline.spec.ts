import { expect, test } from '@jest/globals';
import { activeDeadline } from './active-deadline.js';
import { NOW, pod, STAMP } from './testing.js';

test.each([
  ['no deadline', undefined, STAMP, undefined],
  ['not started yet', 30, undefined, undefined],
  ['counts from the start', 30, STAMP, NOW + 30_000],
])('%s', (_case, activeDeadlineSeconds, startTime, expected) => {
  expect(activeDeadline(pod({ activeDeadlineSeconds }, { startTime }))).toBe(expected);
});
