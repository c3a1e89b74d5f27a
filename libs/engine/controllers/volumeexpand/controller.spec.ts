import { expect, test } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { PersistentVolumeClaims, PersistentVolumes, Pods, StorageClasses } from '../../kinds/index.js';
import { expandVolume } from '../../node/csi/expand-volume.js';
import { controller as persistentvolume } from '../persistentvolume/controller.js';
import { controller } from './controller.js';

const EXTERNAL = 'ExternalExpanding waiting for an external controller to expand this PVC';

/** A claim of 1Gi that asks for 2Gi. */
function grow(provisioner: string, volumeMode = 'Filesystem'): { bed: ControllerBed; volume: string } {
  const bed = new ControllerBed({ controllers: [persistentvolume, controller, expandVolume] });
  bed.client.create(StorageClasses, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner,
    allowVolumeExpansion: true,
    volumeBindingMode: 'Immediate',
  });
  bed.client.create(PersistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'fast',
      volumeMode,
      resources: { requests: { storage: '1Gi' } },
    },
    status: {},
  });
  bed.settle();
  const claim = bed.get(PersistentVolumeClaims, 'data');
  const resources = { requests: { storage: '2Gi' } };
  bed.client.update(PersistentVolumeClaims, { ...claim, spec: { ...claim.spec, resources } });
  bed.settle();
  expect(bed.errors).toEqual([]);
  return { bed, volume: claim.spec.volumeName! };
}

const eventsOf = (bed: ControllerBed): string[] =>
  bed.events().filter((event) => /^(ExternalExp|Resiz|FileSystemR|VolumeR)/.test(event));
const sizeOf = (bed: ControllerBed): (string | undefined)[] => [
  bed.client.list(PersistentVolumes)[0]?.spec.capacity?.['storage'],
  bed.get(PersistentVolumeClaims, 'data').status.capacity?.['storage'],
];

test('the volume grows, and its file system when a pod mounts it', () => {
  const { bed, volume } = grow('ebs.csi.aws.com');
  expect(sizeOf(bed)).toEqual(['2Gi', '1Gi']);
  const { status } = bed.get(PersistentVolumeClaims, 'data');
  expect(status.conditions?.map(({ type }) => type)).toEqual(['FileSystemResizePending']);
  expect(status.allocatedResourceStatuses).toEqual({ storage: 'NodeResizePending' });
  const said = [
    EXTERNAL,
    `Resizing External resizer is resizing volume ${volume}`,
    'FileSystemResizeRequired Require file system resize of volume on node',
  ];
  expect(eventsOf(bed)).toEqual(said);
  expect(bed.restart()).toBe(0);
  const pod = bed.client.create(Pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      nodeName: 'worker-1',
      containers: [{ name: 'web', image: 'nginx' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
    status: {},
  } as never);
  bed.settle();
  bed.client.updateStatus(Pods, { ...bed.get(Pods, 'web'), status: { ...pod.status, phase: 'Running' } });
  bed.settle();
  expect(sizeOf(bed)).toEqual(['2Gi', '2Gi']);
  const resized = bed.get(PersistentVolumeClaims, 'data').status;
  expect([resized.conditions, resized.allocatedResourceStatuses]).toEqual([undefined, undefined]);
  const succeeded = `FileSystemResizeSuccessful MountVolume.NodeExpandVolume succeeded for volume "${volume}" worker-1`;
  expect(eventsOf(bed)).toEqual([...said, succeeded, succeeded]);
  expect(bed.errors).toEqual([]);
  expect(bed.restart()).toBe(0);
});

test('a block volume has grown at once', () => {
  const { bed, volume } = grow('ebs.csi.aws.com', 'Block');
  expect(sizeOf(bed)).toEqual(['2Gi', '2Gi']);
  expect(eventsOf(bed)).toEqual([
    EXTERNAL,
    `Resizing External resizer is resizing volume ${volume}`,
    'VolumeResizeSuccessful Resize volume succeeded',
  ]);
  expect(bed.restart()).toBe(0);
});

test('a directory of a node does not grow: nobody resizes it', () => {
  const { bed } = grow('rancher.io/local-path');
  expect([sizeOf(bed), eventsOf(bed)]).toEqual([['1Gi', '1Gi'], [EXTERNAL]]);
  expect(bed.restart()).toBe(0);
});
