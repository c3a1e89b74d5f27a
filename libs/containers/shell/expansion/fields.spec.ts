import { expect, test } from '@jest/globals';
import { Fields, TooLarge } from './fields.js';

const split = (text: string, ifs = ' \t\n'): string[] => {
  const fields = new Fields(ifs, true);
  fields.addExpanded(text);
  return fields.finish().map((field) => field.text);
};

test.each([
  ['a b', undefined, ['a', 'b']],
  ['  a \t\n b ', undefined, ['a', 'b']],
  ['', undefined, []],
  ['a:b::c', ':', ['a', 'b', '', 'c']],
  [':a', ':', ['', 'a']],
  ['a : b', ' :', ['a', 'b']],
  ['a\xffb', '\xff', ['a', 'b']],
  ['a b', '', ['a b']],
])('%j by IFS %j', (text, ifs, expected) => expect(split(text, ifs)).toEqual(expected));

test('what is quoted is one field', () => {
  const fields = new Fields(' ', true);
  fields.addQuoted('a b');
  fields.addExpanded('c d');
  expect(fields.finish().map(({ text }) => text)).toEqual(['a bc', 'd']);
});

test('a long text without separators is gone through at once', () => {
  const started = performance.now();
  expect(split('x'.repeat(8_000_000))).toHaveLength(1);
  expect(performance.now() - started).toBeLessThan(3_000);
});

test.each([
  ['bytes', 'x'.repeat(9_000_000)],
  ['fields', 'x '.repeat(110_000)],
])('too many %s', (_what, text) => expect(() => split(text)).toThrow(TooLarge));
