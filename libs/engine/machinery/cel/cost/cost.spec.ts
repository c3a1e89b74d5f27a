import { describe, expect, test } from '@jest/globals';
import { BYTES, Environment, INT, listOf, mapOf, optionalOf, STRING, type Sizes, type Type } from '../index.js';

/**
 * A text of 10, a name of 63, 7 texts of 10, 11 numbers, 6 lists of 4 numbers, 9 entries of 8, and what nothing limits.
 */
const FIELDS: Readonly<Record<string, readonly [type: Type, sizes: readonly number[]]>> = {
  text: [STRING, [10]],
  name: [STRING, [63]],
  data: [BYTES, [50]],
  count: [INT, [0]],
  list: [listOf(STRING), [7, 10]],
  numbers: [listOf(INT), [11, 0]],
  lists: [listOf(listOf(INT)), [6, 4, 0]],
  map: [mapOf(STRING, STRING), [9, 8]],
  any: [STRING, [3_145_726]],
  many: [listOf(STRING), [1_048_575, 3_145_726]],
};
const sizes: Sizes = ([field, ...steps]) => {
  if (field === undefined || steps.includes('@keys')) return { min: 0, max: 0 };
  const max = FIELDS[field]?.[1][steps.length];
  return max === undefined ? undefined : { min: 0, max };
};
const self: Type = {
  kind: 'object',
  name: 'self',
  fields: new Map(Object.entries(FIELDS).map(([property, [type]]) => [property, { type, property }])),
};
const environment = new Environment({ variables: { self, before: optionalOf(self) } });

describe('the most that an expression costs', () => {
  test.each<[string, number]>([
    ['true', 0],
    ['self.count > 3', 3],
    ['self.count == 3', 2],
    ["self.text == 'abc'", 3],
    ['self.text == self.name', 5],
    ['has(self.text) && self.text == "a"', 4],
    ['self.count > 1 ? self.text == "a" : self.text == self.name', 8],
    ["self.name.startsWith('abc')", 3],
    ['self.name.contains(self.text)', 11],
    ["self.name.matches('^[a-z]+$')", 16],
    ["self.any.matches('^[a-z]+$')", 629_148],
    ['self.list.all(x, x == "a")', 3 + 7 * (3 + 2)],
    ['self.list.exists(x, x == "a")', 3 + 7 * (4 + 2)],
    ['self.list.exists_one(x, x == "a")', 4 + 7 * (2 + 2)],
    ['self.list.filter(x, x != "a").size() < 3', 13 + 7 * (13 + 2) + 2],
    ['self.list.map(x, x + "aa").all(y, y == "ab")', 13 + 7 * (12 + 3) + 1 + 7 * (3 + 1)],
    ['self.lists.all(x, x.all(y, y > 0))', 3 + 6 * (3 + 2 + 4 * (3 + 2))],
    ['self.map.all(k, self.map[k] == "b")', 3 + 9 * (3 + 5)],
    ['self.many.all(x, x == self.any)', 3 + 1_048_575 * (3 + 3 + 314_573)],
    ['self.many.all(x, self.many.all(y, self.many.all(z, x == y)))', 2 ** 64],
    ["'a' in self.map", 3],
    ["'a' in self.list", 9],
    ['self.text + self.name == "abc"', 13],
    ['[self.text, self.name].all(x, x.size() > 1)', 10 + 4 + 1 + 2 * (3 + 3)],
    ["self.name.replace('a', 'bbb') == 'x'", 16],
    ["self.name.split(',').all(x, x == 'a')", 2 + 13 + 1 + 63 * (3 + 1)],
    ['self.list.join(",") == self.name', 19],
    ['self.numbers.distinct().size() > 1', 2 + 242 + 11 + 2],
    ['self.numbers.sortBy(x, -x)[0] == 1', 10 + 2 + 1 + 1 + 10 + 1 + 11 * (2 + 12) + 242 + 11 + 1],
    ['ip.isCanonical(self.name)', 15],
    ['quantity(self.text) == quantity(self.name)', 2 + 1 + 2 + 7 + 1],
    ['sets.contains(self.list, ["a"])', 2 + 10 + 7 + 1],
    ['self.?text.orValue("a") == "b"', 4],
    ['before.optMap(b, b.count > 1).orValue(true)', 2 * 1 + 13 + 2 + 1 + 1],
    ['dyn(self.text) == "a"', 4],
    ['string(self.data) == "a"', 8],
  ])('%s: %i', (text, cost) => {
    const { program, error } = environment.compile(text);
    expect(error).toBeUndefined();
    expect(program?.estimate(sizes)).toBe(cost);
  });
});
