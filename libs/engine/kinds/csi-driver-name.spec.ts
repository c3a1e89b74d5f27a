import { expect, test } from '@jest/globals';
import { Path } from '../machinery/meta/field.js';
import { validateCSIDriverName } from './csi-driver-name.js';

test.each<[string | undefined, string[]]>([
  ['csi.example.com', []],
  ['CSI.Example.com', []],
  ['a'.repeat(64), ['driver: Too long: may not be more than 63 bytes']],
  [
    'csi_driver',
    [
      "driver: Invalid value: \"csi_driver\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
])('%s', (name, errors) =>
  expect(validateCSIDriverName(Path.of('driver'), name).map((error) => error.message)).toEqual(errors),
);

test('a name is required', () =>
  expect(validateCSIDriverName(Path.of('driver'), '')[0]!.message).toBe('driver: Required value'));
