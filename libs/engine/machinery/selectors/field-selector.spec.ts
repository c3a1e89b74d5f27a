import { expect, test } from '@jest/globals';
import { parseFieldSelector } from './field-selector.js';

test('has terms, in which comma, equals sign and backslash are escaped', () =>
  expect(parseFieldSelector('metadata.name=a,status.phase!=Running,x==a\\,b,y=\\\\\\=')).toEqual([
    { field: 'metadata.name', equal: true, value: 'a' },
    { field: 'status.phase', equal: false, value: 'Running' },
    { field: 'x', equal: true, value: 'a,b' },
    { field: 'y', equal: true, value: '\\=' },
  ]));

test.each(['', ','])('%j has none', (text) => expect(parseFieldSelector(text)).toEqual([]));

test.each([
  ['a=b,foo', "invalid selector: 'a=b,foo'; can't understand 'foo'"],
  ['a=b=c', "invalid selector: 'a=b=c'; can't understand 'b=c'"],
  ['a=b\\c', 'invalid field selector: invalid escape sequence: \\c'],
  ['a=b,'.repeat(1_001), 'invalid selector: more than 1000 terms'],
])('%s is refused', (text, message) =>
  expect(() => parseFieldSelector(text)).toThrow(expect.objectContaining({ message, code: 400 })),
);
