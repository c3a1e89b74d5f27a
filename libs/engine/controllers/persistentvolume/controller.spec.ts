import { describe, expect, it } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import type { PersistentVolume } from '../../api/core_v1.js';
import { PersistentVolumeClaims, PersistentVolumes, StorageClasses } from '../../kinds/index.js';
import { controller } from './controller.js';

const claim = (storageClassName: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'default' },
  spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage: '2Gi' } } },
  status: {},
});
const volume = (name: string, storage: string): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage },
    storageClassName: 'manual',
    hostPath: { path: '/data' },
  },
  status: {},
});

describe('a claim', () => {
  it('is bound to the smallest volume that will do', () => {
    const bed = new ControllerBed({ controllers: [controller] });
    for (const v of [volume('small', '1Gi'), volume('large', '10Gi'), volume('right', '3Gi')])
      bed.client.create(PersistentVolumes, v);
    bed.settle();
    bed.client.create(PersistentVolumeClaims, claim('manual'));
    bed.settle();
    expect(bed.get(PersistentVolumeClaims, 'data')).toMatchObject({
      spec: { volumeName: 'right' },
      status: { phase: 'Bound', capacity: { storage: '3Gi' } },
    });
    expect(bed.client.list(PersistentVolumes).map((v) => `${v.metadata.name} ${v.status.phase}`)).toEqual([
      'large Available',
      'right Bound',
      'small Available',
    ]);
    expect(bed.errors).toEqual([]);
    expect(bed.restart()).toBe(0);
    bed.client.delete(PersistentVolumeClaims, { namespace: 'default', name: 'data' });
    bed.settle();
    expect(bed.client.list(PersistentVolumes).map((v) => v.status.phase)).toEqual([
      'Available',
      'Released',
      'Available',
    ]);
  });

  it('of a class that waits is provisioned once its pod has a node, and reclaimed with it', () => {
    const bed = new ControllerBed({ controllers: [controller] });
    bed.client.create(StorageClasses, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'standard' },
      provisioner: 'rancher.io/local-path',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    const created = bed.client.create(PersistentVolumeClaims, claim('standard'));
    bed.settle();
    expect(bed.events()).toEqual(['WaitForFirstConsumer waiting for first consumer to be created before binding']);
    expect(bed.restart()).toBe(0);
    const waiting = bed.get(PersistentVolumeClaims, 'data');
    bed.client.update(PersistentVolumeClaims, {
      ...waiting,
      metadata: { ...waiting.metadata, annotations: { 'volume.kubernetes.io/selected-node': 'worker-1' } },
    });
    bed.settle();
    expect(bed.get(PersistentVolumeClaims, 'data')).toMatchObject({
      spec: { volumeName: `pvc-${created.metadata.uid}` },
      status: { phase: 'Bound' },
    });
    expect(bed.errors).toEqual([]);
    bed.client.delete(PersistentVolumeClaims, { namespace: 'default', name: 'data' });
    bed.settle();
    expect(bed.client.list(PersistentVolumes)).toEqual([]);
  });
});

describe('a volume with the policy Delete that nobody provisioned', () => {
  it.each<[string, Partial<PersistentVolume['spec']>, string[]]>([
    [
      'on a node',
      { hostPath: { path: '/mnt/data' } },
      ['Failed host_path deleter only supports /tmp/.+ but received provided /mnt/data'],
    ],
    ['in /tmp of a node', { hostPath: { path: '/tmp/data' } }, []],
    [
      'of NFS',
      { nfs: { path: '/', server: 'files' } },
      ['Failed error getting deleter volume plugin for volume "one": no deletable volume plugin matched'],
    ],
    ['of a driver', { csi: { driver: 'csi.example.com', volumeHandle: 'x' } }, ['Released ']],
  ])('%s', (_name, source, left) => {
    const bed = new ControllerBed({ controllers: [controller] });
    const { hostPath: _path, ...spec } = volume('one', '3Gi').spec;
    bed.client.create(PersistentVolumes, {
      ...volume('one', '3Gi'),
      spec: { ...spec, ...source, persistentVolumeReclaimPolicy: 'Delete' },
    });
    bed.client.create(PersistentVolumeClaims, claim('manual'));
    bed.settle();
    bed.client.delete(PersistentVolumeClaims, { namespace: 'default', name: 'data' });
    bed.settle();
    expect(bed.client.list(PersistentVolumes).map(({ status }) => `${status.phase} ${status.message ?? ''}`)).toEqual(
      left,
    );
    expect(bed.restart()).toBe(0);
  });
});
