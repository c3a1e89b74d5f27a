import { expect, test } from '@jest/globals';
import { mapFields, mapItems } from './copy-on-write.js';

const FIELDS = { a: 1, b: 2 };
test.each<[string, (name: string, value: unknown) => unknown, object, boolean]>([
  ['keeps', (_name, value) => value, FIELDS, true],
  ['replaces', (name, value) => (name === 'a' ? 9 : value), { a: 9, b: 2 }, false],
  ['drops', (name, value) => (name === 'a' ? undefined : value), { b: 2 }, false],
])('a change that %s', (_, change, expected, same) => {
  const result = mapFields(FIELDS, change);
  expect([result, result === FIELDS, FIELDS]).toEqual([expected, same, { a: 1, b: 2 }]);
});

test.each<[string, (item: unknown) => unknown, unknown[], boolean]>([
  ['keeps', (item) => item, [1, 2], true],
  ['replaces', (item) => (item === 1 ? 9 : item), [9, 2], false],
])('a change of items that %s', (_, change, expected, same) => {
  const items = [1, 2];
  const result = mapItems(items, change);
  expect([result, result === items]).toEqual([expected, same]);
});
