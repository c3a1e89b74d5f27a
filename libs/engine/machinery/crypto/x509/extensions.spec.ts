import { expect, test } from '@jest/globals';
import { oid, readDer, sequence, TRUE } from './der.js';
import {
  EXTENSION,
  readAlternativeNames,
  readExtensions,
  writeAlternativeNames,
  writeExtension,
  writeKeyUsage,
} from './extensions.js';

test('are found by their identifier', () => {
  const list = readDer(
    sequence(
      writeExtension(EXTENSION.basicConstraints, true, sequence(TRUE)),
      writeExtension(EXTENSION.extendedKeyUsage, false, sequence(oid('1.3.6.1.5.5.7.3.1'))),
    ),
  );
  const found = readExtensions(list);
  expect([...found.keys()]).toEqual([EXTENSION.basicConstraints, EXTENSION.extendedKeyUsage]);
  expect([...found.get(EXTENSION.basicConstraints)!]).toEqual([0x30, 3, 1, 1, 0xff]);
  expect(readExtensions(undefined).size).toBe(0);
});

test.each([
  [[0], [3, 2, 7, 0x80]],
  [
    [0, 2],
    [3, 2, 5, 0xa0],
  ],
  [
    [0, 5],
    [3, 2, 2, 0x84],
  ],
  [[8], [3, 3, 7, 0, 0x80]],
])('key usages %j are bits', (usages, bytes) =>
  expect([...writeKeyUsage(new Set(usages)).slice(-bytes.length)]).toEqual(bytes),
);

test('alternative names', () => {
  const extension = readExtensions(
    readDer(sequence(writeAlternativeNames({ dns: ['a.example', 'b'], addresses: [Uint8Array.of(10, 0, 0, 1)] }))),
  ).get(EXTENSION.alternativeNames);
  expect(readAlternativeNames(extension)).toEqual({
    dns: ['a.example', 'b'],
    emails: [],
    uris: [],
    addresses: [Uint8Array.of(10, 0, 0, 1)],
    raw: extension,
  });
  expect(readAlternativeNames(undefined).dns).toEqual([]);
});
