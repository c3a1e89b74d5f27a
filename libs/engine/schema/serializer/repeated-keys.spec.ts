import { expect, test } from '@jest/globals';
import { mayRepeatKeys } from './repeated-keys.js';

test.each([
  ['{}', false],
  ['{"a": {"b" : [1, "x:y", {"c:d": null}]}, "e": ":"}', false],
  ['{"a":1,"a":1}', true],
  ['{"a":{"b":"x:y"},"a":{}}', true],
  ['[{"a":1},{"a":2}]', false],
  ['[{"a":1},{"a":2,"b":0,"b":{}}]', true],
  ['{"__proto__":1}', false],
  // A colon that is written as an escape must not hide a key that is repeated.
  ['{"a":"\\u003a","b":1,"b":2}', true],
  ['"text"', false],
])('%s', (text, expected) => expect(mayRepeatKeys(text, JSON.parse(text))).toBe(expected));
