import { expect, test } from '@jest/globals';
import { AGE, create, errorsOf, row, updateErrors } from '../../testing.js';
import { kind as EndpointSlices } from './kind.js';

const slice = { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.0.5'] }], ports: [{ port: 80 }] };
test.each<[object, string[]]>([
  [{ addressType: undefined }, ['addressType: Required value']],
  [{ endpoints: [{ addresses: [] }] }, ['endpoints[0].addresses: Required value: must contain at least 1 address']],
  [
    { endpoints: [{ addresses: ['127.0.0.1'] }] },
    ['endpoints[0].addresses[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  ],
  [{ endpoints: [{ addresses: ['::2'] }] }, ['endpoints[0].addresses: Invalid value: "::2": must be an IPv4 address']],
  [{ ports: [{ port: 80 }, { port: 81 }] }, ['ports[1].name: Duplicate value: ""']],
  [
    { ports: [{ port: 80, protocol: 'ICMP' }] },
    ['ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"'],
  ],
  [{}, []],
])('an EndpointSlice with %j', (fields, errors) =>
  expect(errorsOf(EndpointSlices, { ...slice, ...fields })).toEqual(errors),
);

test('an EndpointSlice keeps its address type', () =>
  expect(updateErrors(EndpointSlices, slice, { ...slice, addressType: 'IPv6' })).toEqual([
    'addressType: Invalid value: "IPv6": field is immutable',
  ]));
test('an EndpointSlice prints', () => {
  const endpoints = ['10.1.0.5', '10.1.0.6', '10.1.0.7', '10.1.0.8'].map((a) => ({ addresses: [a] }));
  expect(row(EndpointSlices, create(EndpointSlices, { ...slice, endpoints }))).toEqual({
    Name: 'a',
    AddressType: 'IPv4',
    Ports: '80',
    Endpoints: '10.1.0.5,10.1.0.6,10.1.0.7 + 1 more...',
    Age: AGE,
  });
  expect(row(EndpointSlices, create(EndpointSlices, { addressType: 'IPv4' }))).toMatchObject({
    Ports: '<unset>',
    Endpoints: '<unset>',
  });
});
