import { expect, test } from '@jest/globals';
import { customType } from './crd.js';
import { DEDUCED, type FieldsType } from './type.js';

const fieldOf = (schema: Record<string, unknown> | undefined, name: string): FieldsType | undefined => {
  const type = customType(schema, { kind: 'scalar' });
  return type.kind === 'map' ? type.field(name) : undefined;
};
const property = (schema: Record<string, unknown>): FieldsType | undefined =>
  fieldOf({ type: 'object', properties: { a: schema } }, 'a');

test('every custom resource has its version, its kind and metadata', () => {
  expect(fieldOf(undefined, 'kind')).toEqual({ kind: 'scalar', of: 'string' });
  expect(fieldOf(undefined, 'metadata')).toEqual({ kind: 'scalar' });
  expect(customType(undefined, DEDUCED)).toMatchObject({ kind: 'map', element: DEDUCED, implicit: { metadata: {} } });
});

test.each([
  ['a text', { type: 'string' }, { kind: 'scalar', of: 'string' }],
  ['a number', { type: 'integer' }, { kind: 'scalar', of: 'numeric' }],
  ['either', { 'x-kubernetes-int-or-string': true }, { kind: 'scalar' }],
  ['anything', {}, DEDUCED],
  ['a list', { type: 'array', items: { type: 'string' } }, { kind: 'list', atomic: true }],
  ['a set', { type: 'array', 'x-kubernetes-list-type': 'set' }, { kind: 'list', atomic: false }],
  [
    'a list of type map',
    {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['b'],
      items: { type: 'object', properties: { b: { type: 'string', default: 'x' } } },
    },
    { kind: 'list', atomic: false, keys: ['b'], keyDefaults: { b: 'x' } },
  ],
  ['an atomic map', { type: 'object', 'x-kubernetes-map-type': 'atomic' }, { kind: 'map', atomic: true }],
  [
    'a map of texts',
    { type: 'object', additionalProperties: { type: 'string' } },
    { kind: 'map', atomic: false, element: { kind: 'scalar', of: 'string' } },
  ],
  ['a free map', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, { kind: 'map', element: DEDUCED }],
])('a field that is %s', (_, schema, type) => expect(property(schema)).toMatchObject(type));

test('a field that the schema does not have has no type', () =>
  expect(fieldOf({ type: 'object', properties: {} }, 'constructor')).toBeUndefined());
