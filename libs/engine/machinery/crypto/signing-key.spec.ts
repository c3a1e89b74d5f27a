import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { deriveKey, SigningKey } from './signing-key.js';

const key = new SigningKey(deriveKey('a secret', 'tests'));
const MESSAGE = Buffer.from('a message');

test('a key follows from secret and purpose', () => {
  expect(deriveKey('a secret', 'tests')).toEqual(deriveKey('a secret', 'tests'));
  expect(deriveKey('a secret', 'tests')).not.toEqual(deriveKey('a secret', 'more tests'));
  expect(deriveKey('another secret', 'tests')).not.toEqual(deriveKey('a secret', 'tests'));
});

test.each([
  ['compact', 'ieee-p1363'],
  ['der', 'der'],
] as const)('OpenSSL verifies its %s signatures by its public key', (format, dsaEncoding) => {
  const publicKey = createPublicKey({ key: Buffer.from(key.publicKey), type: 'spki', format: 'der' });
  expect(verify('sha256', MESSAGE, { key: publicKey, dsaEncoding }, key.sign(MESSAGE, format))).toBe(true);
});

test('signs the same message the same way', () =>
  expect(key.sign(MESSAGE, 'compact')).toEqual(key.sign(MESSAGE, 'compact')));

test.each([
  ['its own signature', MESSAGE, key.sign(MESSAGE, 'compact'), true],
  ['that of another message', MESSAGE, key.sign(Buffer.from('x'), 'compact'), false],
  ['one in DER', MESSAGE, key.sign(MESSAGE, 'der'), false],
  ['none', MESSAGE, new Uint8Array(), false],
])('verifies %s: %s', (_, message, signature, valid) => expect(key.verify(message, signature)).toBe(valid));
