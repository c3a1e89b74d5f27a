import { describe, expect, test } from '@jest/globals';
import type { Device, DeviceClaim, ResourceClaim, ResourceSlice } from '../../api/resource_v1.js';
import { ResourceClaims } from '../../kinds/index.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { makeNode, readerOf } from '../testing.js';
import { allocationResult } from './allocation-result.js';
import { allocateDevices, takenDevices } from './allocator.js';
import { PublishedDevices } from './pools.js';
import { deviceClass, object, slice } from './testing.js';
import { wishesOf } from './wishes.js';

const NODE = makeNode('n', { labels: { zone: 'a' } });
const gpu = (model: string, numa: number, memory: string): Partial<Device> => ({
  attributes: { model: { string: model }, 'd.io/numa': { int: numa }, version: { version: '1.2.0' } },
  capacity: { memory: { value: memory } },
});
const FOUR = slice('n', {}, [gpu('s', 0, '10Gi'), gpu('s', 1, '10Gi'), gpu('l', 0, '80Gi'), gpu('l', 1, '80Gi')]);
const CLASSES = [
  deviceClass('any'),
  deviceClass('large', 'device.capacity["d"].memory.isGreaterThan(quantity("40Gi"))'),
];
const cel = (expression: string): object => ({ selectors: [{ cel: { expression } }] });
const request = (name: string, exactly: object = {}): NonNullable<DeviceClaim['requests']>[number] => ({
  name,
  exactly: { deviceClassName: 'any', count: 1, ...exactly },
});
const claimOf = (devices: DeviceClaim, name = 'c'): ResourceClaim =>
  object('ResourceClaim', name, { spec: { devices }, status: {} }) as ResourceClaim;

/** 'request: device' of what a claim gets; a text when it gets nothing. */
function allocate(
  devices: DeviceClaim,
  slices: readonly KubeObject[] = [FOUR],
  taken: readonly string[] = [],
): unknown {
  const claim = claimOf(devices);
  const wishes = wishesOf(claim, readerOf(CLASSES));
  if (typeof wishes === 'string') return wishes;
  const found = allocateDevices([wishes], new PublishedDevices(slices as ResourceSlice[]), NODE, new Set(taken));
  if (found === undefined || typeof found === 'string') return found;
  return allocationResult(claim, found.get(claim)!, NODE).devices!.results!.map((r) => `${r.request}: ${r.device}`);
}

const alternatives = [
  { name: 'two', deviceClassName: 'large', count: 3 },
  { name: 'one', deviceClassName: 'any', count: 1 },
];

describe('of four devices', () => {
  test.each<[string, DeviceClaim, unknown]>([
    ['the first one', { requests: [request('r')] }, ['r: d0']],
    ['two of them', { requests: [request('r', { count: 2 })] }, ['r: d0', 'r: d1']],
    ['more than there are', { requests: [request('r', { count: 5 })] }, undefined],
    ['those of a class', { requests: [request('r', { deviceClassName: 'large' })] }, ['r: d2']],
    [
      'all of a class',
      { requests: [request('r', { deviceClassName: 'large', allocationMode: 'All' })] },
      ['r: d2', 'r: d3'],
    ],
    ['all that match nothing', { requests: [request('r', { allocationMode: 'All', ...cel('false') })] }, undefined],
    ['an attribute', { requests: [request('r', cel('device.attributes["d"].model == "l"'))] }, ['r: d2']],
    ['an attribute of a domain', { requests: [request('r', cel('device.attributes["d.io"].numa == 1'))] }, ['r: d1']],
    [
      'a version',
      { requests: [request('r', cel('device.attributes["d"].version.isGreaterThan(semver("1.1.0"))'))] },
      ['r: d0'],
    ],
    ['a domain that it may not have', { requests: [request('r', cel('has(device.attributes["x"].y)'))] }, undefined],
    ['its driver', { requests: [request('r', cel('device.driver == "d"'))] }, ['r: d0']],
    [
      'two requests that agree, with a step back',
      {
        requests: [
          request('a'),
          request('b', cel('device.attributes["d"].model == "l" && device.attributes["d.io"].numa == 1')),
        ],
        constraints: [{ matchAttribute: 'd.io/numa' }],
      },
      ['a: d1', 'b: d3'],
    ],
    [
      'a constraint of other requests',
      { requests: [request('a'), request('b')], constraints: [{ matchAttribute: 'd.io/numa', requests: ['a'] }] },
      ['a: d0', 'b: d1'],
    ],
    [
      'an attribute that none has',
      { requests: [request('a')], constraints: [{ matchAttribute: 'd.io/x' }] },
      undefined,
    ],
    [
      'two that differ',
      { requests: [request('r', { count: 2 })], constraints: [{ distinctAttribute: 'd/model' }] },
      ['r: d0', 'r: d2'],
    ],
    ['the first alternative that there is', { requests: [{ name: 'r', firstAvailable: alternatives }] }, ['r/one: d0']],
    [
      'a class that is not there',
      { requests: [request('r', { deviceClassName: 'x' })] },
      'request r: device class x does not exist',
    ],
    [
      'a selector that fails',
      { requests: [request('r', cel('device.attributes["x"].y == 1'))] },
      'claim default/c: selector #0: CEL runtime error: no such key: y',
    ],
  ])('%s', (_case, devices, expected) => expect(allocate(devices)).toEqual(expected));
});

