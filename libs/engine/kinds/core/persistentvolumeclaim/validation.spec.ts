import { describe, expect, test } from '@jest/globals';
import { errorsOf, statusErrors, updateErrors, warningsOf } from '../../testing.js';
import { kind } from './kind.js';

const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

test.each<[string, object, string[]]>([
  ['a good one', spec, []],
  [
    'nothing at all',
    {},
    ['spec.accessModes: Required value: at least 1 access mode is required', 'spec.resources[storage]: Required value'],
  ],
  [
    'an unknown mode',
    { ...spec, accessModes: ['Read'] },
    [
      'spec.accessModes: Unsupported value: "Read": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
    ],
  ],
  [
    'an exclusive mode among others',
    { ...spec, accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] },
    ['spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes'],
  ],
  [
    'no room',
    { ...spec, resources: { requests: { storage: '0' } } },
    ['spec.resources[storage]: Invalid value: "0": must be greater than zero'],
  ],
  [
    'a class that is no name',
    { ...spec, storageClassName: 'Fast' },
    [`spec.storageClassName: Invalid value: "Fast": ${SUBDOMAIN}`],
  ],
  [
    'an unknown volume mode',
    { ...spec, volumeMode: 'Tape' },
    ['spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"'],
  ],
  [
    'two different sources',
    {
      ...spec,
      dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
      dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
    },
    ['spec: Invalid value: {}: must match dataSourceRef'],
  ],
  [
    'a pod as source',
    { ...spec, dataSourceRef: { kind: 'Pod', name: 'p' } },
    [
      'spec.dataSource: Invalid value: "Pod": must be \'PersistentVolumeClaim\' when referencing the default apiGroup',
      'spec.dataSourceRef: Invalid value: "Pod": must be \'PersistentVolumeClaim\' when referencing the default apiGroup',
    ],
  ],
])('%s', (_, fields, errors) => expect(errorsOf(kind, { spec: fields })).toEqual(errors));

describe('an update', () => {
  /** A claim that is bound, of a volume of 1Gi. */
  const claim = (storage: string, fields: object = {}): Record<string, unknown> => ({
    spec: { accessModes: ['ReadWriteOnce'], volumeMode: 'Filesystem', resources: { requests: { storage } }, ...fields },
  });
  const status = { phase: 'Bound', capacity: { storage: '1Gi' } };
  const messages = (
    before: Record<string, unknown>,
    after: Record<string, unknown>,
    written: object = status,
  ): string[] =>
    kind.validateUpdate!(
      { ...base, ...after } as never,
      { ...base, ...before, status: written } as never,
      undefined as never,
    ).map((error) => error.message.split('\n')[0]!);
  const base = { metadata: { name: 'a' } };
  const IMMUTABLE =
    'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

  test.each<[string, Record<string, unknown>, Record<string, unknown>, string[]]>([
    ['to more', claim('1Gi'), claim('2Gi'), []],
    [
      'to less than there is',
      claim('2Gi'),
      claim('1Gi'),
      ['spec.resources.requests.storage: Forbidden: field can not be less than status.capacity'],
    ],
    ['to less, after a larger one could not be had', claim('4Gi'), claim('2Gi'), []],
    [
      'of the volume mode',
      claim('1Gi'),
      claim('1Gi', { volumeMode: 'Block' }),
      [IMMUTABLE, 'volumeMode: Invalid value: "Block": field is immutable'],
    ],
    ['of the attributes class', claim('1Gi'), claim('1Gi', { volumeAttributesClassName: 'gold' }), []],
    ['that names its volume', claim('1Gi'), claim('1Gi', { volumeName: 'pv' }), []],
    [
      'that names another volume',
      claim('1Gi', { volumeName: 'pv' }),
      claim('1Gi', { volumeName: 'other' }),
      [IMMUTABLE],
    ],
  ])('%s', (_, before, after, errors) => expect(messages(before, after)).toEqual(errors));

  test('to more, before it is bound', () =>
    expect(messages(claim('1Gi'), claim('2Gi'), { phase: 'Pending' })).toEqual([IMMUTABLE]));

  test.each([
    ['nil', undefined],
    ['empty string', ''],
  ])('that takes away a class in effect: %s', (word, volumeAttributesClassName) =>
    expect(
      messages(claim('1Gi', { volumeAttributesClassName: 'gold' }), claim('1Gi', { volumeAttributesClassName }), {
        ...status,
        currentVolumeAttributesClassName: 'gold',
      }),
    ).toEqual([
      `spec.volumeAttributesClassName: Forbidden: update to ${word} is forbidden when status.currentVolumeAttributesClassName is not nil`,
    ]),
  );

  test('of the class by its old annotation', () =>
    expect(
      updateErrors(
        kind,
        { metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'a' } }, spec },
        { metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'b' } }, spec },
      ),
    ).toEqual([
      'metadata.annotations.volume.beta.kubernetes.io/storage-class: Invalid value: "b": field is immutable',
    ]));
});

describe('a status', () => {
  test.each<[string, object, string[]]>([
    [
      'of a growing volume',
      { allocatedResources: { storage: '2Gi' }, allocatedResourceStatuses: { storage: 'NodeResizePending' } },
      [],
    ],
    [
      'of less than nothing',
      { capacity: { storage: '-1' } },
      ['status.capacity[storage]: Invalid value: -1: must be a valid resource quantity'],
    ],
    [
      'of a resource that volumes do not have',
      { allocatedResources: { cpu: '1' } },
      ['status.allocatedResources: Unsupported value: "cpu": supported values: "storage"'],
    ],
    [
      'in an unknown state',
      { allocatedResourceStatuses: { storage: 'Growing' } },
      [
        'status.allocatedResourceStatuses: Unsupported value: "storage": supported values: "ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"',
      ],
    ],
  ])('%s', (_, after, errors) => expect(statusErrors(kind, { spec }, after)).toEqual(errors));
});

test('half a byte and the old annotation warn', () =>
  expect(
    warningsOf(kind, {
      metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'a' } },
      spec: { resources: { requests: { storage: '1500m' } } },
    }),
  ).toEqual([
    'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
    'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
  ]));
