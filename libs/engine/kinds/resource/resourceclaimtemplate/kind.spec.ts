import { expect, test } from '@jest/globals';
import { AGE, create, errorsOf, make, row, updateErrors } from '../../testing.js';
import { kind } from './kind.js';

const claim = (...requests: object[]): Record<string, unknown> => ({ spec: { spec: { devices: { requests } } } });
const request = { name: 'gpu', exactly: { deviceClassName: 'gpu.example.com' } };

test.each<[string, Record<string, unknown>, string[]]>([
  ['that is good', claim(request), []],
  [
    'of no class',
    claim({ name: 'gpu', exactly: {} }),
    ['spec.spec.devices.requests[0].exactly.deviceClassName: Required value'],
  ],
  [
    'whose claims have a bad label',
    { spec: { metadata: { labels: { a: '-' } }, spec: { devices: { requests: [request] } } } },
    [expect.stringContaining('spec.metadata.labels: Invalid value: "-": a valid label must be') as unknown as string],
  ],
])('a template %s', (_, fields, errors) => expect(errorsOf(kind, fields)).toEqual(errors));

test('fills in its claims as a ResourceClaim', () =>
  expect(create(kind, claim(request)).spec.spec.devices!.requests![0]!.exactly).toEqual({
    deviceClassName: 'gpu.example.com',
    allocationMode: 'ExactCount',
    count: 1,
  }));

test('cannot change', () =>
  expect(updateErrors(kind, claim(request), claim(request, { ...request, name: 'other' }))).toEqual([
    expect.stringMatching(/^spec: Invalid value: .*: field is immutable$/),
  ]));

test('prints its name and age', () => expect(row(kind, make(kind))).toEqual({ Name: 'a', Age: AGE }));
