import { expect, test } from '@jest/globals';
import { canonicalJson } from './canonical-json.js';

test.each<[unknown, string]>([
  [{ b: 1, a: [{ d: null, c: 'x' }] }, '{"a":[{"c":"x","d":null}],"b":1}'],
  [{ a: undefined }, '{}'],
  [undefined, 'null'],
  ['"', '"\\""'],
])('%j is written %s', (value, text) => expect(canonicalJson(value)).toBe(text));
