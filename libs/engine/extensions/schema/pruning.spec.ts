import { expect, test } from '@jest/globals';
import { findUnknownFields, prune } from './pruning.js';
import type { StructuralSchema } from './structural-schema.js';

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    a: { type: 'string' },
    kept: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    known: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { inner: { type: 'object', properties: { a: { type: 'string' } } } },
    },
    map: { type: 'object', additionalProperties: { type: 'object', properties: { b: { type: 'integer' } } } },
    any: { type: 'object', additionalProperties: true },
    list: { type: 'array', items: { type: 'object', properties: { b: { type: 'integer' } } } },
    pod: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } },
  },
};

test.each<[object, object, string[]]>([
  [{ a: 'x', z: 1 }, { a: 'x' }, ['z']],
  [{ kept: { z: 1 } }, { kept: { z: 1 } }, []],
  [{ known: { z: 1, inner: { a: 'x', z: 1 } } }, { known: { z: 1, inner: { a: 'x' } } }, ['known.inner.z']],
  [{ map: { one: { b: 1, z: 1 } } }, { map: { one: { b: 1 } } }, ['map.one.z']],
  [{ any: { z: { y: 1 } } }, { any: { z: { y: 1 } } }, []],
  [{ list: [{ b: 1 }, { z: 1 }] }, { list: [{ b: 1 }, {}] }, ['list[1].z']],
  [
    { pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, z: 1, spec: {} } },
    { pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: {} } },
    ['pod.z'],
  ],
  [{ constructor: 1 }, {}, ['constructor']],
  [{ apiVersion: 'v1', metadata: {} }, {}, ['apiVersion', 'metadata']],
  [
    { a: 'x', z: 1, kept: { z: 1 }, map: { one: { b: 1, z: { y: 1 } } } },
    { a: 'x', kept: { z: 1 }, map: { one: { b: 1 } } },
    ['map.one.z', 'z'],
  ],
])('%j is pruned', (value, pruned, unknown) => {
  expect(prune(schema, value)).toEqual(pruned);
  expect(findUnknownFields(schema, value)).toEqual(unknown);
});

test('a whole object keeps its type and metadata', () => {
  const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'a' }, a: 'x' };
  expect(prune(schema, { ...object, z: 1 }, true)).toEqual(object);
  expect(findUnknownFields(schema, { ...object, z: 1 }, true)).toEqual(['z']);
});

test('what needs no pruning is the same value', () => {
  const value = { a: 'x', list: [{ b: 1 }], map: { one: { b: 1 } } };
  expect(prune(schema, value)).toBe(value);
});

test('what is not touched stays shared', () => {
  const value = { list: [{ b: 1 }], map: { one: { b: 1 } }, z: 1 };
  const pruned = prune(schema, value) as typeof value;
  expect([pruned.list === value.list, pruned.map === value.map]).toEqual([true, true]);
});
