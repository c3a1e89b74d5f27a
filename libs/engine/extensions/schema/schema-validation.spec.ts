import { describe, expect, test } from '@jest/globals';
import { Path } from '../../machinery/meta/field.js';
import { validateAgainstSchema } from './schema-validation.js';
import type { StructuralSchema } from './structural-schema.js';

test.each<[object, unknown, string[]]>([
  [{ type: 'integer' }, 'x', ['x: Invalid value: "string": x in body must be of type integer: "string"']],
  [{ type: 'integer', minimum: 1 }, 0, ['x: Invalid value: 0: x in body should be greater than or equal to 1']],
  [{ type: 'string', enum: ['b', 'a'] }, 'c', ['x: Unsupported value: "c": supported values: "b", "a"']],
  [{ type: 'object', required: ['y'] }, {}, ['x.y: Required value']],
  [{ type: 'array', maxItems: 1 }, [1, 2], ['x: Too many: 2: must have at most 1 item']],
  [
    { 'x-kubernetes-int-or-string': true },
    true,
    ['x: Invalid value: "boolean": x in body must be of type integer,string: "boolean"'],
  ],
  [
    { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    {},
    [
      '<nil>: Invalid value: "": "x" must validate one and only one schema (oneOf). Found none valid',
      'x.a: Required value',
    ],
  ],
  [
    { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    {},
    ['<nil>: Invalid value: "": "x" must validate at least one schema (anyOf)', 'x.a: Required value'],
  ],
  [
    { type: 'integer', allOf: [{ minimum: 5 }, { maximum: 9 }] },
    1,
    [
      'x: Invalid value: 1: x in body should be greater than or equal to 5',
      '<nil>: Invalid value: "": "x" must validate all the schemas (allOf)',
    ],
  ],
  [{ type: 'integer', not: { minimum: 5 } }, 7, ['<nil>: Invalid value: "": "x" must not validate the schema (not)']],
  [{ type: 'string', pattern: '^[a-z]+$' }, 'A', ['x: Invalid value: "A": x in body should match \'^[a-z]+$\'']],
  [{ type: 'string', format: 'ipv4' }, '1.2.3', ['x: Invalid value: "1.2.3": x in body must be of type ipv4: "1.2.3"']],
  [
    { type: 'string', format: 'date-time' },
    'today',
    ['x: Invalid value: "today": x in body must be of type date-time: "today"'],
  ],
  [{ type: 'string', format: 'of-our-own' }, 'today', []],
  [{ type: 'number', multipleOf: 0.1 }, 0.3, []],
  [{ type: 'string', oneOf: [{ pattern: '^a' }, { pattern: '^b' }] }, 'a', []],
  [{ type: 'string', nullable: true }, null, []],
  [
    { type: 'integer', format: 'int32' },
    5_000_000_000,
    ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in x'],
  ],
  [
    { type: 'integer', format: 'int64' },
    1.5,
    [
      'x: Invalid value: "float64": x in body must be of type int64: "float64"',
      '<nil>: Invalid value: "": Checked value must be of type integer with format int64 in x',
    ],
  ],
  [
    { type: 'string', minLength: 2, pattern: '^b' },
    'a',
    ['x: Invalid value: "a": x in body should be at least 2 chars long'],
  ],
  [{ type: 'string', format: 'isbn' }, '0-306-40615-2', []],
  [
    { type: 'string', format: 'creditcard' },
    '4111111111111112',
    ['x: Invalid value: "4111111111111112": x in body must be of type creditcard: "4111111111111112"'],
  ],
  [{ type: 'string', format: 'unheard-of' }, 'x', []],
])('%j of %j', (property, value, errors) =>
  expect(
    validateAgainstSchema({ x: value }, { type: 'object', properties: { x: property } }).map((e) => e.message),
  ).toEqual(errors),
);

describe('objects and lists', () => {
  const errors = (schema: StructuralSchema, value: unknown): string[] =>
    validateAgainstSchema(value, schema, Path.of('x')).map((e) => e.message);
  test.each<[StructuralSchema, unknown, string[]]>([
    [{ type: 'object', minProperties: 1 }, {}, ['x: Invalid value: 0: x in body should have at least 1 properties']],
    [{ type: 'object', maxProperties: 1 }, { a: 1, b: 2 }, ['x: Too many: 2: must have at most 1 item']],
    [{ type: 'array', minItems: 1 }, [], ['x: Invalid value: 0: x in body should have at least 1 items']],
    [
      { type: 'array', items: { type: 'integer' } },
      [1, 'a'],
      ['x[1]: Invalid value: "string": x[1] in body must be of type integer: "string"'],
    ],
    [
      { type: 'object', additionalProperties: { type: 'integer' } },
      { a: 'b' },
      ['x.a: Invalid value: "string": x.a in body must be of type integer: "string"'],
    ],
    [
      { type: 'integer', oneOf: [{ minimum: 1 }, { minimum: 2 }] },
      3,
      ['<nil>: Invalid value: "": "x" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
    [
      { type: 'integer', allOf: [{ minimum: 5 }, { minimum: 6 }] },
      1,
      [
        'x: Invalid value: 1: x in body should be greater than or equal to 5',
        'x: Invalid value: 1: x in body should be greater than or equal to 6',
        '<nil>: Invalid value: "": "x" must validate all the schemas (allOf). None validated',
      ],
    ],
  ])('%j of %j', (schema, value, expected) => expect(errors(schema, value)).toEqual(expected));
});

describe('an update', () => {
  const schema: StructuralSchema = {
    type: 'object',
    properties: {
      a: { type: 'integer', minimum: 5 },
      b: { type: 'integer', minimum: 5 },
      list: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', properties: { k: { type: 'string' }, n: { type: 'integer', minimum: 5 } } },
      },
    },
  };
  const fields = (value: object, old: object): (string | undefined)[] =>
    validateAgainstSchema(value, schema, Path.of(), old).map((e) => e.field);
  test.each<[string, object, object, string[]]>([
    ['may leave what is invalid', { a: 1, b: 6 }, { a: 1, b: 7 }, []],
    ['may not make another field invalid', { a: 1, b: 2 }, { a: 1, b: 7 }, ['b']],
    ['may not change an invalid value', { a: 2 }, { a: 1 }, ['a']],
    [
      'finds the items of a map by their keys',
      {
        list: [
          { k: 'b', n: 1 },
          { k: 'a', n: 2 },
          { k: 'c', n: 3 },
        ],
      },
      {
        list: [
          { k: 'a', n: 2 },
          { k: 'b', n: 1 },
          { k: 'c', n: 9 },
        ],
      },
      ['list[2].n'],
    ],
  ])('%s', (_, value, old, expected) => expect(fields(value, old)).toEqual(expected));
});
