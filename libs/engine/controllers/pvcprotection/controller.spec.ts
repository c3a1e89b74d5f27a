import { describe, expect, test } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { PersistentVolumeClaims, Pods } from '../../kinds/index.js';
import { controller } from './controller.js';

const data = { namespace: 'default', name: 'data' };
const claim = () => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { ...data, finalizers: ['kubernetes.io/pvc-protection'] },
  spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'manual', resources: { requests: { storage: '2Gi' } } },
  status: {},
});
const pod = (nodeName?: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'user', namespace: 'default' },
  status: {},
  spec: {
    ...(nodeName ? { nodeName } : {}),
    containers: [{ name: 'c', image: 'busybox' }],
    volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }],
  },
});

describe('a claim that is deleted', () => {
  test('stays until the pod that mounts it is gone', () => {
    const bed = new ControllerBed({ controllers: [controller] });
    bed.client.create(PersistentVolumeClaims, claim());
    bed.client.create(Pods, pod('worker-1') as never);
    bed.client.delete(PersistentVolumeClaims, data);
    bed.settle();
    expect(bed.get(PersistentVolumeClaims, 'data').metadata.deletionTimestamp).toBeDefined();
    bed.client.delete(Pods, { namespace: 'default', name: 'user' }, { gracePeriodSeconds: 0 });
    bed.settle();
    expect(bed.client.get(PersistentVolumeClaims, data)).toBeUndefined();
  });

  test('goes at once when its pod is on no node yet', () => {
    const bed = new ControllerBed({ controllers: [controller] });
    bed.client.create(PersistentVolumeClaims, claim());
    bed.client.create(Pods, pod() as never);
    bed.client.delete(PersistentVolumeClaims, data);
    bed.settle();
    expect(bed.client.get(PersistentVolumeClaims, data)).toBeUndefined();
  });
});
