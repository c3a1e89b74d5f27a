import { describe, expect, test } from '@jest/globals';
import type { PersistentVolume } from '../../../api/core_v1.js';
import { AGE, context, create, make, row, updateErrors } from '../../testing.js';
import { kind } from './kind.js';

const hostPath = { path: '/data' };

test('a volume is kept, holds a file system, and is pending', () =>
  expect(create(kind, { spec: { hostPath } })).toMatchObject({
    spec: { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem', hostPath: { path: '/data', type: '' } },
    status: { phase: 'Pending', lastPhaseTransitionTime: '2026-01-01T12:00:00Z' },
  }));

test.each<[string, object, string | undefined]>([
  ['a new phase', { phase: 'Available', lastPhaseTransitionTime: '2026-01-01T11:00:00Z' }, '2026-01-01T12:00:00Z'],
  [
    'a new phase with a time',
    { phase: 'Available', lastPhaseTransitionTime: '2026-01-01T11:30:00Z' },
    '2026-01-01T11:30:00Z',
  ],
  ['the same phase', { phase: 'Pending', lastPhaseTransitionTime: '2026-01-01T11:00:00Z' }, '2026-01-01T11:00:00Z'],
])('a status with %s', (_, status, time) => {
  const old: PersistentVolume = make(kind, {
    status: { phase: 'Pending', lastPhaseTransitionTime: '2026-01-01T11:00:00Z' },
  });
  const draft: PersistentVolume = make(kind, { status });
  kind.prepareForStatusUpdate!(draft, old, context);
  expect(draft.status.lastPhaseTransitionTime).toBe(time);
});

describe('an update', () => {
  const spec = { hostPath, accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } };
  const csi = { driver: 'example.com', volumeHandle: 'v' };
  const nodeAffinity = {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] },
  };
  test.each<[string, object, object, string[]]>([
    ['of the capacity', spec, { ...spec, capacity: { storage: '2Gi' } }, []],
    [
      'that adds the secret for growing',
      { csi },
      { csi: { ...csi, controllerExpandSecretRef: { name: 's', namespace: 'n' } } },
      [],
    ],
    [
      'of the volume mode',
      spec,
      { ...spec, volumeMode: 'Block' },
      ['volumeMode: Invalid value: "Block": field is immutable'],
    ],
    [
      'of the nodes',
      { ...spec, nodeAffinity },
      spec,
      ['nodeAffinity: Invalid value: null: field is immutable, except for updating from beta label to GA'],
    ],
    [
      'that drops the attributes class',
      { csi, volumeAttributesClassName: 'gold' },
      { csi },
      ['spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden'],
    ],
  ])('%s', (_, before, after, errors) => expect(updateErrors(kind, { spec: before }, { spec: after })).toEqual(errors));
  test('of the source is shown as a diff', () => {
    const [error] = updateErrors(kind, { spec }, { spec: { ...spec, hostPath: { path: '/other' } } });
    expect(error).toMatch(
      /^spec\.persistentvolumesource: Forbidden: spec\.persistentvolumesource is immutable after creation\n/,
    );
    expect(error!.split('\n').filter((line) => /^[-+]/.test(line))).toEqual([
      '-  "Path": "/data",',
      '+  "Path": "/other",',
    ]);
  });
});

test.each<[Record<string, unknown>, Record<string, unknown>]>([
  [
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { namespace: 'default', name: 'c' },
      },
      status: { phase: 'Bound' },
    },
    {
      Name: 'a',
      Capacity: '1Gi',
      'Access Modes': 'RWO,RWX',
      'Reclaim Policy': 'Retain',
      Status: 'Bound',
      Claim: 'default/c',
      StorageClass: '',
      VolumeAttributesClass: '<unset>',
      Reason: '',
      Age: AGE,
      VolumeMode: '<unset>',
    },
  ],
  [
    {
      metadata: { deletionTimestamp: '2026-01-01T12:00:00Z' },
      spec: { storageClassName: 'standard', volumeAttributesClassName: 'gold', volumeMode: 'Block' },
      status: { phase: 'Failed', reason: 'RecyclerFailed' },
    },
    {
      Name: 'a',
      Capacity: '0',
      'Access Modes': '',
      'Reclaim Policy': '',
      Status: 'Terminating',
      Claim: '',
      StorageClass: 'standard',
      VolumeAttributesClass: 'gold',
      Reason: 'RecyclerFailed',
      Age: AGE,
      VolumeMode: 'Block',
    },
  ],
])('a row of %j', (fields, cells) => expect(row(kind, make(kind, fields))).toEqual(cells));
