import { expect, test } from '@jest/globals';
import type { PodSpec, Volume } from '../../../api/core_v1.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { pod, readerOf, STAMP } from '../testing.js';
import { findVolumeTree, type VolumeTree } from './volumes.js';

const claim = (name: string, volumeName?: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'shop' },
    spec: { volumeName },
  }) as never;
const volume = (name: string, spec: object, annotations = {}): KubeObject =>
  ({ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name, uid: `uid-${name}`, annotations }, spec }) as never;
const read = readerOf(
  claim('bound', 'disk'),
  claim('on-host', 'folder'),
  claim('provisioned', 'made'),
  claim('shared', 'nfs'),
  claim('web-v', 'open'),
  claim('pending'),
  volume('disk', { csi: {}, capacity: { storage: '1Gi' } }),
  volume(
    'open',
    { csi: {}, capacity: { storage: '1Gi' } },
    { 'pv.kubernetes.io/provisioned-by': 'rancher.io/local-path' },
  ),
  volume('folder', { hostPath: { path: '/mnt/data/' } }),
  volume('made', { hostPath: { path: '/data/made' } }, { 'pv.kubernetes.io/provisioned-by': 'rancher.io/local-path' }),
  volume('nfs', { nfs: { server: '10.0.0.9', path: '/export' } }),
);

function treeOf(own: Omit<Volume, 'name'>, spec: Partial<PodSpec> = {}): VolumeTree | undefined {
  const of = pod(spec, { startTime: STAMP });
  const imageFiles = (reference: string): never => ({ [`/${reference}`]: { type: 'directory' } }) as never;
  return findVolumeTree({ name: 'v', ...own }, { pod: of, read, token: () => '', imageFiles });
}

test.each<[string, Omit<Volume, 'name'>, object]>([
  ['an emptyDir', { emptyDir: {} }, { id: 'pod/u1/v', readOnly: false, type: 'ext4', limitBytes: undefined }],
  ['its size limit, which is for eviction', { emptyDir: { sizeLimit: '1Mi' } }, { limitBytes: undefined }],
  [
    'an emptyDir in memory',
    { emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
    { type: 'tmpfs', limitBytes: 1_048_576 },
  ],
  ['a ConfigMap', { configMap: { name: 'none' } }, { id: 'pod/u1/v', readOnly: true, isWritten: true, type: 'ext4' }],
  ['a Secret', { secret: { secretName: 'none' } }, { readOnly: true, isWritten: true, type: 'tmpfs' }],
  ['a hostPath', { hostPath: { path: '/var/log/' } }, { id: 'node/worker-1', subPath: '/var/log', readOnly: false }],
  ['the whole host', { hostPath: { path: '/' } }, { id: 'node/worker-1', subPath: undefined }],
  ['a claim', { persistentVolumeClaim: { claimName: 'bound' } }, { id: 'volume/disk/uid-disk', limitBytes: 2 ** 30 }],
  [
    'a claim for reading',
    { persistentVolumeClaim: { claimName: 'bound', readOnly: true } },
    { id: 'volume/disk/uid-disk', readOnly: true },
  ],
  [
    'a claim of a host’s folder',
    { persistentVolumeClaim: { claimName: 'on-host' } },
    { id: 'node/worker-1', subPath: '/mnt/data', folderMode: undefined },
  ],
  [
    'a claim of a folder that its provisioner has made for everybody',
    { persistentVolumeClaim: { claimName: 'provisioned' } },
    { id: 'node/worker-1', subPath: '/data/made', folderMode: 0o777 },
  ],
  [
    'a claim of an NFS export',
    { persistentVolumeClaim: { claimName: 'shared' } },
    { id: 'nfs/10.0.0.9/export', type: 'nfs4', source: '10.0.0.9:/export' },
  ],
  [
    'an ephemeral volume: a folder without a size',
    { ephemeral: {} },
    { id: 'volume/open/uid-open', limitBytes: undefined },
  ],
  ['an image', { image: { reference: 'busybox' } }, { id: 'image/busybox', readOnly: true }],
])('%s', (_case, own, expected) => {
  const { id, readOnly, written, source, type, limitBytes, subPath, folderMode } = treeOf(own)!;
  const isWritten = written !== undefined;
  expect({ id, readOnly, isWritten, source, type, limitBytes, subPath, folderMode }).toMatchObject(expected);
});

test('a claim that is not bound has no tree', () =>
  expect(treeOf({ persistentVolumeClaim: { claimName: 'pending' } })).toBeUndefined());

test.each<[Omit<Volume, 'name'>, Partial<PodSpec>, string]>([
  [{ emptyDir: {} }, {}, '777 0'],
  [{ emptyDir: { medium: 'Memory' } }, {}, '1777 0'],
  [{ emptyDir: {} }, { securityContext: { fsGroup: 1000 } }, '2777 1000'],
  [{ configMap: {} }, {}, '777 0'],
  [{ secret: {} }, {}, '1777 0'],
  [{ persistentVolumeClaim: { claimName: 'bound' } }, {}, '755 0'],
  [{ persistentVolumeClaim: { claimName: 'bound' } }, { securityContext: { fsGroup: 1000 } }, '2775 1000'],
  [{ persistentVolumeClaim: { claimName: 'web-v' } }, {}, '777 0'],
])('the root of %j in a pod with %j', (own, spec, expected) => {
  const root = treeOf(own, spec)!.lower()['/']!;
  expect(`${root.mode.toString(8)} ${root.group}`).toBe(expected);
});
