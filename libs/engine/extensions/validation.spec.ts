import { describe, expect, test } from '@jest/globals';
import type { Unstructured } from '../machinery/meta/object.js';
import type { StructuralSchema } from './schema/structural-schema.js';
import { validateCustomResource, validateCustomResourceStatus } from './validation.js';

const spec = (fields: StructuralSchema): StructuralSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', ...fields } },
});
const errors = (schema: StructuralSchema, object: object): string[] =>
  validateCustomResource({ apiVersion: 'x/v1', kind: 'X', metadata: { name: 'a' }, ...object }, undefined, schema).map(
    (e) => e.message,
  );

test.each<[string, StructuralSchema, unknown, string[]]>([
  [
    'a set',
    { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    ['a', 'b', 'a'],
    ['spec.x[2]: Duplicate value: "a"'],
  ],
  [
    'a map',
    {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', properties: { k: { type: 'string' } } },
    },
    [{ k: '1' }, { k: '1' }],
    ['spec.x[1]: Duplicate value: {"k":"1"}'],
  ],
  [
    'an object within the object',
    { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    { kind: 'Pod' },
    ['spec.x.apiVersion: Required value'],
  ],
])('%s is checked', (_, x, value, expected) =>
  expect(errors(spec({ properties: { x } }), { spec: { x: value } })).toEqual(expected),
);

describe('rules', () => {
  const schema = spec({
    properties: { size: { type: 'integer', minimum: 1 }, color: { type: 'string', enum: ['blue'] } },
    'x-kubernetes-validations': [{ rule: 'self.size < 3' }],
  });
  const SKIPPED =
    '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  test.each<[string, object, string[]]>([
    ['are evaluated on a valid object', { size: 3 }, ['spec: Invalid value: failed rule: self.size < 3']],
    [
      'are evaluated beside an error that does not concern types',
      { size: 0 },
      ['spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1'],
    ],
    [
      'are not evaluated on a wrong type',
      { size: '3' },
      ['spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"', SKIPPED],
    ],
    [
      'are not evaluated on an unsupported value',
      { size: 3, color: 'red' },
      ['spec.color: Unsupported value: "red": supported values: "blue"', SKIPPED],
    ],
  ])('%s', (_, fields, expected) => expect(errors(schema, { spec: fields })).toEqual(expected));
});

describe('a new status', () => {
  const schema: StructuralSchema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { size: { type: 'integer' } } },
      status: {
        type: 'object',
        properties: { ready: { type: 'boolean' }, list: { type: 'array', items: { type: 'string' } } },
        required: ['ready'],
      },
    },
    'x-kubernetes-validations': [{ rule: '!has(self.status) || self.status.ready' }],
  };
  const object = (status: unknown): Unstructured =>
    ({ apiVersion: 'x/v1', kind: 'X', metadata: { name: 'a' }, spec: { size: 'wrong' }, status }) as never;
  test.each<[string, unknown, string[]]>([
    ['is valid, whatever the spec is', { ready: true }, []],
    [
      'has the path of the status',
      { ready: 'yes' },
      [
        'status.ready: Invalid value: "string": ready in body must be of type boolean: "string"',
        '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      ],
    ],
    [
      'has the path of its items',
      { ready: true, list: [1] },
      [
        'status.list[0]: Invalid value: "integer": list[0] in body must be of type string: "integer"',
        '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      ],
    ],
    [
      'is subject to the rules of the object',
      { ready: false },
      ['<nil>: Invalid value: failed rule: !has(self.status) || self.status.ready'],
    ],
  ])('%s', (_, status, expected) =>
    expect(validateCustomResourceStatus(object(status), object({ ready: true }), schema).map((e) => e.message)).toEqual(
      expected,
    ),
  );
});
