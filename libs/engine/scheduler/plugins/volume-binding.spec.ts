import { describe, expect, test } from '@jest/globals';
import type { Pod, Volume } from '../../api/core_v1.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { filterNodes, makeNode, makePod, readerOf, snapshotOf } from '../testing.js';
import { findUnboundClaims, volumeBinding } from './volume-binding.js';

const NODES = [makeNode('a'), makeNode('b')];
const claim = (fields: object, status: object = { phase: 'Pending' }): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default', uid: 'c1' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...fields },
    status,
  }) as unknown as KubeObject;
/** A volume of 1Gi that only node a reaches. */
const volume = (fields: object = {}): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'v1' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      storageClassName: 'local',
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['a'] }] }],
        },
      },
      ...fields,
    },
    status: { phase: 'Available' },
  }) as unknown as KubeObject;
const storageClass = (name: string, volumeBindingMode: string, provisioner: string): KubeObject =>
  ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner,
    volumeBindingMode,
  }) as never;
const LOCAL = storageClass('local', 'WaitForFirstConsumer', 'kubernetes.io/no-provisioner');
const LATE = storageClass('late', 'WaitForFirstConsumer', 'example.com/disk');
const IMMEDIATE = storageClass('fast', 'Immediate', 'example.com/disk');

const mounting = (...volumes: Partial<Volume>[]): Pod =>
  makePod({ volumes: volumes.map((v, i) => ({ name: `v${i}`, ...v })) });
const POD = mounting({ persistentVolumeClaim: { claimName: 'data' } });
const bound = { volumeName: 'v1', storageClassName: 'local' };

const SCRATCH = mounting({ ephemeral: { volumeClaimTemplate: { spec: {} } } } as Partial<Volume>);

test.each<[string, KubeObject[], string]>([
  [
    'that is not made yet',
    [],
    `waiting for ephemeral volume controller to create the persistentvolumeclaim "${SCRATCH.metadata.name}-v0"`,
  ],
  [
    'that was there before',
    [{ ...claim({}), metadata: { name: `${SCRATCH.metadata.name}-v0`, namespace: 'default' } }],
    `PVC default/${SCRATCH.metadata.name}-v0 was not created for pod default/${SCRATCH.metadata.name} (pod is not owner)`,
  ],
])('an ephemeral volume with a claim %s', (_case, objects, expected) => {
  expect(filterNodes(volumeBinding, SCRATCH, snapshotOf(NODES, [], objects))).toEqual(expected);
});

test.each<[string, KubeObject[], unknown]>([
  ['that does not exist', [], 'persistentvolumeclaim "data" not found'],
  [
    'that is being deleted',
    [{ ...claim({}), metadata: { name: 'data', namespace: 'default', deletionTimestamp: '2026-01-01T00:00:00Z' } }],
    'persistentvolumeclaim "data" is being deleted',
  ],
  [
    'that lost its volume',
    [claim({ volumeName: 'v1' }, { phase: 'Lost' })],
    'persistentvolumeclaim "data" bound to non-existent persistentvolume "v1"',
  ],
  [
    'that is to be bound at once',
    [claim({ storageClassName: 'fast' }), IMMEDIATE],
    'pod has unbound immediate PersistentVolumeClaims',
  ],
  [
    'of a volume on one node',
    [claim(bound, { phase: 'Bound' }), volume()],
    { b: "!node(s) didn't match PersistentVolume's node affinity" },
  ],
  ['of a volume on all nodes', [claim(bound, { phase: 'Bound' }), volume({ nodeAffinity: undefined })], {}],
  ['that waits, and can be provisioned', [claim({ storageClassName: 'late' }), LATE], {}],
  [
    'that is being provisioned for a node',
    [
      {
        ...claim({ storageClassName: 'late' }),
        metadata: {
          name: 'data',
          namespace: 'default',
          annotations: { 'volume.kubernetes.io/selected-node': 'b' },
        },
      },
      LATE,
    ],
    { a: "!node(s) didn't find available persistent volumes to bind" },
  ],
  [
    'that waits for a volume',
    [claim({ storageClassName: 'local' }), LOCAL, volume()],
    { b: "!node(s) didn't find available persistent volumes to bind" },
  ],
  [
    'that waits for a larger volume',
    [claim({ storageClassName: 'local', resources: { requests: { storage: '2Gi' } } }), LOCAL, volume()],
    {
      a: "!node(s) didn't find available persistent volumes to bind",
      b: "!node(s) didn't find available persistent volumes to bind",
    },
  ],
])('a pod with a claim %s', (_, objects, expected) =>
  expect(filterNodes(volumeBinding, POD, snapshotOf(NODES, [], objects))).toEqual(expected),
);

test('a pod without claims is skipped', () =>
  expect(filterNodes(volumeBinding, mounting({ emptyDir: {} }), snapshotOf(NODES))).toBe('Skip'));

test('each claim needs a volume of its own', () => {
  const second = {
    ...claim({ storageClassName: 'local' }),
    metadata: { name: 'more', namespace: 'default', uid: 'c2' },
  };
  const pod = mounting(
    { persistentVolumeClaim: { claimName: 'data' } },
    { persistentVolumeClaim: { claimName: 'more' } },
  );
  const objects = [claim({ storageClassName: 'local' }), second, LOCAL, volume()];
  const another = { ...volume(), metadata: { name: 'v2' } };
  const NONE = "!node(s) didn't find available persistent volumes to bind";
  expect(filterNodes(volumeBinding, pod, snapshotOf(NODES, [], objects))).toEqual({ a: NONE, b: NONE });
  expect(filterNodes(volumeBinding, pod, snapshotOf(NODES, [], [...objects, another]))).toEqual({ b: NONE });
});

describe('the claims of a pod', () => {
  test('are unbound until they have a volume', () => {
    const unbound = (object: KubeObject): unknown =>
      findUnboundClaims(POD, readerOf([object])).map((c) => c.metadata.name);
    expect([unbound(claim({})), unbound(claim(bound)), unbound(claim(bound, { phase: 'Bound' }))]).toEqual([
      ['data'],
      ['data'],
      [],
    ]);
  });
});
