import { expect, test } from '@jest/globals';
import { drawKey } from './randomart.js';

test('the bishop stays on the board, and leaves where it began and where it ended', () => {
  const rows = drawKey(
    Uint8Array.from({ length: 32 }, (_, i) => (i * 37) & 255),
    'ED25519',
    256,
  ).split('\n');
  expect([rows[0], rows.at(-2), rows.length]).toEqual(['+--[ED25519 256]--+', '+----[SHA256]-----+', 12]);
  const field = rows.slice(1, 10).join('');
  expect([field.split('S').length, field.split('E').length, /[^ .o+=*BOX@%&#/^SE|]/.test(field)]).toEqual([
    2,
    2,
    false,
  ]);
});

test.each([
  [Uint8Array.of(0), '|    E            |'],
  [Uint8Array.of(255), '|            E    |'],
])('by two bits a step: %j', (hash, row) => expect(drawKey(hash, 'RSA', 1).split('\n')).toContain(row));
