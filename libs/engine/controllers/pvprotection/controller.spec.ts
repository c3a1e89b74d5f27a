import { expect, test } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { PersistentVolumes } from '../../kinds/index.js';
import { controller } from './controller.js';

test('a volume that is deleted stays while it is bound', () => {
  const bed = new ControllerBed({ controllers: [controller] });
  const volume = bed.client.create(PersistentVolumes, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'pv', finalizers: ['kubernetes.io/pv-protection'] },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/data' } },
    status: {},
  });
  bed.client.updateStatus(PersistentVolumes, { ...volume, status: { phase: 'Bound' } });
  bed.client.delete(PersistentVolumes, { namespace: '', name: 'pv' });
  bed.settle();
  const left = bed.get(PersistentVolumes, 'pv');
  expect(left.metadata.deletionTimestamp).toBeDefined();
  bed.client.updateStatus(PersistentVolumes, { ...left, status: { phase: 'Released' } });
  bed.settle();
  expect(bed.client.get(PersistentVolumes, { namespace: '', name: 'pv' })).toBeUndefined();
});

test.each([
  ['that is free goes at once', 'Available', ['kubernetes.io/pv-protection'], undefined],
  ["keeps others' finalizers", 'Released', ['kubernetes.io/pv-protection', 'example.com/x'], ['example.com/x']],
])('a deleted volume %s', (_, phase, finalizers, left) => {
  const bed = new ControllerBed({ controllers: [controller] });
  const volume = bed.create(
    PersistentVolumes,
    'pv',
    { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/data' } } },
    { finalizers },
  );
  bed.client.updateStatus(PersistentVolumes, { ...volume, status: { phase } });
  bed.client.delete(PersistentVolumes, { namespace: '', name: 'pv' });
  bed.settle();
  expect(bed.client.get(PersistentVolumes, { namespace: '', name: 'pv' })?.metadata.finalizers).toEqual(left);
  expect(bed.errors).toEqual([]);
});
