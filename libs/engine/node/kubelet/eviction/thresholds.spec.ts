import { expect, test } from '@jest/globals';
import type { KubeletConfiguration } from '../../../kinds/terrarium/noderuntime/kind.js';
import { conditionOf, isMet, nameOf, parseThresholds, quantityOf, starvedBy, thresholdsOf } from './thresholds.js';

const GIB = 1024 ** 3;

test('a kubelet that was told nothing has upstream’s thresholds', () => {
  expect(thresholdsOf({}).map((one) => [one.signal, one.value.quantity ?? one.value.share, one.graceMs])).toEqual([
    ['memory.available', '100Mi', 0],
    ['nodefs.available', Math.fround(0.1), 0],
    ['nodefs.inodesFree', Math.fround(0.05), 0],
    ['imagefs.available', Math.fround(0.15), 0],
    ['imagefs.inodesFree', Math.fround(0.05), 0],
  ]);
});

test.each<[string, KubeletConfiguration, string[]]>([
  ['what is named replaces the defaults', { evictionHard: { 'pid.available': '10%' } }, ['pid.available']],
  [
    'unless they are merged',
    { evictionHard: { 'nodefs.available': '20%' }, mergeDefaultEvictionSettings: true },
    ['memory.available', 'nodefs.available', 'nodefs.inodesFree', 'imagefs.available', 'imagefs.inodesFree'],
  ],
  ['0% and 100% switch one off', { evictionHard: { 'nodefs.available': '0%', 'imagefs.available': '100%' } }, []],
  [
    'a soft one has its own name',
    {
      evictionHard: {},
      evictionSoft: { 'memory.available': '1Gi' },
      evictionSoftGracePeriod: { 'memory.available': '1m30s' },
    },
    ['soft:memory.available'],
  ],
  ['containerfs is no file system of its own', { evictionHard: { 'containerfs.available': '10%' } }, []],
])('%s', (_, config, names) => expect(thresholdsOf(config).map(nameOf)).toEqual(names));

test.each<[KubeletConfiguration, string]>([
  [{ evictionHard: { 'disk.free': '5%' } }, 'unsupported eviction signal disk.free'],
  [
    { evictionSoft: { 'memory.available': '1Gi' } },
    'grace period must be specified for the soft eviction threshold memory.available',
  ],
  [
    { evictionSoft: { 'memory.available': '1Gi' }, evictionSoftGracePeriod: { 'memory.available': '-1s' } },
    'invalid eviction grace period specified: -1s, must be a positive value',
  ],
  [
    { evictionHard: { 'memory.available': '-5%' } },
    'eviction percentage threshold memory.available must be >= 0%: -5%',
  ],
  [
    { evictionHard: { 'memory.available': '101%' } },
    'eviction percentage threshold memory.available must be <= 100%: 101%',
  ],
  [{ evictionHard: { 'memory.available': '0' } }, 'eviction threshold memory.available must be positive: 0'],
  [
    { evictionMinimumReclaim: { 'memory.available': '0%' } },
    'eviction percentage minimum reclaim memory.available must be positive: 0%',
  ],
])('%j is refused', (config, failure) => expect(parseThresholds(config)).toEqual({ failure }));

test('a threshold is met below it, and until its minimum was reclaimed', () => {
  const [one] = thresholdsOf({
    evictionHard: { 'nodefs.available': '10%' },
    evictionMinimumReclaim: { 'nodefs.available': '1Gi' },
  });
  const left = (available: number): Parameters<typeof isMet>[1] => ({
    'nodefs.available': { capacity: 100 * GIB, available },
  });
  expect([9, 10.5, 12].map((gib) => isMet(one!, left(gib * GIB)))).toEqual([true, false, false]);
  expect([9, 10.5, 12].map((gib) => isMet(one!, left(gib * GIB), true))).toEqual([true, true, false]);
  expect(isMet(one!, {})).toBe(false);
  expect(quantityOf({ share: Math.fround(0.1) }, 1_000)).toBe(100);
});

test.each([
  ['memory.available', 'memory', 'MemoryPressure'],
  ['imagefs.available', 'ephemeral-storage', 'DiskPressure'],
  ['nodefs.inodesFree', 'inodes', 'DiskPressure'],
  ['pid.available', 'pids', 'PIDPressure'],
] as const)('%s is about %s, and %s', (signal, starved, condition) =>
  expect([starvedBy(signal), conditionOf(signal)]).toEqual([starved, condition]),
);
