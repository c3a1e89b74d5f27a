import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import { Events, PersistentVolumeClaims, Pods } from '../../kinds/index.js';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { controller } from './controller.js';

const SPEC = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const KEY = { namespace: 'default', name: 'web-scratch' };

function newBed(): ControllerBed {
  return new ControllerBed({ controllers: [controller], readyAfter: () => 'never' });
}

const podWith = (metadata: object): Pick<Pod, 'spec'> => ({
  spec: {
    containers: [{ name: 'c', image: 'nginx' }],
    volumes: [
      { name: 'cache', emptyDir: {} },
      { name: 'scratch', ephemeral: { volumeClaimTemplate: { metadata, spec: SPEC } } },
    ],
  },
});
const addPod = (bed: ControllerBed, metadata: object = {}): Pod => bed.create(Pods, 'web', podWith(metadata));
const eventsOf = (bed: ControllerBed): unknown[] =>
  bed.client.list(Events, 'default').map(({ type, reason, message }) => `${type} ${reason} ${message}`);

test('an ephemeral volume has a claim that its pod owns, with what the template says', () => {
  const bed = newBed();
  addPod(bed, { labels: { type: 'scratch' }, annotations: { note: 'mine' } });
  bed.settle();
  expect(bed.client.list(PersistentVolumeClaims, 'default')).toMatchObject([
    {
      metadata: {
        name: 'web-scratch',
        labels: { type: 'scratch' },
        annotations: { note: 'mine' },
        ownerReferences: [{ kind: 'Pod', name: 'web', controller: true, blockOwnerDeletion: true }],
      },
      spec: SPEC,
    },
  ]);
  expect([eventsOf(bed), bed.errors]).toEqual([[], []]);
});

test('a claim that was deleted is made again', () => {
  const bed = newBed();
  addPod(bed);
  bed.settle();
  bed.client.delete(PersistentVolumeClaims, KEY);
  bed.settle();
  expect(bed.client.list(PersistentVolumeClaims, 'default')).toHaveLength(1);
});

test('a claim that was there before is not taken, and is told of', () => {
  const bed = newBed();
  bed.create(PersistentVolumeClaims, 'web-scratch', { spec: SPEC });
  addPod(bed);
  bed.settle();
  expect(bed.get(PersistentVolumeClaims, 'web-scratch').metadata.ownerReferences).toBeUndefined();
  expect(eventsOf(bed)).toEqual([
    'Warning FailedBinding ephemeral volume scratch: PVC default/web-scratch was not created for pod default/web (pod is not owner)',
  ]);
});

test('when the claim in the way has gone the pod gets its own', () => {
  const bed = newBed();
  bed.create(PersistentVolumeClaims, 'web-scratch', { spec: SPEC });
  addPod(bed);
  bed.settle();
  bed.client.delete(PersistentVolumeClaims, KEY);
  bed.settle(2_000);
  expect(bed.get(PersistentVolumeClaims, 'web-scratch').metadata.ownerReferences).toMatchObject([{ name: 'web' }]);
});

test('a pod that is being deleted gets none', () => {
  const bed = newBed();
  bed.create(Pods, 'other', podWith({}), { finalizers: ['example.com/hold'] });
  bed.client.delete(Pods, { namespace: 'default', name: 'other' });
  bed.settle();
  expect(bed.client.list(PersistentVolumeClaims, 'default')).toEqual([]);
});
