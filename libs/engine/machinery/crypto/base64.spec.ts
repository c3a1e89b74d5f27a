import { expect, test } from '@jest/globals';
import { base64Decode, base64Encode, base64Url } from './base64.js';

test.each([
  ['', ''],
  ['f', 'Zg=='],
  ['fo', 'Zm8='],
  ['foo', 'Zm9v'],
  ['grün €𝄞', 'Z3LDvG4g4oKs8J2Eng=='],
])('%j is %s', (text, encoded) => {
  expect(base64Encode(text)).toBe(encoded);
  expect(base64Decode(encoded)).toBe(text);
});

test('URLs get their own alphabet and no padding', () => expect(base64Url('>>>?f')).toBe('Pj4-P2Y'));
