import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import { node, pod } from '../testing.js';
import { availableMemory, evictionMessage, rankMemoryPressure, type MemoryUsage } from './memory.js';

const MIB = 1024 * 1024;
const podNamed = (name: string, request = '', priority = 0): Pod =>
  pod(
    {
      containers: [{ name: 'c', image: 'x', ...(request ? { resources: { requests: { memory: request } } } : {}) }],
      priority,
    },
    {},
    { name },
  );
const using = (one: Pod, mebibytes: number): MemoryUsage => ({
  pod: one,
  containers: new Map([['c', mebibytes * MIB]]),
});

test.each([
  ['8Gi', [1_000], 8_192 - 600 - 1_000],
  ['8Gi', [4_000, 3_000], 592],
  ['1Gi', [2_000], 0],
])('of %s, with pods of %p MiB, %d MiB are left', (memory, pods, left) => {
  const usages = pods.map((used, i) => using(podNamed(`p${i}`), used));
  expect(availableMemory(node({ capacity: { memory } }), usages)).toBe(left * MIB);
});

describe('evicted first is', () => {
  test.each<[string, MemoryUsage[], string]>([
    [
      'one that uses more than it requests',
      [using(podNamed('modest', '4Gi', 0), 3_000), using(podNamed('greedy', '1Gi', 10), 1_100)],
      'greedy,modest',
    ],
    [
      'then the less important',
      [using(podNamed('high', '', 10), 3_000), using(podNamed('low', '', 5), 1_000)],
      'low,high',
    ],
    [
      'then the one that is further above its request',
      [using(podNamed('near', '3Gi'), 3_100), using(podNamed('far', '100Mi'), 1_000)],
      'far,near',
    ],
  ])('%s', (_, usages, order) =>
    expect(
      rankMemoryPressure(usages)
        .map(({ pod: { metadata } }) => metadata.name)
        .join(),
    ).toBe(order),
  );
});

test.each<[string, MemoryUsage, number, string]>([
  [
    'without a request',
    using(podNamed('p'), 7_000),
    73_617_408,
    'The node was low on resource: memory. Threshold quantity: 100Mi, available: 71892Ki. Container c was using 7000Mi, request is 0, has larger consumption of memory. ',
  ],
  [
    'above its request',
    using(podNamed('p', '1024Mi'), 2_048),
    0,
    'The node was low on resource: memory. Threshold quantity: 100Mi, available: 0. Container c was using 2Gi, request is 1Gi, has larger consumption of memory. ',
  ],
  [
    'within its request',
    using(podNamed('p', '3Gi'), 2_048),
    1,
    'The node was low on resource: memory. Threshold quantity: 100Mi, available: 1. ',
  ],
])('of a pod %s it says', (_, usage, available, message) => expect(evictionMessage(usage, available)).toBe(message));
