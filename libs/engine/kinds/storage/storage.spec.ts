import { describe, expect, test } from '@jest/globals';
import { AGE, create, errorsOf, make, row, updateErrors } from '../testing.js';
import { kind as CSIDrivers } from './csidriver/kind.js';
import { kind as CSINodes } from './csinode/kind.js';
import { kind as CSIStorageCapacities } from './csistoragecapacity/kind.js';
import { kind as StorageClasses } from './storageclass/kind.js';
import { kind as VolumeAttachments } from './volumeattachment/kind.js';
import { kind as VolumeAttributesClasses } from './volumeattributesclass/kind.js';

describe('a StorageClass', () => {
  const provisioner = 'ebs.csi.aws.com';
  test.each<[object, string[]]>([
    [{}, ['provisioner: Required value']],
    [
      { provisioner, reclaimPolicy: 'Recycle' },
      ['reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
    ],
    [
      { provisioner, volumeBindingMode: 'Later' },
      ['volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"'],
    ],
    [{ provisioner, parameters: { '': 'x' } }, ['parameters: Invalid value: "": field can not be empty.']],
    [{ provisioner }, []],
  ])('of %j', (fields, errors) => expect(errorsOf(StorageClasses, { ...fields })).toEqual(errors));

  test('cannot change what volumes were made with', () =>
    expect(
      updateErrors(
        StorageClasses,
        { provisioner, parameters: { a: '1' } },
        {
          provisioner: 'b',
          parameters: { a: '2' },
          reclaimPolicy: 'Retain',
          volumeBindingMode: 'WaitForFirstConsumer',
        },
      ),
    ).toEqual([
      'parameters: Invalid value: {"a":"2"}: field is immutable',
      'provisioner: Invalid value: "b": field is immutable',
      'reclaimPolicy: Invalid value: "Retain": field is immutable',
      'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
    ]));

  test('prints whether it is the default', () =>
    expect(
      row(
        StorageClasses,
        create(StorageClasses, {
          provisioner,
          metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
        }),
      ),
    ).toEqual({
      Name: 'a (default)',
      Provisioner: provisioner,
      ReclaimPolicy: 'Delete',
      VolumeBindingMode: 'Immediate',
      AllowVolumeExpansion: false,
      Age: AGE,
    }));
});

describe('a CSIDriver', () => {
  test('defaults and prints', () =>
    expect(
      row(
        CSIDrivers,
        create(CSIDrivers, { spec: { attachRequired: false, tokenRequests: [{ audience: 'x' }, { audience: 'y' }] } }),
      ),
    ).toEqual({
      Name: 'a',
      AttachRequired: false,
      PodInfoOnMount: false,
      StorageCapacity: false,
      TokenRequests: 'x,y',
      RequiresRepublish: false,
      Modes: 'Persistent',
      Age: AGE,
    }));

  test.each<[object, string[]]>([
    [
      { fsGroupPolicy: 'Some' },
      ['spec.fsGroupPolicy: Unsupported value: "Some": supported values: "File", "None", "ReadWriteOnceWithFSType"'],
    ],
    [
      { tokenRequests: [{ audience: 'x' }, { audience: 'x', expirationSeconds: 5 }] },
      ['spec.tokenRequests[1].audience: Duplicate value: "x"'],
    ],
    [
      { tokenRequests: [{ audience: 'x', expirationSeconds: 5 }] },
      ['spec.tokenRequests[0].expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes'],
    ],
    [
      { serviceAccountTokenInSecrets: true },
      [
        'spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified',
      ],
    ],
  ])('of %j', (spec, errors) => expect(errorsOf(CSIDrivers, { spec })).toEqual(errors));

  test('cannot change how volumes are attached', () =>
    expect(updateErrors(CSIDrivers, { spec: {} }, { spec: { attachRequired: false } })).toEqual([
      'spec.attachedRequired: Invalid value: false: field is immutable',
    ]));
});

test.each<[object, string[]]>([
  [{ drivers: [{ name: 'd', nodeID: '' }] }, ['spec.drivers[0].nodeID: Required value']],
  [
    {
      drivers: [
        { name: 'd', nodeID: 'n' },
        { name: 'd', nodeID: 'n', topologyKeys: ['k', 'k'] },
      ],
    },
    ['spec.drivers[1].name: Duplicate value: "d"', 'spec.drivers[1]: Duplicate value: "k"'],
  ],
  [{ drivers: [] }, []],
])('a CSINode of %j', (spec, errors) => expect(errorsOf(CSINodes, { spec })).toEqual(errors));

test('a CSIStorageCapacity prints when it was created', () =>
  expect(
    Object.keys(row(CSIStorageCapacities, make(CSIStorageCapacities, { storageClassName: 'fast', capacity: '1Gi' }))),
  ).toEqual(['Name', 'Created At']));
test('a CSIStorageCapacity has a quantity', () =>
  expect(errorsOf(CSIStorageCapacities, { storageClassName: 'fast', capacity: '-1' })).toEqual([
    'capacity: Invalid value: "-1": must be greater than or equal to 0',
  ]));

test('a VolumeAttachment names its parts', () =>
  expect(errorsOf(VolumeAttachments, { spec: {} })).toEqual([
    'spec.attacher: Required value',
    'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
    expect.stringContaining('spec.nodeName: Invalid value: "": a lowercase RFC 1123 subdomain'),
  ]));
test('a VolumeAttachment prints', () =>
  expect(
    row(
      VolumeAttachments,
      create(VolumeAttachments, { spec: { attacher: 'd', nodeName: 'n', source: { persistentVolumeName: 'pv' } } }),
    ),
  ).toEqual({ Name: 'a', Attacher: 'd', PV: 'pv', Node: 'n', Attached: false, Age: AGE }));

test('a VolumeAttributesClass has parameters', () =>
  expect(errorsOf(VolumeAttributesClasses, { driverName: 'd' })).toEqual([
    'parameters: Required value: must contain at least one key/value pair',
  ]));
