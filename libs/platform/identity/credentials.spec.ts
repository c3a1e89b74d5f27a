import { expect, test } from '@jest/globals';
import { bearerToken, credentialOf, generateKey, generateOperatorKey, hashKey, isEqualSecret } from './credentials.js';

test('each key is another, and tells what it is', () => {
  expect(generateKey()).toMatch(/^tk_[\w-]{32}$/);
  expect(generateOperatorKey()).toMatch(/^op_[\w-]{32}$/);
  expect(generateKey()).not.toBe(generateKey());
});

test('a hash is SHA-256 in hexadecimal digits', () =>
  expect(hashKey('a')).toBe('ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'));

test.each([
  ['Bearer tk_a', 'tk_a'],
  ['bearer  tk_a ', 'tk_a'],
  ['BEARER tk_a', 'tk_a'],
  ['Bearer ', ''],
  ['Bearer', undefined],
  ['Basic tk_a', undefined],
  ['', undefined],
  [undefined, undefined],
])('%j carries %j', (header, token) => expect(bearerToken(header)).toBe(token));

test('what is too long is no credential', () => {
  expect(credentialOf(`Bearer tk_${'x'.repeat(497)}`)).toHaveLength(500);
  expect(credentialOf(`Bearer tk_${'x'.repeat(498)}`)).toBeUndefined();
  expect(credentialOf(undefined)).toBeUndefined();
});

test.each([
  ['secret', 'secret', true],
  ['secret', 'secreT', false],
  ['secret', 'secret ', false],
  ['', '', true],
  ['', 'x', false],
])('%j and %j are equal: %s', (a, b, equal) => expect(isEqualSecret(a, b)).toBe(equal));
