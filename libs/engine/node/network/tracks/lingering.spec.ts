import { expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import { lingers } from './lingering.js';

const END = '2026-01-01T12:00:00Z';
const podOf = (phase: string, finishedAt?: string): Pod =>
  ({
    metadata: { name: 'p' },
    status: { phase, containerStatuses: [{ name: 'c', state: finishedAt ? { terminated: { finishedAt } } : {} }] },
  }) as unknown as Pod;

test.each([
  ['Succeeded', END, 1_900, true],
  ['Failed', END, 2_999, true],
  ['Succeeded', END, 3_000, false],
  ['Running', END, 0, false],
  ['Failed', undefined, 0, false],
])('%s at %s, %i ms later: %p', (phase, finishedAt, after, expected) => {
  expect(lingers(podOf(phase, finishedAt), Date.parse(END) + after)).toBe(expected);
});
