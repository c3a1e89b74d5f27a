import { describe, expect, test } from '@jest/globals';
import { AGE, create, make, row } from '../../testing.js';
import { kind } from './kind.js';

test('a claim is for a file system, and pending', () =>
  expect(create(kind, { status: { phase: 'Bound', capacity: { storage: '1Gi' } } })).toMatchObject({
    spec: { volumeMode: 'Filesystem', resources: {} },
    status: { phase: 'Pending' },
  }));

describe('the sources', () => {
  const claim = { kind: 'PersistentVolumeClaim', name: 'c' };
  const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' };
  const backup = { apiGroup: 'example.com', kind: 'Backup', name: 'b' };
  test.each<[string, object, object]>([
    ['a claim is in both fields', { dataSource: claim }, { dataSource: claim, dataSourceRef: claim }],
    ['a snapshot is in both fields', { dataSource: snapshot }, { dataSource: snapshot, dataSourceRef: snapshot }],
    ['anything else needs the new field', { dataSource: backup }, {}],
    ['the new field is also the old one', { dataSourceRef: backup }, { dataSource: backup, dataSourceRef: backup }],
    ["another namespace's is dropped: its gate is off", { dataSourceRef: { ...claim, namespace: 'shop' } }, {}],
  ])('%s', (_, spec, { dataSource, dataSourceRef }: { dataSource?: object; dataSourceRef?: object }) => {
    const draft = create(kind, { spec });
    expect([draft.spec.dataSource, draft.spec.dataSourceRef]).toEqual([dataSource, dataSourceRef]);
  });
});

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  [
    'a bound claim',
    {
      spec: { volumeName: 'pv', storageClassName: 'standard', volumeMode: 'Filesystem' },
      status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] },
    },
    {
      Name: 'a',
      Status: 'Bound',
      Volume: 'pv',
      Capacity: '1Gi',
      'Access Modes': 'RWO',
      StorageClass: 'standard',
      VolumeAttributesClass: '<unset>',
      Age: AGE,
      VolumeMode: 'Filesystem',
    },
  ],
  [
    'a claim that is being deleted before it was bound',
    {
      metadata: {
        deletionTimestamp: '2026-01-01T12:00:00Z',
        annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' },
      },
      spec: { storageClassName: 'standard' },
      status: { phase: 'Pending', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] },
    },
    {
      Name: 'a',
      Status: 'Terminating',
      Volume: '',
      Capacity: '',
      'Access Modes': '',
      StorageClass: 'old',
      VolumeAttributesClass: '<unset>',
      Age: AGE,
      VolumeMode: '<unset>',
    },
  ],
])('a row of %s', (_, fields, cells) => expect(row(kind, make(kind, fields))).toEqual(cells));
