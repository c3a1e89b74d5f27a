import { expect, test } from '@jest/globals';
import { CSIDrivers } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { findProvisioner, isProvisionerPod, provisionerOf } from './provisioners.js';

test.each([
  ['rancher.io/local-path', 'rancher.io/local-path'],
  ['example.com/nfs', 'example.com/nfs'],
  ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['kubernetes.io/no-provisioner', undefined],
  ['kubernetes.io/glusterfs', undefined],
])('%s is asked as %s', (name, asked) => expect(provisionerOf(name)).toBe(asked));

const pod = (container: object, phase = 'Running'): never =>
  ({ metadata: { name: 'p' }, spec: { containers: [{ name: 'c', ...container }] }, status: { phase } }) as never;
const readerOf = (pods: readonly unknown[], drivers: readonly string[] = []): Reader =>
  ({
    list: () => pods,
    get: (kind: unknown, { name }: { name: string }) =>
      kind === CSIDrivers && drivers.includes(name) ? {} : undefined,
  }) as unknown as Reader;
const NFS = 'registry.k8s.io/sig-storage/nfs-subdir-external-provisioner:v4.0.2';
const SIDECAR = 'registry.k8s.io/sig-storage/csi-provisioner:v5.2.0';

test.each<[string, readonly unknown[], readonly string[], string, boolean]>([
  ['what every cluster has', [], [], 'rancher.io/local-path', true],
  ['a cloud', [], [], 'ebs.csi.aws.com', true],
  ['nobody', [], [], 'example.com/nfs', false],
  [
    'a variable',
    [pod({ image: NFS, env: [{ name: 'PROVISIONER_NAME', value: 'example.com/nfs' }] })],
    [],
    'example.com/nfs',
    true,
  ],
  ['a flag', [pod({ image: NFS, args: ['--provisioner=example.com/nfs'] })], [], 'example.com/nfs', true],
  ['another name', [pod({ image: NFS, args: ['--provisioner=example.com/other'] })], [], 'example.com/nfs', false],
  ['one that does not run', [pod({ image: NFS, args: ['example.com/nfs'] }, 'Pending')], [], 'example.com/nfs', false],
  ['a driver with its sidecar', [pod({ image: SIDECAR })], ['nfs.csi.k8s.io'], 'nfs.csi.k8s.io', true],
  ['a driver without one', [], ['nfs.csi.k8s.io'], 'nfs.csi.k8s.io', false],
])('%s', (_what, pods, drivers, name, isServed) => {
  expect(findProvisioner(readerOf(pods, drivers), name) !== undefined).toBe(isServed);
});

test('a pod that is no provisioner is not looked at', () => {
  expect(isProvisionerPod(undefined)).toBe(false);
  expect(isProvisionerPod(pod({ image: 'nginx:1.27' }))).toBe(false);
  expect(isProvisionerPod(pod({ image: NFS }))).toBe(true);
});
