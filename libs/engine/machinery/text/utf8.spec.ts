import { expect, test } from '@jest/globals';
import { decodeUtf8, decodeUtf8Lossy, encodeUtf8, truncateUtf8, utf8Length } from './utf8.js';

test.each(['', 'abc', 'é€𝄞'])('%j survives', (text) => expect(decodeUtf8(encodeUtf8(text))).toBe(text));

test.each([
  ['a lone continuation byte', [0x61, 0x80], 'a\ufffd'],
  ['an overlong form', [0xc0, 0xaf], '\ufffd\ufffd'],
  ['a surrogate', [0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
])('%s is refused, or replaced', (_, bytes, text) => {
  expect(() => decodeUtf8(Uint8Array.from(bytes))).toThrow(
    expect.objectContaining({ code: 400, message: 'invalid UTF-8 in the request body' }),
  );
  expect(decodeUtf8Lossy(Uint8Array.from(bytes))).toBe(text);
});

test('a byte order mark is skipped, or kept', () => {
  const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61);
  expect([decodeUtf8(bytes), decodeUtf8Lossy(bytes)]).toEqual(['a', '\ufeffa']);
});

test.each(['', 'abc', 'é€𝄞', '\ud834x'])('%j has as many bytes as its encoding', (text) =>
  expect(utf8Length(text)).toBe(encodeUtf8(text).length),
);

test.each([
  ['abc', 0, ''],
  ['abc', 2, 'ab'],
  ['abc', 9, 'abc'],
  ['aéb', 2, 'a'],
  ['aéb', 3, 'aé'],
  ['€€', 5, '€'],
  ['a𝄞b', 4, 'a'],
  ['a𝄞b', 5, 'a𝄞'],
])('%s in %d bytes is %s', (text, bytes, expected) => expect(truncateUtf8(text, bytes)).toBe(expected));
