import { expect, test } from '@jest/globals';
import { parseValue } from 'graphql';
import { Json } from './json.scalar.js';

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
