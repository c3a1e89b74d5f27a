import { describe, expect, test } from '@jest/globals';
import {
  canonicalBase64,
  decodeBase64,
  decodeBase64Text,
  decodeBase64Url,
  encodeBase64,
  encodeBase64Url,
  findIllegalByte,
} from './base64.js';

test.each([
  ['', ''],
  ['f', 'Zg=='],
  ['fo', 'Zm8='],
  ['foo', 'Zm9v'],
  ['grün €𝄞', 'Z3LDvG4g4oKs8J2Eng=='],
])('%j is %s', (text, encoded) => {
  expect(encodeBase64(text)).toBe(encoded);
  expect(decodeBase64Text(encoded)).toBe(text);
});

test('every byte survives', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
  expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
});

test.each([
  ['bits beyond the last whole byte', 'Zh==', [0x66]],
  ['line breaks', 'Zm\r\n9v', [0x66, 0x6f, 0x6f]],
  ['characters outside the alphabet', 'Z m*9v', [0x66, 0x6f, 0x6f]],
  ['a lone digit at the end', 'Zm9vA', [0x66, 0x6f, 0x6f]],
])('decoding skips %s', (_, text, bytes) => expect([...decodeBase64(text)]).toEqual(bytes));

test('what is not UTF-8 becomes U+FFFD, a byte order mark stays', () => {
  expect(decodeBase64Text(encodeBase64(Uint8Array.of(0x61, 0xff, 0x62)))).toBe('a\ufffdb');
  expect(decodeBase64Text('77u/YQ==')).toBe('\ufeffa');
});

test('URLs get their own alphabet and no padding', () => {
  expect(encodeBase64Url('>>>?f')).toBe('Pj4-P2Y');
  expect(encodeBase64Url(Uint8Array.of(0xff, 0xff, 0xff))).toBe('____');
  expect([...decodeBase64Url('Pj4-_2Y')]).toEqual([0x3e, 0x3e, 0x3e, 0xff, 0x66]);
});

describe("Go's decoder", () => {
  test.each([
    ['', -1],
    ['Zm8=', -1],
    ['Zm9v\nZm9v\n', -1],
    ['Zg=\n=', -1],
    ['Zh==', -1],
    ['Zm9v*A==', 4],
    ['Zm9v Zm8=', 4],
    ['grün', 2],
    ['Z', 0],
    ['Zm9vZm', 4],
    ['=', 0],
    ['Z===', 1],
    ['Zg=', 3],
    ['Zg=a', 2],
    ['Zg==Zg==', 4],
    ['Zm8=Zm8=', 4],
  ])('of %j gives up at byte %i', (text, at) => expect(findIllegalByte(text)).toBe(at));
  test('prints without line breaks', () => expect(canonicalBase64('Zm9v\r\nZm8=\n')).toBe('Zm9vZm8='));
});
