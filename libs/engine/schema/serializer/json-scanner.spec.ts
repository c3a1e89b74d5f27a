import { expect, test } from '@jest/globals';
import { JsonSyntaxError, scanJson } from './json-scanner.js';

test.each(['{}', ' [1, -2.5e3, "a\\u00e9\\n", true, false, null] ', '"x"', '0', '{"a":{"b":[{}]}}'])(
  '%s is JSON',
  (text) => expect(() => scanJson(text)).not.toThrow(),
);

test.each([
  ['', 'unexpected end of JSON input'],
  ['{', 'unexpected end of JSON input'],
  ['{"a"', 'unexpected end of JSON input'],
  ['x', "invalid character 'x' looking for beginning of value"],
  ['{a', "invalid character 'a' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
  ['[1 2]', "invalid character '2' after array element"],
  ['{} x', "invalid character 'x' after top-level value"],
  ['tru3', "invalid character '3' in literal true (expecting 'e')"],
  ['nope', "invalid character 'o' in literal null (expecting 'u')"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
  ["'a'", "invalid character '\\'' looking for beginning of value"],
  ['-a', "invalid character 'a' in numeric literal"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
  ['1ex', "invalid character 'x' in exponent of numeric literal"],
  ['01', "invalid character '1' after top-level value"],
])('%j is refused', (text, message) => expect(() => scanJson(text)).toThrow(new JsonSyntaxError(message)));

test('a text that is too deep is refused', () =>
  expect(() => scanJson('['.repeat(1_001))).toThrow(new JsonSyntaxError("invalid character '[' exceeded max depth")));

test('keys are told in the order of the document', () => {
  const keys: [string, boolean][] = [];
  scanJson('{"a":[{"b":1},{"b":2,"b":3}],"a":0,"\\u0063":{}}', (path, repeated) => keys.push([path, repeated]));
  expect(keys).toEqual([
    ['a', false],
    ['a[0].b', false],
    ['a[1].b', false],
    ['a[1].b', true],
    ['a', true],
    ['c', false],
  ]);
});
