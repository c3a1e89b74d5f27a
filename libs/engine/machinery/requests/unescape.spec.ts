import { describe, expect, test } from '@jest/globals';
import { hasBadEscape, unescapePath, unescapeQuery } from './unescape.js';

describe('unescapePath', () => {
  test.each([
    ['plain', 'plain'],
    ['a+b', 'a+b'],
    ['a%20b%2Fc', 'a b/c'],
    ['%c3%a4', 'ä'],
    ['%ff-%e2%82', '\ufffd-\ufffd'],
  ])('%s is %s', (text, expected) => expect(unescapePath(text)).toBe(expected));

  test.each([
    ['%zz', 'invalid URL escape "%zz"'],
    ['a%2', 'invalid URL escape "%2"'],
    ['100%', 'invalid URL escape "%"'],
    ['%%41', 'invalid URL escape "%%4"'],
  ])('%s is refused', (text, message) => {
    expect(hasBadEscape(text)).toBe(true);
    expect(() => unescapePath(text)).toThrow(expect.objectContaining({ code: 400, message }) as never);
  });
});

test('unescapeQuery reads + as a space', () => expect(unescapeQuery('a+b%2Bc')).toBe('a b+c'));
test('a path without escapes has no bad one', () => expect(hasBadEscape('/a+b/%41')).toBe(false));
