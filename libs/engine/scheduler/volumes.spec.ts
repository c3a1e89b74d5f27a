import { expect, test } from '@jest/globals';
import type { PersistentVolume, PersistentVolumeClaim } from '../api/core_v1.js';
import { PersistentVolumeClaims, PersistentVolumes } from '../kinds/index.js';
import type { Client } from '../machinery/client.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { makeNode, makePod, readerOf } from './testing.js';
import { bindVolumes } from './volumes.js';

const claim = (spec: object = {}, phase = 'Pending', annotations?: object): PersistentVolumeClaim =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default', uid: 'c1', resourceVersion: '7', annotations },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'late',
      resources: { requests: { storage: '1Gi' } },
      ...spec,
    },
    status: { phase },
  }) as unknown as PersistentVolumeClaim;
const volume = (spec: object = {}): PersistentVolume =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'v1' },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, storageClassName: 'late', ...spec },
    status: { phase: 'Available' },
  }) as unknown as PersistentVolume;
const LATE = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'late' },
  provisioner: 'example.com/disk',
  volumeBindingMode: 'WaitForFirstConsumer',
} as unknown as KubeObject;
const POD = makePod({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] });
const SELECTED = { 'volume.kubernetes.io/selected-node': 'n' };

/** Whether the pod's claims are bound, and what was written to get there. */
function bind(...objects: KubeObject[]): [boolean, KubeObject[]] {
  const reader = readerOf([LATE, ...objects]);
  const written: KubeObject[] = [];
  const client = {
    get: reader.get.bind(reader),
    list: reader.list.bind(reader),
    update: (_kind: unknown, object: KubeObject) => (written.push(object), object),
  } as unknown as Client;
  return [bindVolumes(POD, makeNode('n'), client), written];
}

test('a bound claim needs nothing', () => expect(bind(claim({ volumeName: 'v1' }, 'Bound'))).toEqual([true, []]));

test('a claim without a volume is provisioned for the node', () =>
  expect(bind(claim())).toEqual([false, [claim({}, 'Pending', SELECTED)]]));

test('a claim that is being provisioned is not written again', () =>
  expect(bind(claim({}, 'Pending', SELECTED))).toEqual([false, []]));

test('a matching volume is reserved for the claim', () =>
  expect(bind(claim(), volume())).toMatchObject([
    false,
    [
      {
        kind: PersistentVolumes.kind,
        metadata: { name: 'v1', annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' } },
        spec: {
          claimRef: {
            apiVersion: 'v1',
            kind: PersistentVolumeClaims.kind,
            name: 'data',
            namespace: 'default',
            uid: 'c1',
            resourceVersion: '7',
          },
        },
      },
    ],
  ]));

test('a volume that the user has reserved is not marked as bound by a controller', () => {
  const [, written] = bind(claim(), volume({ claimRef: { namespace: 'default', name: 'data' } }));
  expect(written).toHaveLength(1);
  expect(written[0]).toMatchObject({ kind: 'PersistentVolume', spec: { claimRef: { uid: 'c1' } } });
  expect(written[0]!.metadata.annotations).toBeUndefined();
});

test('a volume that is reserved already is not written again', () =>
  expect(bind(claim(), volume({ claimRef: { namespace: 'default', name: 'data', uid: 'c1' } }))).toEqual([false, []]));
