import { describe, expect, test } from '@jest/globals';
import { Path, type FieldError } from '../../machinery/meta/field.js';
import { podSources, validateOneSource, volumeSources } from './volume-sources.js';

const path = Path.of('volume');
function errorsOf(sources: typeof podSources, volume: Record<string, object>): string[] {
  const errors: FieldError[] = [];
  const check = (name: string, at: Path): void =>
    sources[name]?.(volume[name] as Readonly<Record<string, unknown>>, at, errors);
  validateOneSource(volume, Object.keys(volume), path, check, errors);
  return errors.map((error) => error.message);
}

describe('in pods', () => {
  const IQN = 'iqn.2001-04.com.example:storage';
  test.each<[string, Record<string, object>, string[]]>([
    ['none', {}, ['volume: Required value: must specify a volume type']],
    [
      'two',
      { nfs: { server: 's', path: '/' }, downwardAPI: {} },
      ['volume.downwarAPI: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'the host',
      { hostPath: { path: '/a', type: 'Pipe' } },
      [
        'volume.hostPath.type: Unsupported value: "Pipe": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
      ],
    ],
    ['the host, nowhere', { hostPath: {} }, ['volume.hostPath.path: Required value']],
    [
      'a Google disk',
      { gcePersistentDisk: { partition: 256 } },
      [
        'volume.persistentDisk.pdName: Required value',
        'volume.persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive',
      ],
    ],
    ['NFS', { nfs: { server: 's', path: 'a' } }, ['volume.nfs.path: Invalid value: "a": must be an absolute path']],
    [
      'iSCSI',
      { iscsi: { targetPortal: 'p', iqn: IQN, chapAuthSession: true } },
      ['volume.iscsi.secretRef: Required value'],
    ],
    [
      'iSCSI of another name',
      { iscsi: { targetPortal: 'p', iqn: 'abc' } },
      ['volume.iscsi.iqn: Invalid value: "abc": must be valid format starting with iqn, eui, or naa'],
    ],
    [
      'iSCSI of a bad name',
      { iscsi: { targetPortal: 'p', iqn: 'iqn.x' } },
      ['volume.iscsi.iqn: Invalid value: "iqn.x": must be valid format'],
    ],
    [
      'a claim without a name',
      { persistentVolumeClaim: {} },
      ['volume.persistentVolumeClaim.claimName: Required value'],
    ],
    [
      'Fibre Channel',
      { fc: {} },
      ['volume.fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both'],
    ],
    [
      'Fibre Channel without a unit',
      { fc: { targetWWNs: ['a'] } },
      ['volume.fc.lun: Required value: lun is required if targetWWNs is specified'],
    ],
    [
      'flex with reserved options',
      { flexVolume: { driver: 'd', options: { 'a.kubernetes.io/b': '' } } },
      [
        'volume.flexVolume.options[a.kubernetes.io/b]: Invalid value: "a.kubernetes.io/b": kubernetes.io and k8s.io namespaces are reserved',
      ],
    ],
    [
      'an Azure disk',
      { azureDisk: { diskName: 'd', diskURI: 'ftp://', kind: 'Managed', cachingMode: 'Some' } },
      [
        'volume.azureDisk.cachingMode: Unsupported value: "Some": supported values: "None", "ReadOnly", "ReadWrite"',
        'volume.azureDisk.diskURI: Unsupported value: "ftp://": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
      ],
    ],
    ['flocker', { flocker: {} }, ['volume.flocker: Required value: one of datasetName and datasetUUID is required']],
    [
      'quobyte',
      { quobyte: { registry: 'host', volume: 'v' } },
      [
        'volume.quobyte.registry: Invalid value: "host": must be a host:port pair or multiple pairs separated by commas',
      ],
    ],
    [
      'a repository, outside',
      { gitRepo: { repository: 'r', directory: '../a' } },
      ['volume.gitRepo.directory: Invalid value: "../a": must not contain \'..\''],
    ],
    [
      'CSI with a secret without a name',
      { csi: { driver: 'd', nodePublishSecretRef: {} } },
      ['volume.csi.nodePublishSecretRef.name: Required value'],
    ],
  ])('%s', (_, volume, errors) => expect(errorsOf(podSources, volume)).toEqual(errors));
});

describe('in persistent volumes', () => {
  test.each<[string, Record<string, object>, string[]]>([
    [
      'a disk of the node',
      { local: { path: '/mnt/../a' } },
      ['volume.local.path: Invalid value: "/mnt/../a": must not contain \'..\''],
    ],
    ['CSI', { csi: { driver: 'd' } }, ['volume.csi.volumeHandle: Required value']],
    [
      'CSI with a secret of no namespace',
      { csi: { driver: 'd', volumeHandle: 'v', nodeExpandSecretRef: { name: 's' } } },
      ['volume.csi.nodeExpandSecretRef.namespace: Required value'],
    ],
    [
      'an Azure share',
      { azureFile: { secretName: 's', shareName: 'a', secretNamespace: '' } },
      ['volume.azureFile.secretNamespace: Required value'],
    ],
    [
      'glusterfs',
      { glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: '' } },
      [
        'volume.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
      ],
    ],
    [
      'Cinder with a secret',
      { cinder: { volumeID: 'v', secretRef: { name: 's' } } },
      ['volume.cinder.secretRef.namespace: Required value'],
    ],
  ])('%s', (_, volume, errors) => expect(errorsOf(volumeSources, volume)).toEqual(errors));
});
