import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import { pod } from '../testing.js';
import { evictionMessage, rankPods, type PodUsage } from './ranking.js';
import { thresholdsOf, type Observations, type Starved } from './thresholds.js';

const MIB = 1024 * 1024;
const podNamed = (name: string, requests: Record<string, string> = {}, priority = 0): Pod =>
  pod({ containers: [{ name: 'c', image: 'x', resources: { requests } }], priority }, {}, { name });
const using = (
  one: Pod,
  mebibytes: number,
  more: { disk?: number; volume?: number; processes?: number } = {},
): PodUsage => ({
  pod: one,
  measure: {
    containers: new Map([
      ['c', { memory: mebibytes * MIB, cpuMs: 0, cpuRate: 0, logBytes: 0, disk: (more.disk ?? 0) * MIB, inodes: 1 }],
    ]),
    volumes: new Map([['v', { disk: (more.volume ?? 0) * MIB, inodes: 1 }]]),
    processes: more.processes ?? 1,
  },
});

describe('evicted first is', () => {
  test.each<[string, Starved, PodUsage[], string]>([
    [
      'one that uses more than it requests',
      'memory',
      [using(podNamed('modest', { memory: '4Gi' }, 0), 3_000), using(podNamed('greedy', { memory: '1Gi' }, 10), 1_100)],
      'greedy,modest',
    ],
    [
      'then the less important',
      'memory',
      [using(podNamed('high', {}, 10), 3_000), using(podNamed('low', {}, 5), 1_000)],
      'low,high',
    ],
    [
      'then the one that is further above its request',
      'memory',
      [using(podNamed('near', { memory: '3Gi' }), 3_100), using(podNamed('far', { memory: '100Mi' }), 1_000)],
      'far,near',
    ],
    [
      'of disk, its volumes with it',
      'ephemeral-storage',
      [using(podNamed('layer'), 9_000, { disk: 100 }), using(podNamed('volume'), 0, { disk: 10, volume: 500 })],
      'volume,layer',
    ],
    [
      'of processes, the less important before the one with more of them',
      'pids',
      [
        using(podNamed('many', {}, 5), 0, { processes: 900 }),
        using(podNamed('few'), 0, { processes: 3 }),
        using(podNamed('some'), 0, { processes: 30 }),
      ],
      'some,few,many',
    ],
    ['never one that uses nothing', 'memory', [{ pod: podNamed('idle') }, using(podNamed('busy'), 10)], 'busy,idle'],
  ])('%s', (_, starved, usages, order) =>
    expect(
      rankPods(usages, starved)
        .map(({ pod: { metadata } }) => metadata.name)
        .join(),
    ).toBe(order),
  );
});

const CONFIG = {
  evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '10%', 'pid.available': '100k' },
};
const LOW = 'The node was low on resource:';

test.each<[string, PodUsage, Starved, Observations, string]>([
  [
    'without a request',
    using(podNamed('p'), 7_000),
    'memory',
    { 'memory.available': { capacity: 8_192 * MIB, available: 73_617_408 } },
    `${LOW} memory. Threshold quantity: 100Mi, available: 71892Ki. Container c was using 7000Mi, request is 0, has larger consumption of memory. `,
  ],
  [
    'above its request',
    using(podNamed('p', { memory: '1024Mi' }), 2_048),
    'memory',
    { 'memory.available': { capacity: 8_192 * MIB, available: 0 } },
    `${LOW} memory. Threshold quantity: 100Mi, available: 0. Container c was using 2Gi, request is 1Gi, has larger consumption of memory. `,
  ],
  [
    'within its request',
    using(podNamed('p', { memory: '3Gi' }), 2_048),
    'memory',
    { 'memory.available': { capacity: 8_192 * MIB, available: 1 } },
    `${LOW} memory. Threshold quantity: 100Mi, available: 1. `,
  ],
  [
    'that has written much',
    using(podNamed('p'), 1, { disk: 2_048 }),
    'ephemeral-storage',
    { 'nodefs.available': { capacity: 100_000 * MIB, available: 5_000 * MIB } },
    `${LOW} ephemeral-storage. Threshold quantity: 10485760156, available: 5000Mi. Container c was using 2Gi, request is 0, has larger consumption of ephemeral-storage. `,
  ],
  [
    'with many processes',
    using(podNamed('p'), 1),
    'pids',
    { 'pid.available': { capacity: 4_194_304, available: 2_000 } },
    `${LOW} pids. Threshold quantity: 100k, available: 2k. `,
  ],
])('of a pod %s it says', (_, usage, starved, observations, message) =>
  expect(evictionMessage(usage, starved, thresholdsOf(CONFIG), observations)).toBe(message),
);
