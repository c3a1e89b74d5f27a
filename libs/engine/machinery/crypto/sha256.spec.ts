import { expect, test } from '@jest/globals';
import crypto from 'node:crypto';
import { hex, hmac, sha256 } from './sha256.js';

test.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['a'.repeat(119), '31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb'],
  [Uint8Array.of(0x61, 0x62, 0x63), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
])('the hash of %j', (data, digest) => expect(hex(sha256(data))).toBe(digest));

// RFC 4231, test case 2.
test('the HMAC of a text', () =>
  expect(hex(hmac('Jefe', 'what do ya want for nothing?'))).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ));

test.each([
  ['', ''],
  ['key', 'The quick brown fox'],
  ['k'.repeat(100), 'x'.repeat(1000)],
])('the HMAC with the key %j is that of Node.js', (key, text) =>
  expect(hex(hmac(key, text))).toBe(crypto.createHmac('sha256', key).update(text).digest('hex')),
);

test('hex has two digits a byte', () => expect(hex(Uint8Array.of(0, 0xa, 0xff))).toBe('000aff'));
