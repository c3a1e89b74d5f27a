import { describe, expect, test } from '@jest/globals';
import { AGE, create, errorsOf, make, row, updateErrors } from '../testing.js';
import { kind as DeviceClasses } from './deviceclass/kind.js';
import { kind as Claims } from './resourceclaim/kind.js';
import { kind as Slices } from './resourceslice/kind.js';

const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const request = { name: 'gpu', exactly: { deviceClassName: 'gpu.example.com' } };
const claim = (...requests: object[]): Record<string, unknown> => ({ spec: { devices: { requests } } });

describe('a ResourceClaim', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['that is good', claim(request), []],
    ['of one name twice', claim(request, request), ['spec.devices.requests[1].name: Duplicate value: "gpu"']],
    ['of no name', claim({ exactly: request.exactly }), [`spec.devices.requests[0].name: Invalid value: "": ${LABEL}`]],
    [
      'of an unknown toleration',
      claim({ name: 'gpu', exactly: { ...request.exactly, tolerations: [{ operator: 'Maybe', effect: 'None' }] } }),
      [
        'spec.devices.requests[0].exactly.tolerations[0].operator: Unsupported value: "Maybe": supported values: "Equal", "Exists"',
      ],
    ],
    [
      'with a number for a selector',
      claim({
        name: 'gpu',
        exactly: { ...request.exactly, selectors: [{ cel: { expression: 'device.capacity.size() + 1' } }] },
      }),
      [
        'spec.devices.requests[0].exactly.selectors[0].cel.expression: Invalid value: "device.capacity.size() + 1": must evaluate to bool or the unknown type, not int',
      ],
    ],
    [
      'with a constraint without a domain',
      { spec: { devices: { requests: [request], constraints: [{ matchAttribute: 'model' }] } } },
      [
        'spec.devices.constraints[0].matchAttribute: Invalid value: "model": a fully qualified name must be a domain and a name separated by a slash',
      ],
    ],
    [
      'of no class',
      claim({ name: 'gpu', exactly: {} }),
      ['spec.devices.requests[0].exactly.deviceClassName: Required value'],
    ],
    [
      'of all and some',
      claim({ name: 'gpu', exactly: { ...request.exactly, allocationMode: 'All', count: 2 } }),
      ["spec.devices.requests[0].exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'"],
    ],
  ])('%s', (_, fields, errors) => expect(errorsOf(Claims, fields)).toEqual(errors));

  test('asks for one device exactly', () =>
    expect(create(Claims, claim(request)).spec.devices!.requests![0]!.exactly).toEqual({
      deviceClassName: 'gpu.example.com',
      allocationMode: 'ExactCount',
      count: 1,
    }));
  test('cannot change', () =>
    expect(updateErrors(Claims, claim(request), claim())).toEqual([
      'spec: Invalid value: {"Devices":{"Requests":[],"Constraints":null,"Config":null}}: field is immutable',
    ]));

  test.each<[object, object, string]>([
    [{}, {}, 'pending'],
    [{}, { allocation: {} }, 'allocated'],
    [{}, { allocation: {}, reservedFor: [{}] }, 'allocated,reserved'],
    [{ deletionTimestamp: 'x' }, { allocation: {} }, 'deleted,allocated'],
  ])('with %j and %j is %s', (metadata, status, state) =>
    expect(row(Claims, make(Claims, { metadata, status }))).toEqual({ Name: 'a', State: state, Age: AGE }),
  );
});

test('a DeviceClass has expressions', () =>
  expect(errorsOf(DeviceClasses, { spec: { selectors: [{ cel: {} }] } })).toEqual([
    `spec.selectors[0].cel.expression: Invalid value: "": compilation failed: ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}`,
  ]));

test.each<[object, string[]]>([
  [{ driver: 'd.io', nodeName: 'n', pool: { name: 'p', resourceSliceCount: 1, generation: 0 } }, []],
  [
    { driver: 'd.io', pool: { name: 'p', resourceSliceCount: 0, generation: 0 } },
    [
      'spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero',
      'spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required',
    ],
  ],
])('a ResourceSlice of %j', (spec, errors) => expect(errorsOf(Slices, { spec })).toEqual(errors));

