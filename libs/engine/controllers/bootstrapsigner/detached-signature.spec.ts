import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { signDetached } from './detached-signature.js';

test.each([
  ['apiVersion: v1\n', 'abcdef', '0123456789abcdef'],
  ['ümlaut', 'zzzzzz', 'aaaaaaaaaaaaaaaa'],
])('the signature of %j by %s is one that others verify', (content, id, secret) => {
  const [header, payload, signature] = signDetached(content, { id, secret }).split('.');
  expect(JSON.parse(Buffer.from(header!, 'base64url').toString())).toEqual({ alg: 'HS256', kid: id });
  expect(payload).toBe('');
  const signed = `${header}.${Buffer.from(content).toString('base64url')}`;
  expect(signature).toBe(createHmac('sha256', secret).update(signed).digest('base64url'));
});
