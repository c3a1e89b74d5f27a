import { describe, expect, test } from '@jest/globals';
import { correlateItems, isUnchanged } from './ratcheting.js';
import type { StructuralSchema } from './structural-schema.js';

test.each<[unknown, unknown, boolean]>([
  [1, 1, true],
  [{ a: [1] }, { a: [1] }, true],
  [1, 2, false],
  [null, null, true],
  [1, undefined, false],
  [undefined, undefined, false],
])('%j after %j is unchanged: %s', (value, old, expected) => expect(isUnchanged(value, old)).toBe(expected));

describe('correlateItems', () => {
  const MAP: StructuralSchema = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: { type: 'object', properties: { name: { type: 'string' } } },
  };
  const [a, b] = [
    { name: 'a', n: 1 },
    { name: 'b', n: 2 },
  ];
  test('finds the item with the same keys', () => {
    const findOld = correlateItems(MAP, [b, a])!;
    expect([findOld({ name: 'a', n: 9 }), findOld({ name: 'c' }), findOld('a')]).toEqual([a, undefined, undefined]);
  });
  test.each<[string, StructuralSchema, unknown]>([
    ['a set', { ...MAP, 'x-kubernetes-list-type': 'set' }, [a]],
    ['an atomic list', { type: 'array', items: MAP.items! }, [a]],
    ['a list that was none', MAP, { a }],
    ['a new list', MAP, undefined],
  ])('has nothing to find in %s', (_, schema, old) => expect(correlateItems(schema, old)).toBeUndefined());
});
