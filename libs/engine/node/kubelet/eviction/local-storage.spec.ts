import { expect, test } from '@jest/globals';
import type { Pod, PodSpec } from '../../../api/core_v1.js';
import { findStorageEviction, hasStorageLimits, nextMonitoring } from './local-storage.js';

const MI = 2 ** 20;
const container = (name: string, limit?: string) => ({
  name,
  resources: limit === undefined ? {} : { limits: { 'ephemeral-storage': limit } },
});
const podOf = (spec: Partial<PodSpec>, annotations = {}): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { annotations },
    spec: { containers: [container('a')], ...spec },
  }) as Pod;
const emptyDir = (sizeLimit?: string, medium?: string) => [{ name: 'v', emptyDir: { sizeLimit, medium } }];
const limited = { containers: [container('a', '2Mi'), container('b', '3Mi')] };

test.each<[string, Partial<PodSpec>, Record<string, number>, string | undefined]>([
  ['a volume within its limit', { volumes: emptyDir('1Mi') }, { v: MI }, undefined],
  [
    'a volume beyond it',
    { volumes: emptyDir('1024Ki') },
    { v: MI + 1 },
    'Usage of EmptyDir volume "v" exceeds the limit "1Mi". ',
  ],
  ['a volume in memory', { volumes: emptyDir('1Mi', 'Memory') }, { v: 2 * MI }, undefined],
  ['no limits', { volumes: emptyDir() }, { v: 900 * MI, a: 900 * MI }, undefined],
  [
    'a container beyond its own',
    limited,
    { a: 3 * MI },
    'Container a exceeded its local ephemeral storage limit "2Mi". ',
  ],
  [
    ...(['a pod beyond the sum', { ...limited, volumes: emptyDir() }, { v: 4 * MI, a: 2 * MI }] as const),
    'Pod ephemeral local storage usage exceeds the total limit of containers 5Mi. ',
  ],
  ['a critical pod', { volumes: emptyDir('1Mi'), priority: 2_000_001_000 }, { v: 9 * MI }, undefined],
])('%s', (_name, spec, used, message) => {
  const of = (name: string): number => used[name] ?? 0;
  const found = findStorageEviction(podOf(spec), { volume: of, container: of });
  expect(found).toEqual(message && { reason: 'Evicted', message });
});

test('a static pod is not evicted', () => {
  const pod = podOf({ volumes: emptyDir('1Mi') }, { 'kubernetes.io/config.mirror': 'x' });
  expect(findStorageEviction(pod, { volume: () => 9 * MI, container: () => 0 })).toBeUndefined();
});

test.each<[Partial<PodSpec>, boolean]>([
  [{}, false],
  [{ volumes: emptyDir() }, false],
  [{ volumes: emptyDir('1Mi', 'Memory') }, false],
  [{ volumes: emptyDir('1Mi') }, true],
  [limited, true],
])('%j is measured: %s', (spec, expected) => {
  expect(hasStorageLimits(podOf(spec))).toBe(expected);
});

test('it is measured every ten seconds', () => {
  expect([0, 1, 9_999, 10_000].map(nextMonitoring)).toEqual([0, 10_000, 10_000, 10_000]);
});
