import { expect, test } from '@jest/globals';
import { parseValue } from 'graphql';
import { Json, Long } from './json.scalar.js';

test.each<[string, unknown]>([
  ['1', 1],
  ['1.5', 1.5],
  ['"a"', 'a'],
  ['true', true],
  ['null', null],
  ['[1, {a: "b"}]', [1, { a: 'b' }]],
  ['{a: $n}', { a: 7 }],
  ['RED', 'RED'],
])('the literal %s', (literal, expected) => {
  expect(Json.parseLiteral(parseValue(literal), { n: 7 })).toEqual(expected);
});

test('values pass as they are', () => {
  const value = { a: [null] };
  expect([Json.serialize(value), Json.parseValue(value)]).toEqual([value, value]);
});

test('a Long is a whole number, also a large one', () => {
  const large = 2 ** 40;
  expect([Long.serialize(large), Long.parseValue(large)]).toEqual([large, large]);
  expect(Long.parseLiteral(parseValue(String(large)))).toBe(large);
});

test.each([1.5, 2 ** 60, '7', null])('%p is no Long', (value) =>
  expect(() => Long.parseValue(value)).toThrow('Long cannot represent'),
);
