import { expect, test } from '@jest/globals';
import { BYTES, FIXED32, FIXED64, VARINT } from './protobuf-wire.js';
import { WireReader } from './wire-reader.js';

const reader = (...bytes: number[]): WireReader => new WireReader(Uint8Array.from(bytes));
const refusal = (message: string) =>
  expect.objectContaining({ code: 400, message: `proto: ${message} in the request body` });
const FULL = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];

test.each([
  [[0], 0],
  [[0x7f], 127],
  [[0x96, 1], 150],
  [[0xff, 0xff, 0xff, 0xff, 0x0f], 2 ** 32 - 1],
  [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f], 2 ** 53 - 1],
  [[...FULL, 1], -1],
  [[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1], -(2 ** 63)],
  [[0x81, 0], 1],
])('the varint %j is %d', (bytes, value) => expect(reader(...bytes).varint()).toBe(value));

test.each([
  ['a varint that ends early', () => reader(0x80).varint(), 'unexpected EOF'],
  ['a varint of eleven bytes', () => reader(...FULL, 0x80, 1).varint(), 'integer overflow'],
  ['a varint beyond 64 bits', () => reader(...FULL, 2).varint(), 'integer overflow'],
  ['field 0', () => reader(2).tag(), 'illegal tag 0'],
  ['a text that ends early', () => reader(3, 0x61).string(), 'unexpected EOF'],
  ['a message that ends early', () => reader(3, 0x61).message(), 'unexpected EOF'],
  ['a negative length', () => reader(...FULL, 1).raw(), 'negative length found'],
  ['a double that ends early', () => reader(1, 2, 3).double(), 'unexpected EOF'],
  ['a group', () => reader(0).skip(3), 'illegal wireType 3'],
  ['an unknown wire type', () => reader(0).skip(7), 'illegal wireType 7'],
  ['text that is not UTF-8', () => reader(1, 0xff).string(), undefined],
])('%s is refused', (_, read, message) =>
  expect(read).toThrow(message === undefined ? expect.objectContaining({ code: 400 }) : refusal(message)),
);

test('a nested message ends where it says', () => {
  const outer = reader(2, 0x96, 1, 5);
  const inner = outer.message();
  expect([inner.varint(), inner.done, outer.varint(), outer.done]).toEqual([150, true, 5, true]);
  expect(() => inner.varint()).toThrow(refusal('unexpected EOF'));
});

test('fields are read, and skipped by their type', () => {
  expect(reader(0x12).tag()).toEqual({ number: 2, wire: BYTES });
  expect(reader(0, 0, 0, 0, 0, 0, 0xf8, 0x3f).double()).toBe(1.5);
  for (const [wire, size] of [
    [VARINT, 1],
    [FIXED64, 8],
    [FIXED32, 4],
  ] as const) {
    const bytes = reader(...Array<number>(size).fill(1), 9);
    bytes.skip(wire);
    expect(bytes.varint()).toBe(9);
  }
  const text = reader(2, 0x61, 0x62, 9);
  text.skip(BYTES);
  expect(text.varint()).toBe(9);
});