const TAINTED = slice('n', {}, [{ taints: [{ key: 'broken', effect: 'NoSchedule' }] }]);
const one: DeviceClaim = { requests: [request('r')] };
const tolerant: DeviceClaim = { requests: [request('r', { tolerations: [{ operator: 'Exists' }] })] };
const zoned = (zone: string): object => ({
  nodeName: undefined,
  nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }] },
});

test.each<[string, DeviceClaim, readonly KubeObject[], readonly string[], unknown]>([
  ['one that is taken', one, [FOUR], ['d/n/d0'], ['r: d1']],
  ['all of which one is taken', { requests: [request('r', { allocationMode: 'All' })] }, [FOUR], ['d/n/d0'], undefined],
  [
    'one that is taken, as an administrator',
    { requests: [request('r', { adminAccess: true })] },
    [FOUR],
    ['d/n/d0'],
    ['r: d0'],
  ],
  ['a device with a taint', one, [TAINTED], [], undefined],
  ['a device whose taint is tolerated', tolerant, [TAINTED], [], ['r: d0']],
  ['a device of another node', one, [slice('m')], [], undefined],
  ['a device of the zone', one, [slice('n', zoned('a'))], [], ['r: d0']],
  ['a device of another zone', one, [slice('n', zoned('b'))], [], undefined],
  [
    'a pool whose slices are not all there',
    one,
    [slice('n', { pool: { name: 'n', generation: 1, resourceSliceCount: 2 } })],
    [],
    undefined,
  ],
  [
    'a pool whose newest generation has none',
    one,
    [slice('n'), slice('n', { pool: { name: 'n', generation: 2, resourceSliceCount: 1 } }, [])],
    [],
    undefined,
  ],
  [
    'devices with places of their own',
    one,
    [slice('n', { nodeName: undefined, perDeviceNodeSelection: true }, [{ nodeName: 'm' }, { nodeName: 'n' }])],
    [],
    ['r: d1'],
  ],
])('%s', (_case, devices, slices, taken, expected) => expect(allocate(devices, slices, taken)).toEqual(expected));

test('an allocation says where its devices are, and how they are set up', () => {
  const opaque = { driver: 'd', parameters: { a: 1 } };
  const ofClass = object('DeviceClass', 'any', { spec: { config: [{ opaque }] } });
  const claim = claimOf({
    requests: [request('r')],
    config: [
      { requests: ['r'], opaque },
      { requests: ['x'], opaque },
    ],
  });
  const wishes = wishesOf(claim, readerOf([ofClass]));
  if (typeof wishes === 'string') throw new Error(wishes);
  const found = allocateDevices([wishes], new PublishedDevices([FOUR as ResourceSlice]), NODE, new Set());
  if (!found || typeof found === 'string') throw new Error('no device');
  expect(allocationResult(claim, found.get(claim)!, NODE)).toEqual({
    devices: {
      results: [{ request: 'r', driver: 'd', pool: 'n', device: 'd0' }],
      config: [
        { source: 'FromClass', requests: ['r'], opaque },
        { source: 'FromClaim', requests: ['r'], opaque },
      ],
    },
    nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }] },
  });
});

test('what administrators look at is taken from nobody', () => {
  const results = [
    { request: 'r', driver: 'd', pool: 'n', device: 'd0' },
    { request: 'r', driver: 'd', pool: 'n', device: 'd1', adminAccess: true },
  ];
  const claims = readerOf([
    object('ResourceClaim', 'c', { spec: {}, status: { allocation: { devices: { results } } } }),
  ]);
  expect([...takenDevices(claims.list(ResourceClaims))]).toEqual(['d/n/d0']);
});

test('selectors that cost too much together are given up', () => {
  const many = Array.from({ length: 128 }, (_, i) => ({ attributes: { i: { int: i } } }));
  const list = `[${Array.from({ length: 60 }, (_, i) => i).join(',')}]`;
  const costly = `${list}.all(a, ${list}.all(b, ${list}.exists(c, c == 59) && a + b >= 0)) && device.attributes["d"].i > 200`;
  expect(allocate({ requests: [request('r', cel(costly))] }, [slice('n', {}, many)])).toMatch(/cost limit exceeded$/);
});
