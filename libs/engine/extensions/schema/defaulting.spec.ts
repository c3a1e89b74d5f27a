import { expect, test } from '@jest/globals';
import { applyDefaults } from './defaulting.js';
import type { StructuralSchema } from './structural-schema.js';

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    a: { type: 'string' },
    maybe: { type: 'string', nullable: true, default: 'x' },
    map: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { b: { type: 'integer', default: 2 } } },
    },
    list: { type: 'array', items: { type: 'object', properties: { c: { type: 'integer', default: 3 } } } },
  },
};
const FULL = { maybe: 'y' };

test.each<[object, object]>([
  [
    { ...FULL, map: { one: {} } },
    { ...FULL, map: { one: { b: 2 } } },
  ],
  [{ ...FULL, a: null }, FULL],
  [
    { ...FULL, map: { one: { b: null } } },
    { ...FULL, map: { one: { b: 2 } } },
  ],
  [
    { ...FULL, list: [{}, { c: 4 }] },
    { ...FULL, list: [{ c: 3 }, { c: 4 }] },
  ],
  [{}, { maybe: 'x' }],
  [{ maybe: null }, { maybe: null }],
  [
    { ...FULL, unknown: { c: null } },
    { ...FULL, unknown: { c: null } },
  ],
])('%j gets defaults', (value, expected) => expect(applyDefaults(schema, value)).toEqual(expected));

test('a default gets the defaults within it', () => {
  const nested: StructuralSchema = {
    type: 'object',
    properties: { outer: { type: 'object', default: {}, properties: { inner: { type: 'integer', default: 1 } } } },
  };
  expect(applyDefaults(nested, {})).toEqual({ outer: { inner: 1 } });
  expect(applyDefaults(nested, { outer: null })).toEqual({ outer: { inner: 1 } });
});

test('a complete object stays the same value', () => {
  const value = { a: 'x', maybe: 'y', map: { one: { b: 1 } } };
  expect(applyDefaults(schema, value)).toBe(value);
});
