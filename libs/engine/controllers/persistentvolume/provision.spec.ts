import { expect, test } from '@jest/globals';
import { ClusterBed } from '../../../testkit/beds/cluster-bed.js';
import { Events, PersistentVolumeClaims, Pods, StorageClasses } from '../../kinds/index.js';

function bedWith(provisioner: string, more: object = {}): ClusterBed {
  const bed = new ClusterBed('instant', 1);
  bed.create(StorageClasses, 'own', { provisioner });
  bed.create(PersistentVolumeClaims, 'data', {
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'own',
      resources: { requests: { storage: '1Gi' } },
      ...more,
    },
  });
  return bed.at(5) as ClusterBed;
}
const phase = (bed: ClusterBed): string | undefined => bed.get(PersistentVolumeClaims, 'data').status.phase;
const events = (bed: ClusterBed): string[] =>
  bed.client
    .list(Events, 'default')
    .filter(({ involvedObject }) => involvedObject.name === 'data')
    .map(({ reason, message, source }) => `${source?.component} ${reason}: ${message}`);

test.each([
  ['rancher.io/local-path', 'rancher.io/local-path_local-path-provisioner'],
  ['k8s.io/minikube-hostpath', 'k8s.io/minikube-hostpath_storage-provisioner'],
  ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com_ebs-csi-controller'],
])('%s makes volumes, as %s', (provisioner, component) => {
  const bed = bedWith(provisioner);
  expect(phase(bed)).toBe('Bound');
  expect(events(bed).some((event) => event.startsWith(`${component} ProvisioningSucceeded:`))).toBe(true);
});

test('what nobody runs is waited for, until somebody does', () => {
  const bed = bedWith('example.com/nfs');
  expect(phase(bed)).toBe('Pending');
  expect(events(bed)).toEqual([
    "persistentvolume-controller ExternalProvisioning: Waiting for a volume to be created either by the external provisioner 'example.com/nfs' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.",
  ]);
  const image = 'registry.k8s.io/sig-storage/nfs-subdir-external-provisioner:v4.0.2';
  const env = [{ name: 'PROVISIONER_NAME', value: 'example.com/nfs' }];
  bed.create(Pods, 'nfs', { spec: { containers: [{ name: 'c', image, env }] } });
  bed.at(60);
  expect(phase(bed)).toBe('Bound');
});

test.each(['kubernetes.io/no-provisioner', 'kubernetes.io/glusterfs'])('%s is no plug-in', (provisioner) => {
  const bed = bedWith(provisioner);
  expect(phase(bed)).toBe('Pending');
  expect(events(bed)).toEqual([
    `persistentvolume-controller ProvisioningFailed: no volume plugin matched name: ${provisioner}`,
  ]);
});

test.each<[string, object, string]>([
  [
    'more nodes than one',
    { accessModes: ['ReadWriteMany'] },
    'failed to provision volume with StorageClass "own": NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes',
  ],
  [
    'labels',
    { selector: { matchLabels: { tier: 'gold' } } },
    'failed to provision volume with StorageClass "own": claim.Spec.Selector is not supported',
  ],
  ['a block device', { volumeMode: 'Block' }, 'rancher.io/local-path does not support block volume provisioning'],
])('a provisioner of folders of one node refuses %s', (_title, more, message) => {
  const bed = bedWith('rancher.io/local-path', more);
  expect(phase(bed)).toBe('Pending');
  expect(events(bed)).toContain(`rancher.io/local-path_local-path-provisioner ProvisioningFailed: ${message}`);
});
