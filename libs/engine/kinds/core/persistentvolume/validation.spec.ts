import { describe, expect, test } from '@jest/globals';
import { errorsOf, warningsOf } from '../../testing.js';
import { kind } from './kind.js';

const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/data' } };
const { hostPath: _, ...withoutSource } = spec;
const csi = { driver: 'example.com', volumeHandle: 'v' };

test.each<[string, object, string[]]>([
  ['a good one', spec, []],
  [
    'nothing at all',
    {},
    [
      'spec.accessModes: Required value',
      'spec.capacity: Required value',
      'spec.capacity: Unsupported value: null: supported values: "storage"',
      'spec: Required value: must specify a volume type',
    ],
  ],
  ['no source', withoutSource, ['spec: Required value: must specify a volume type']],
  ['two sources', { ...spec, csi }, ['spec.csi: Forbidden: may not specify more than 1 volume type']],
  [
    'an unknown access mode',
    { ...spec, accessModes: ['Read'] },
    [
      'spec.accessModes: Unsupported value: "Read": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
    ],
  ],
  [
    'an exclusive mode among others',
    { ...spec, accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] },
    ['spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes'],
  ],
  [
    'no room',
    { ...spec, capacity: { storage: '0' } },
    ['spec.capacity[storage]: Invalid value: "0": must be greater than zero'],
  ],
  [
    'an unknown reclaim policy',
    { ...spec, persistentVolumeReclaimPolicy: 'Burn' },
    ['spec.persistentVolumeReclaimPolicy: Unsupported value: "Burn": supported values: "Delete", "Recycle", "Retain"'],
  ],
  [
    'the root of the host, recycled',
    { ...spec, hostPath: { path: '/..//' }, persistentVolumeReclaimPolicy: 'Recycle' },
    [
      'spec.hostPath.path: Invalid value: "/..//": must not contain \'..\'',
      "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
    ],
  ],
  [
    'a local disk of no node',
    { ...withoutSource, local: { path: '/mnt' } },
    ['spec.nodeAffinity: Required value: Local volume requires node affinity'],
  ],
  [
    'an affinity for nothing',
    { ...spec, nodeAffinity: {} },
    ['spec.nodeAffinity.required: Required value: must specify required node constraints'],
  ],
  [
    'an affinity without terms',
    { ...spec, nodeAffinity: { required: {} } },
    ['spec.nodeAffinity.required.nodeSelectorTerms: Required value: must have at least one node selector term'],
  ],
  [
    'an unknown volume mode',
    { ...spec, volumeMode: 'Tape' },
    ['spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"'],
  ],
  [
    'an attributes class without CSI',
    { ...spec, volumeAttributesClassName: 'gold' },
    ['spec.csi: Required value: has to be specified when using volumeAttributesClassName'],
  ],
  [
    'an empty attributes class',
    { ...withoutSource, csi, volumeAttributesClassName: '' },
    ['spec.volumeAttributesClassName: Required value: an empty string is disallowed'],
  ],
  [
    'a long iSCSI name',
    {
      ...withoutSource,
      iscsi: {
        targetPortal: 'p'.repeat(63),
        iqn: 'iqn.2001-04.com.example:a',
        initiatorName: 'iqn.2001-04.com.example:b',
      },
    },
    [
      `spec.iscsi.targetportal: Invalid value: "${'p'.repeat(63)}": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.`,
    ],
  ],
])('%s', (_name, fields, errors) => expect(errorsOf(kind, { spec: fields })).toEqual(errors));

describe('warnings', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['a good one', { spec }, []],
    [
      'the annotations that fields have replaced',
      {
        metadata: {
          annotations: {
            'volume.beta.kubernetes.io/storage-class': 'standard',
            'volume.beta.kubernetes.io/mount-options': 'ro',
          },
        },
        spec,
      },
      [
        'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
        'metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead',
      ],
    ],
    [
      'the policy Recycle',
      { spec: { ...spec, persistentVolumeReclaimPolicy: 'Recycle' } },
      [
        'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
      ],
    ],
    [
      'an old node label',
      {
        spec: {
          ...spec,
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }] }],
            },
          },
        },
      },
      [
        'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
      ],
    ],
    [
      'a source that works no more',
      { spec: { ...withoutSource, storageos: {} } },
      ['spec.storageOS: deprecated in v1.22, non-functional in v1.25+'],
    ],
  ])('%s', (_name, fields, warnings) => expect(warningsOf(kind, fields)).toEqual(warnings));
});
