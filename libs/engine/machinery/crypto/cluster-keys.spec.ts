import { expect, test } from '@jest/globals';
import { authorityKey, ClusterKeys, tokenKey } from './cluster-keys.js';

test('the same secret leads to the same keys', () => {
  const [a, b] = [new ClusterKeys('a secret'), new ClusterKeys('a secret')];
  expect([b.authority.pem, b.tokens.id]).toEqual([a.authority.pem, a.tokens.id]);
  expect(a.authority).toBe(a.authority);
});

test('another secret leads to other keys', () => {
  const [a, b] = [new ClusterKeys('a secret'), new ClusterKeys('another')];
  expect(b.authority.pem).not.toBe(a.authority.pem);
  expect(b.tokens.id).not.toBe(a.tokens.id);
});

test('the authority and the tokens have different keys', () => expect(authorityKey('a')).not.toEqual(tokenKey('a')));
