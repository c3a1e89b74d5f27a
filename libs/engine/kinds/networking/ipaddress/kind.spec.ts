import { expect, test } from '@jest/globals';
import { errorsOf, make, row } from '../../testing.js';
import { kind as IPAddresses } from './kind.js';

test.each<[string, string[]]>([
  [
    'nonsense',
    ['metadata.name: Invalid value: "nonsense": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
  ['2001:DB8::1', ['metadata.name: Invalid value: "2001:DB8::1": must be in canonical form ("2001:db8::1")']],
  ['10.96.0.1', []],
])('an IPAddress called %s', (name, errors) =>
  expect(
    errorsOf(IPAddresses, {
      metadata: { name },
      spec: { parentRef: { resource: 'services', name: 'kubernetes', namespace: 'default' } },
    }),
  ).toEqual(errors),
);

test('an IPAddress prints what it belongs to', () =>
  expect(
    row(
      IPAddresses,
      make(IPAddresses, { spec: { parentRef: { resource: 'services', name: 'kubernetes', namespace: 'default' } } }),
    )['ParentRef'],
  ).toBe('services/default/kubernetes'));
