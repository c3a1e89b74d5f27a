import { expect, test } from '@jest/globals';
import type { Volume } from '../../../api/core_v1.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { configMap, pod, readerOf, secret } from '../testing.js';
import { findMountFailures } from './mount-failures.js';

const binary = { ...configMap('binary', { a: '1' }), binaryData: { raw: 'AA==' } } as unknown as KubeObject;
const claim = (name: string, phase: string, more: object = {}): KubeObject =>
  ({
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'shop', ...more },
    spec: phase === 'Bound' ? { volumeName: 'pv' } : {},
    status: { phase },
  }) as unknown as KubeObject;
const claims = [
  claim('data', 'Bound'),
  claim('waits', 'Pending'),
  claim('goes', 'Bound', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
];
const read = readerOf(configMap('settings', { color: 'blue' }), secret('keys', { token: 'eA==' }), binary, ...claims);
const unbound = (problem: string): string =>
  'Unable to attach or mount volumes: unmounted volumes=[v], unattached volumes=[], failed to process volumes=[v]: ' +
  `error processing PVC ${problem}`;

const setUp = (problem: string): string => `MountVolume.SetUp failed for volume "v" : ${problem}`;
const item = (key: string): { key: string; path: string } => ({ key, path: key });

test.each<[string, Omit<Volume, 'name'>, string | undefined]>([
  ['an emptyDir', { emptyDir: {} }, undefined],
  ['a ConfigMap', { configMap: { name: 'settings', items: [item('color')] } }, undefined],
  ['a missing ConfigMap', { configMap: { name: 'x' } }, setUp('configmap "x" not found')],
  ['a missing optional ConfigMap', { configMap: { name: 'x', optional: true } }, undefined],
  [
    'a missing key',
    { configMap: { name: 'settings', items: [item('color'), item('x')] } },
    setUp('configmap references non-existent config key: x'),
  ],
  [
    'a missing key behind a binary one',
    { configMap: { name: 'binary', items: [item('raw'), item('x')] } },
    setUp('configmap references non-existent config key: x'),
  ],
  ['a missing optional key', { configMap: { name: 'settings', items: [item('x')], optional: true } }, undefined],
  ['a Secret', { secret: { secretName: 'keys' } }, undefined],
  ['a missing Secret', { secret: { secretName: 'x' } }, setUp('secret "x" not found')],
  ['a missing optional Secret', { secret: { secretName: 'x', optional: true } }, undefined],
  [
    'a missing key of a Secret',
    { secret: { secretName: 'keys', items: [item('x')] } },
    setUp('references non-existent secret key: x'),
  ],
  [
    'a projected volume: its first fault',
    {
      projected: {
        sources: [{ configMap: { name: 'settings' } }, { secret: { name: 'x' } }, { configMap: { name: 'y' } }],
      },
    },
    setUp('secret "x" not found'),
  ],
  ['a claim', { persistentVolumeClaim: { claimName: 'data' } }, undefined],
  [
    'a missing claim',
    { persistentVolumeClaim: { claimName: 'x' } },
    unbound('shop/x: failed to fetch PVC from API server: persistentvolumeclaims "x" not found'),
  ],
  ['a claim that waits', { persistentVolumeClaim: { claimName: 'waits' } }, unbound('shop/waits: PVC is not bound')],
  ['a claim that goes', { persistentVolumeClaim: { claimName: 'goes' } }, unbound('shop/goes: PVC is being deleted')],
  [
    'an ephemeral volume whose claim is not made yet',
    { ephemeral: {} },
    unbound('shop/web-v: failed to fetch PVC from API server: persistentvolumeclaims "web-v" not found'),
  ],
])('%s', (_case, volume, expected) => {
  const failures = findMountFailures(pod({ volumes: [{ name: 'v', ...volume }] }), read);
  expect(failures).toEqual(expected === undefined ? [] : [expected]);
});

test('each volume is reported', () => {
  const volumes = [
    { name: 'a', configMap: { name: 'x' } },
    { name: 'b', secret: { secretName: 'y' } },
  ];
  expect(findMountFailures(pod({ volumes }), read)).toEqual([
    'MountVolume.SetUp failed for volume "a" : configmap "x" not found',
    'MountVolume.SetUp failed for volume "b" : secret "y" not found',
  ]);
});
