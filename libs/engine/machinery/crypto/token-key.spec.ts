import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { deriveKey, SigningKey } from './signing-key.js';
import { TokenKey } from './token-key.js';

const makeKey = (secret: string): TokenKey => new TokenKey(new SigningKey(deriveKey(secret, 'tokens')));
const key = makeKey('a secret');
const token = key.sign({ sub: 'jane', n: 1 });
const [header = '', claims = '', signature = ''] = token.split('.');
const parse = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

test('signs a JSON Web Token', () => {
  expect(parse(header)).toEqual({ alg: 'ES256', kid: key.id });
  expect(parse(claims)).toEqual({ sub: 'jane', n: 1 });
});

test('whoever has the published key can verify it', () => {
  const publicKey = createPublicKey({ key: { ...key.jwk }, format: 'jwk' });
  expect(
    verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    ),
  ).toBe(true);
  expect(key.jwk).toMatchObject({ use: 'sig', kty: 'EC', crv: 'P-256', alg: 'ES256', kid: key.id });
});

test('reads the claims of its own token, also a second time', () => {
  expect(key.verify(token)).toEqual({ sub: 'jane', n: 1 });
  expect(key.verify(token)).toEqual({ sub: 'jane', n: 1 });
});

const forged = Buffer.from('{"sub":"root"}').toString('base64url');
test.each([
  ['nothing', ''],
  ['text', 'x'],
  ['other claims', `${header}.${forged}.${signature}`],
  ['another header', `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.${signature}`],
  ['no signature', `${header}.${claims}.`],
  ['a fourth part', `${token}.x`],
  ['a token of another key', makeKey('another').sign({ sub: 'jane' })],
  ['a token that is too long', key.sign({ sub: 'x'.repeat(16_384) })],
])('refuses %s', (_, text) => expect(key.verify(text)).toBeUndefined());
