import { describe, expect, test } from '@jest/globals';
import { AGE, create, errorsOf, make, row, updateErrors } from '../../testing.js';
import { kind as Claims } from './kind.js';

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
