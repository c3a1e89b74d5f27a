import { describe, expect, test } from '@jest/globals';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../api/core_v1.js';
import { make } from '../../testing.js';
import { kind as PersistentVolumeClaims } from '../persistentvolumeclaim/kind.js';
import { kind as PersistentVolumes } from './kind.js';
import { findVolume, isVolumeBoundToClaim } from './matching.js';

const claim: PersistentVolumeClaim = make(PersistentVolumeClaims, {
  metadata: { name: 'c', namespace: 'default', uid: 'u1' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
});
const volume = (name: string, spec: object = {}, fields: object = {}): PersistentVolume =>
  make(PersistentVolumes, {
    metadata: { name },
    spec: { capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
    status: { phase: 'Available' },
    ...fields,
  });

describe('findVolume', () => {
  test.each<[string, PersistentVolume[], string | undefined]>([
    ['none', [], undefined],
    [
      'the smallest that is large enough',
      [
        volume('l', { capacity: { storage: '9Gi' } }),
        volume('m', { capacity: { storage: '3Gi' } }),
        volume('s', { capacity: { storage: '1Gi' } }),
      ],
      'm',
    ],
    [
      'the one that is reserved, though larger',
      [volume('s'), volume('l', { capacity: { storage: '9Gi' }, claimRef: { namespace: 'default', name: 'c' } })],
      'l',
    ],
    ['none that is reserved for another', [volume('a', { claimRef: { namespace: 'default', name: 'd' } })], undefined],
    ['none of another class', [volume('a', { storageClassName: 'fast' })], undefined],
    ['none of another mode', [volume('a', { volumeMode: 'Block' })], undefined],
    ['none that cannot be mounted so', [volume('a', { accessModes: ['ReadOnlyMany'] })], undefined],
    ['none that is not available', [volume('a', {}, { status: { phase: 'Released' } })], undefined],
    [
      'none that is being deleted',
      [volume('a', {}, { metadata: { name: 'a', deletionTimestamp: '2026-01-01T12:00:00Z' } })],
      undefined,
    ],
  ])('%s', (_, volumes, name) => expect(findVolume(claim, volumes)?.metadata.name).toBe(name));

  test('a selector chooses by labels', () => {
    const labelled = volume('b', {}, { metadata: { name: 'b', labels: { tier: 'gold' } } });
    const selective = { ...claim, spec: { ...claim.spec, selector: { matchLabels: { tier: 'gold' } } } };
    expect(findVolume(selective, [volume('a'), labelled])?.metadata.name).toBe('b');
  });
});

test.each<[object, boolean]>([
  [{ namespace: 'default', name: 'c' }, true],
  [{ namespace: 'default', name: 'c', uid: 'u1' }, true],
  [{ namespace: 'default', name: 'c', uid: 'u2' }, false],
  [{ namespace: 'shop', name: 'c' }, false],
])('a volume for %j is for the claim: %s', (claimRef, expected) =>
  expect(isVolumeBoundToClaim(volume('a', { claimRef }), claim)).toBe(expected),
);
