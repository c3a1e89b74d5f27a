import { expect, test } from '@jest/globals';
import { digestOf } from './digest.js';

test('64 hexadecimal digits, the same for the same text', () => {
  expect(digestOf('nginx')).toMatch(/^[0-9a-f]{64}$/);
  expect(digestOf('nginx')).toBe(digestOf('nginx'));
  expect(digestOf('nginx')).not.toBe(digestOf('redis'));
});
