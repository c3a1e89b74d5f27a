import { describe, expect, test } from '@jest/globals';
import { AGE, create, errorsOf, make, row, updateErrors, warningsOf } from '../../testing.js';
import { kind } from './kind.js';

describe('defaults', () => {
  test.each([[{ podCIDR: '10.0.0.0/24' }], [{ podCIDRs: ['10.0.0.0/24'] }]])('a node of %j has both', (spec) =>
    expect(create(kind, { spec }).spec).toEqual({ podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] }),
  );
  test('podCIDR, which older clients know, wins', () =>
    expect(create(kind, { spec: { podCIDR: '10.0.1.0/24', podCIDRs: ['10.0.0.0/24'] } }).spec.podCIDRs).toEqual([
      '10.0.1.0/24',
    ]));
  test('all capacity is allocatable', () =>
    expect(create(kind, { status: { capacity: { cpu: '4' } } }).status.allocatable).toEqual({ cpu: '4' }));
});

const TAINT = { key: 'a', effect: 'NoSchedule' };
describe('validation', () => {
  test.each<[string, object, string[]]>([
    ['two ranges', { podCIDRs: ['10.0.0.0/24', 'fd00::/64'] }, []],
    [
      'two ranges of one family',
      { podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] },
      [
        'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one CIDR for each IP family',
      ],
    ],
    [
      'no range at all',
      { podCIDR: '10.0.0.0' },
      ['spec.podCIDRs[0]: Invalid value: "10.0.0.0": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
    ],
    [
      'a taint twice',
      { taints: [TAINT, TAINT] },
      [
        'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
      ],
    ],
    [
      'an unknown effect',
      { taints: [{ key: 'a', effect: 'Never' }] },
      [
        'metadata.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    ],
    ['no effect', { taints: [{ key: 'a' }] }, ['metadata.taints[0].effect: Required value']],
  ])('%s', (_, spec, errors) => expect(errorsOf(kind, { spec })).toEqual(errors));

  test.each<[string, object, object, string[]]>([
    ['a first range', {}, { podCIDRs: ['10.0.0.0/24'] }, []],
    [
      'another range',
      { podCIDRs: ['10.0.0.0/24'] },
      { podCIDRs: ['10.0.1.0/24'] },
      ['spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid'],
    ],
    [
      'another machine',
      { providerID: 'a' },
      { providerID: 'b' },
      ['spec.providerID: Forbidden: node updates may not change providerID except from "" to valid'],
    ],
    ['another id', { externalID: 'a' }, { externalID: 'b' }, ['spec.externalID: Forbidden: may not be updated']],
    ['a taint without an effect', {}, { taints: [{ key: 'a' }] }, ['metadata.taints[0].effect: Required value']],
  ])('an update: %s', (_, before, after, errors) =>
    expect(updateErrors(kind, { spec: before }, { spec: after })).toEqual(errors),
  );

  test('deprecated fields warn', () =>
    expect(warningsOf(kind, { spec: { configSource: {}, externalID: 'a', podCIDRs: ['FD00::/64'] } })).toEqual([
      'spec.configSource: the feature is no longer supported',
      'spec.externalID: this field is deprecated, and is unused by Kubernetes',
      'spec.podCIDRs[0]: IPv6 CIDR value "FD00::/64" should be in RFC 5952 canonical format ("fd00::/64")',
    ]));
});

describe('rows', () => {
  const ready = (status: string): object => ({ conditions: [{ type: 'Ready', status }] });

  test('a cordoned control plane', () =>
    expect(
      row(
        kind,
        make(kind, {
          metadata: { labels: { 'node-role.kubernetes.io/control-plane': '' } },
          spec: { unschedulable: true },
          status: {
            ...ready('True'),
            nodeInfo: { kubeletVersion: 'v1.36.0' },
            addresses: [{ type: 'InternalIP', address: '172.18.0.2' }],
          },
        }),
      ),
    ).toEqual({
      Name: 'a',
      Status: 'Ready,SchedulingDisabled',
      Roles: 'control-plane',
      Age: AGE,
      Version: 'v1.36.0',
      'Internal-IP': '172.18.0.2',
      'External-IP': '<none>',
      'OS-Image': '<unknown>',
      'Kernel-Version': '<unknown>',
      'Container-Runtime': '<unknown>',
    }));

  test('what runs on it', () =>
    expect(
      row(
        kind,
        make(kind, {
          status: {
            nodeInfo: { osImage: 'Debian', kernelVersion: '6.1', containerRuntimeVersion: 'containerd://2.0' },
          },
        }),
      ),
    ).toMatchObject({ 'OS-Image': 'Debian', 'Kernel-Version': '6.1', 'Container-Runtime': 'containerd://2.0' }));

  test.each<[object, string]>([
    [ready('True'), 'Ready'],
    [ready('False'), 'NotReady'],
    [ready('Unknown'), 'NotReady'],
    [{}, 'Unknown'],
  ])('a status of %j is %s', (status, Status) => expect(row(kind, make(kind, { status }))).toMatchObject({ Status }));

  test.each<[Record<string, string>, string]>([
    [{}, '<none>'],
    [{ 'kubernetes.io/role': 'worker', 'node-role.kubernetes.io/etcd': 'true' }, 'etcd,worker'],
    [{ 'node-role.kubernetes.io/': '' }, '<none>'],
  ])('labels %j give the roles %s', (labels, Roles) =>
    expect(row(kind, make(kind, { metadata: { labels } }))).toMatchObject({ Roles }),
  );
});

test.each([
  [true, 'true'],
  [undefined, 'false'],
])('unschedulable %s is selected by %j', (unschedulable, value) =>
  expect(kind.fieldSelectors!['spec.unschedulable']!(make(kind, { spec: { unschedulable } }))).toBe(value),
);
