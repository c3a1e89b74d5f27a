import { expect, test } from '@jest/globals';
import { compilePattern, patternFault } from './regex.js';

test.each([
  ['b+', 'abbcb', 'bb', ['bb', 'b']],
  ['^a', 'abc', 'a', ['a']],
  ['x', 'abc', undefined, []],
  ['(?i)ABC', 'abc', 'abc', ['abc']],
])('%s in %s', (text, subject, first, all) => {
  const pattern = compilePattern(text)!;
  expect([pattern.test(subject), pattern.find(subject), pattern.findAll(subject, 10)]).toEqual([
    first !== undefined,
    first,
    all,
  ]);
});

test('finds no more than it is asked for', () => expect(compilePattern('a')!.findAll('aaa', 2)).toEqual(['a', 'a']));

test.each([
  ['(', 'error parsing regexp: missing closing ): `(`'],
  ['(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
  ['a'.repeat(10_001), 'error parsing regexp: expression too large'],
])('%s is no pattern of RE2', (text, fault) => {
  expect(compilePattern(text)).toBeUndefined();
  expect(compilePattern(text)).toBeUndefined();
  expect(patternFault(text)).toBe(fault);
});

test('takes linear time where others take years', () =>
  expect(compilePattern('^(a+)+$')!.test(`${'a'.repeat(5_000)}!`)).toBe(false));
