import { expect, test } from '@jest/globals';
import { shown, splitTemplate, tokenize, unquote } from './lexer.js';

const fail = (offset: number, message: string): never => {
  throw new Error(`${offset}: ${message}`);
};

test.each<[string, readonly unknown[]]>([
  ['a{{.b}}c', ['a', { at: 3, source: '.b' }, 'c']],
  ['a {{- .b -}} c', ['a', { at: 5, source: ' .b ' }, 'c']],
  ['a{{/* {{ }} */}}c', ['a', 'c']],
  ['{{"}}"}}', ['', { at: 2, source: '"}}"' }]],
])('%s is split', (text, expected) => expect(splitTemplate(text, fail)).toEqual(expected));

test.each([
  ['{{ .a', '2: unclosed action'],
  ['{{ "a }}', '2: unterminated quoted string'],
  ['{{/* a }}', '2: unclosed comment'],
])('%s is refused', (text, expected) => expect(() => splitTemplate(text, fail)).toThrow(expected));

test.each([
  ['$x := 1.5 | f .a.b', ['$x', ' ', ':=', ' ', '1.5', ' ', '|', ' ', 'f', ' ', '.a', '.b', '']],
  ['(index `a` 0x1F)', ['(', 'index', ' ', '`a`', ' ', '0x1F', ')', '']],
])('%s has tokens', (source, expected) =>
  expect(tokenize({ at: 2, source }, fail).map(({ text }) => text)).toEqual(expected),
);

test('a token knows where it stands, and a letter that begins none is refused', () => {
  expect(tokenize({ at: 2, source: ' x' }, fail)[1]).toEqual({ type: 'word', text: 'x', at: 3 });
  expect(() => tokenize({ at: 2, source: '%' }, fail)).toThrow('2: unexpected "%" in command');
});

test.each([
  ['"a\\n\\x41"', 'a\nA'],
  ['`a\\n`', 'a\\n'],
  ["'\\u00e9'", 'é'],
])('%s is unquoted', (text, expected) => expect(unquote(text)).toBe(expected));

test('as messages show tokens', () => {
  const tokens = tokenize({ at: 0, source: 'x|' }, fail);
  expect(tokens.map(shown)).toEqual(['<x>', '"|"', '"}}"']);
});
