import { expect, test } from '@jest/globals';
import { SeededRandom } from '../../../machinery/random.js';
import { decodeBinary, encodeBinary, isBinary } from './binary-text.js';

const random = new SeededRandom(7);
const noise = (length: number): string =>
  Array.from({ length }, () => String.fromCharCode(Math.floor(random.next() * 256))).join('');

test.each([0, 1, 2, 3, 4, 255, 20_000])('%i bytes come back', (length) => {
  const bytes = noise(length);
  const text = encodeBinary(bytes);
  expect(text).toBe(Buffer.from(bytes, 'latin1').toString('base64'));
  expect(decodeBinary(text)).toBe(bytes);
});

test.each<[string, string, boolean]>([
  ['noise', noise(3_000), true],
  ['zeros', '\0'.repeat(100), true],
  ['lines', 'one\ntwo "three"\n'.repeat(50), false],
  ['UTF-8 of a few letters', Buffer.from('Grüße aus Köln, schöne Straße').toString('latin1'), false],
  ['nothing', '', false],
])('%s: %#', (_name, bytes, expected) => {
  expect(isBinary(bytes)).toBe(expected);
  const texts = [JSON.stringify(bytes), JSON.stringify(encodeBinary(bytes))].map((text) => Buffer.byteLength(text));
  expect(texts[0]! > texts[1]!).toBe(expected);
});
