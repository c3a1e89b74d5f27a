import { expect, test } from '@jest/globals';
import { Bag } from './bag.js';

const bagOf = (text: string): Bag<string> => {
  const bag = new Bag<string>();
  for (const item of text) bag.add(item);
  return bag;
};

test.each([
  ['abc', 'a', true, 'bc'],
  ['abc', 'b', true, 'ac'],
  ['abc', 'c', true, 'ab'],
  ['a', 'a', true, ''],
  ['abc', 'd', false, 'abc'],
  ['', 'a', false, ''],
])('%j without %j: %s, %j', (text, item, isRemoved, left) => {
  const bag = bagOf(text);
  expect(bag.remove(item)).toBe(isRemoved);
  expect([...bag].sort().join('')).toBe(left);
  expect(bag.has(item)).toBe(false);
});

test('goes through what was there, whatever comes and goes meanwhile', () => {
  const bag = bagOf('abc');
  const seen: string[] = [];
  for (const item of bag) {
    seen.push(item);
    bag.remove(item);
    bag.add(item.toUpperCase());
  }
  expect(seen).toEqual(['a', 'b', 'c']);
  expect([...bag].sort()).toEqual(['A', 'B', 'C']);
});
