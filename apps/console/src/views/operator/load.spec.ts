import { expect, test } from '@jest/globals';
import { lineOf, sampleOf, type ServiceLoad } from './load.js';

const load = (at: number, part: Partial<ServiceLoad> = {}): ServiceLoad => ({
  ...{ at: new Date(at * 1_000).toISOString(), tasks: {}, warmClusters: 3, warmBytes: 0, listeners: 2 },
  ...{ openRequests: 1, requests: 100, refused: 0, changes: 10, cpuSeconds: 5, residentBytes: 0 },
  ...part,
});

test('counters become rates, the rest is what it is', () =>
  expect(
    sampleOf(load(0), load(2, { requests: 120, changes: 11, cpuSeconds: 6, tasks: { waiting: 4, active: 2 } })),
  ).toEqual({ cpu: 50, waiting: 4, active: 2, warm: 3, requests: 10, changes: 0.5, open: 3, refused: 0 }));

test.each<[string, ServiceLoad]>([
  ['the same moment', load(0)],
  ['another process', load(2, { cpuSeconds: 1 })],
  ['one that has begun anew', load(2, { cpuSeconds: 6, requests: 3 })],
])('%s gives nothing', (_, now) => expect(sampleOf(load(0), now)).toBeUndefined());

test.each<[number[], string]>([
  [[0, 0], '0.0,10.0 50.0,10.0'],
  [[0, 4, 2], '0.0,10.0 50.0,0.0 100.0,5.0'],
  [[], ''],
])('%p is the line %p', (values, line) => expect(lineOf(values, 3, 100, 10)).toBe(line));
