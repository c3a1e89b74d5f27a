import { expect, test } from '@jest/globals';
import { idempotencyKeyOf } from './idempotency-key.js';

const keyOf = (value: string | undefined) => idempotencyKeyOf({ headers: { 'idempotency-key': value } });

test.each([[undefined], ['a'], ['8e03978e-40d5-43dd-bc93-6894a57f9324'], ['x'.repeat(255)]])(
  '%.40j is taken',
  (value) => expect(keyOf(value)).toBe(value),
);

test.each([
  ['', 'Idempotency-Key: Too small: expected string to have >=1 characters'],
  ['a b', 'Idempotency-Key: must be visible ASCII characters'],
  ['ä', 'Idempotency-Key: must be visible ASCII characters'],
  ['x'.repeat(256), 'Idempotency-Key: Too big: expected string to have <=255 characters'],
])('%.40j is refused', (value, message) =>
  expect(() => keyOf(value)).toThrow(expect.objectContaining({ status: 400, message })),
);
