import { createPrivateKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { deriveKey, SigningKey } from '../signing-key.js';
import { encodeEcKey } from './ec-key.js';

test('OpenSSL reads the key, and finds its point', () => {
  const secret = deriveKey('secret', 'test');
  const read = createPrivateKey(encodeEcKey(secret));
  const { x, y } = read.export({ format: 'jwk' });
  const point = Buffer.concat([Uint8Array.of(4), ...[x, y].map((n) => Buffer.from(n!, 'base64url'))]);
  expect([...point]).toEqual([...new SigningKey(secret).point]);
});
