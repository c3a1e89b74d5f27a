import { expect, test } from '@jest/globals';
import { fromBytes, toBytes } from './latin1.js';

test.each([0, 1, 255, 8_192, 20_000])('%i bytes come and go', (length) => {
  const bytes = Uint8Array.from({ length }, (_none, i) => i % 256);
  const text = fromBytes(bytes);
  expect([text.length, toBytes(text)]).toEqual([length, bytes]);
});