describe('the status of a claim', () => {
  const result = { request: 'gpu', driver: 'd.io', pool: 'p', device: 'd1' };
  const before = make(Claims, claim(request));
  test.each<[string, object, string[]]>([
    [
      'with a device',
      { allocation: { devices: { results: [result] } }, devices: [{ driver: 'd.io', pool: 'p', device: 'd1' }] },
      [],
    ],
    [
      'with a device of no allocation',
      { devices: [{ driver: 'd.io', pool: 'p', device: 'd1' }] },
      [
        'status.devices[0]: Invalid value: {"Driver":"d.io","Pool":"p","Device":"d1","ShareID":""}: must be an allocated device in the claim',
      ],
    ],
    [
      'reserved without an allocation',
      { reservedFor: [{ resource: 'pods', name: 'a' }] },
      [
        'status.reservedFor[0].uid: Required value',
        'status.reservedFor: Forbidden: may not be specified when `allocated` is not set',
      ],
    ],
    [
      'of another request',
      { allocation: { devices: { results: [{ ...result, request: 'cpu' }] } } },
      [
        'status.allocation.devices.results[0].request: Invalid value: "cpu": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
      ],
    ],
  ])('%s', (_, status, errors) =>
    expect(
      Claims.validateStatusUpdate!(make(Claims, { ...claim(request), status }), before, {} as never).map(
        (e) => e.message,
      ),
    ).toEqual(errors),
  );
});

describe('the devices of a ResourceSlice', () => {
  const slice = (device: object, more: object = { nodeName: 'n' }): Record<string, unknown> => ({
    spec: {
      driver: 'd.io',
      pool: { name: 'p', resourceSliceCount: 1, generation: 0 },
      ...more,
      devices: [{ name: 'd', ...device }],
    },
  });
  const shared = (requestPolicy: object): object => ({
    allowMultipleAllocations: true,
    capacity: { m: { value: '10', requestPolicy } },
  });
  test.each<[string, object, string[]]>([
    ['good', { attributes: { a: { int: 1 }, 'x.io/b': { strings: ['s'] } }, capacity: { m: { value: '1Gi' } } }, []],
    [
      'an attribute without a value',
      { attributes: { a: {} } },
      ['attributes[a]: Invalid value: "": exactly one value must be specified'],
    ],
    [
      'a version that is none',
      { attributes: { a: { version: '1.2' } } },
      ['attributes[a].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0'],
    ],
    [
      'an empty list',
      { attributes: { a: { ints: [] } } },
      ['attributes[a].ints: Invalid value: []: must not be empty if specified'],
    ],
    [
      'an unknown taint',
      { taints: [{ key: 'k', effect: 'Never' }] },
      ['taints[0].effect: Unsupported value: "Never": supported values: "NoExecute", "NoSchedule", "None"'],
    ],
    [
      'a place of its own',
      { nodeName: 'n' },
      [
        ': Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
      ],
    ],
    [
      'a policy of what is not shared',
      { capacity: { m: { value: '1', requestPolicy: {} } } },
      ['capacity[m].requestPolicy: Forbidden: allowMultipleAllocations must be true'],
    ],
    [
      'a step that misses the default',
      shared({ default: '4', validRange: { min: '1', step: '2' } }),
      [
        'capacity[m].requestPolicy.validRange.step: Invalid value: "4": value is not a multiple of a given step (2) from (1)',
      ],
    ],
    [
      'a default that cannot be chosen',
      shared({ default: '4', validValues: ['1', '2'] }),
      [
        'capacity[m].requestPolicy.validValues: Invalid value: "4": default value is not valid according to the requestPolicy',
      ],
    ],
    [
      'conditions without failures',
      { bindingConditions: ['a'] },
      ['bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions'],
    ],
  ])('%s', (_, device, errors) =>
    expect(errorsOf(Slices, slice(device)).map((e) => e.replace(/^spec\.devices\[0\]\.?/, ''))).toEqual(errors),
  );

  test('or shared counters', () =>
    expect(errorsOf(Slices, slice({}, { nodeName: 'n', sharedCounters: [{ name: 'c', counters: {} }] }))).toEqual([
      'spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed',
      'spec.sharedCounters[0].counters: Required value',
    ]));
  test('a taint gets its time', () =>
    expect(
      create(Slices, slice({ taints: [{ key: 'k', effect: 'None' }] })).spec.devices![0]!.taints![0]!.timeAdded,
    ).toMatch(/^\d{4}-.*Z$/));
});
