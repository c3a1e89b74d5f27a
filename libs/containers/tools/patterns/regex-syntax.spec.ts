import { describe, expect, test } from '@jest/globals';
import { compileRegex, findAll, RegexFault, type Syntax } from './posix-regex.js';

const matches = (pattern: string, syntax: Syntax, text: string) =>
  [...findAll(compileRegex(pattern, syntax), text)].map(({ start, end }) => text.slice(start, end));

describe('what an expression matches', () => {
  test.each<[string, Syntax, string, string[]]>([
    ['a+', 'basic', 'aa a+', ['a+']],
    ['a\\+', 'basic', 'aa a+', ['aa', 'a']],
    ['*a', 'basic', '*a', ['*a']],
    ['\\(ab\\)\\{2\\}', 'basic', 'ababab', ['abab']],
    ['a^b$c', 'basic', 'a^b$c', ['a^b$c']],
    ['[]x]', 'basic', 'x]y', ['x', ']']],
    ['[^]a]', 'basic', 'a]b', ['b']],
    ['[a\\.]', 'basic', '\\.a', ['\\', '.', 'a']],
    ['[[:digit:]-]*', 'basic', '1-2', ['1-2']],
    ['x|xy', 'extended', 'xy', ['xy']],
    ['(a|ab)(c|bcd)', 'extended', 'abcd', ['abcd']],
    ['a{,2}b', 'extended', 'aaab', ['aab']],
    ['a{x', 'extended', 'a{x', ['a{x']],
    ['a**', 'extended', 'aaa', ['aaa']],
    ['[\\/]', 'awk', '\\/', ['/']],
    ['a.c', 'text', 'abc a.c', ['a.c']],
    ['foo\\Kbar', 'perl', 'foobar', ['bar']],
    ['(?<=a)b', 'perl', 'ab cb', ['b']],
    ['\\d+(?= %)', 'perl', '12 13 %', ['13']],
    ['x*', 'extended', 'axb', ['', 'x', '']],
  ])('%s (%s) in %s', (pattern, syntax, text, expected) => expect(matches(pattern, syntax, text)).toEqual(expected));
});

describe('what is wrong with an expression', () => {
  test.each<[string, Syntax, string]>([
    ['[a', 'basic', 'Unmatched [, [^, [:, [., or [='],
    ['\\(a', 'basic', 'Unmatched ( or \\('],
    ['a\\)', 'basic', 'Unmatched ) or \\)'],
    ['(a', 'extended', 'Unmatched ( or \\('],
    ['a\\{1', 'basic', 'Unmatched \\{'],
    ['a{2,1}', 'extended', 'Invalid content of \\{\\}'],
    ['a\\', 'basic', 'Trailing backslash'],
    ['[b-a]', 'basic', 'Invalid range end'],
    ['[[:foo:]]', 'basic', 'Invalid character class name'],
    ['\\(a\\)\\1', 'basic', 'back references are not supported here'],
  ])('%s (%s): %s', (pattern, syntax, message) =>
    expect(() => compileRegex(pattern, syntax)).toThrow(new RegexFault(message)),
  );
});

test('matching takes linear time', () => {
  const text = 'a'.repeat(50_000);
  expect(compileRegex('(a*)*b', 'extended').test(text)).toBe(false);
});
