import { describe, expect, test } from '@jest/globals';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { validateCustomResource } from '../validation.js';

const spec = (fields: StructuralSchema): StructuralSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', ...fields } },
});
const errors = (schema: StructuralSchema, object: object, old?: object): string[] =>
  validateCustomResource(
    { apiVersion: 'x/v1', kind: 'X', metadata: { name: 'a' }, ...object },
    old && { apiVersion: 'x/v1', kind: 'X', metadata: { name: 'a' }, ...old },
    schema,
  ).map((e) => e.message);
const rule = (text: string, fields: object = {}): StructuralSchema => ({
  'x-kubernetes-validations': [{ rule: text, ...fields }],
});
const numbers: StructuralSchema = { properties: { min: { type: 'integer' }, max: { type: 'integer' } } };

describe('a rule', () => {
  test.each<[string, StructuralSchema, object, string[]]>([
    ['that holds', { ...numbers, ...rule('self.min <= self.max') }, { spec: { min: 1, max: 2 } }, []],
    [
      'that fails',
      { ...numbers, ...rule('self.min <= self.max') },
      { spec: { min: 3, max: 2 } },
      ['spec: Invalid value: failed rule: self.min <= self.max'],
    ],
    [
      'with a message',
      { ...numbers, ...rule('self.min <= self.max', { message: 'min must not exceed max' }) },
      { spec: { min: 3, max: 2 } },
      ['spec: Invalid value: min must not exceed max'],
    ],
    [
      'with an expression for its message',
      {
        ...numbers,
        ...rule('self.min <= self.max', {
          message: 'no',
          messageExpression: '"min %d exceeds %d".format([self.min, self.max])',
        }),
      },
      { spec: { min: 3, max: 2 } },
      ['spec: Invalid value: min 3 exceeds 2'],
    ],
    [
      'whose message cannot be told',
      {
        ...numbers,
        ...rule('self.min <= self.max', { message: 'plain', messageExpression: 'string(1 / (self.min - 3))' }),
      },
      { spec: { min: 3, max: 2 } },
      ['spec: Invalid value: plain'],
    ],
    [
      'with a reason and a path',
      { ...numbers, ...rule('self.min <= self.max', { reason: 'FieldValueForbidden', fieldPath: '.min' }) },
      { spec: { min: 3, max: 2 } },
      ['spec.min: Forbidden: failed rule: self.min <= self.max'],
    ],
    [
      'on what is not there',
      { ...numbers, ...rule('self.min <= self.max') },
      { spec: { min: 3 } },
      ['spec: Invalid value: "object": no such key: max evaluating rule: self.min <= self.max'],
    ],
    [
      'on an invalid object',
      { ...numbers, ...rule('self.min <= self.max') },
      { spec: { min: 'a' } },
      [
        'spec.min: Invalid value: "string": spec.min in body must be of type integer: "string"',
        '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      ],
    ],
    [
      'on items',
      { properties: { list: { type: 'array', items: { type: 'string', ...rule('self.startsWith("a")') } } } },
      { spec: { list: ['a', 'b'] } },
      ['spec.list[1]: Invalid value: "b": failed rule: self.startsWith("a")'],
    ],
    [
      'on the values of a map',
      { properties: { map: { type: 'object', additionalProperties: { type: 'integer', ...rule('self > 1') } } } },
      { spec: { map: { one: 1 } } },
      ['spec.map[one]: Invalid value: 1: failed rule: self > 1'],
    ],
    [
      'on a number that happens to be whole',
      { properties: { ratio: { type: 'number', ...rule('self / 2.0 >= 0.5') } } },
      { spec: { ratio: 1 } },
      [],
    ],
    [
      'on an integer or string',
      {
        properties: {
          port: { 'x-kubernetes-int-or-string': true, ...rule('type(self) == string ? self != "" : self > 0') },
        },
      },
      { spec: { port: 0 } },
      ['spec.port: Invalid value: 0: failed rule: type(self) == string ? self != "" : self > 0'],
    ],
    [
      'on a name that is no identifier',
      { properties: { 'max-surge': { type: 'integer' } }, ...rule('self.max__dash__surge < 3') },
      { spec: { 'max-surge': 3 } },
      ['spec: Invalid value: failed rule: self.max__dash__surge < 3'],
    ],
    [
      'on dates',
      {
        properties: { at: { type: 'string', format: 'date-time' } },
        ...rule('self.at > timestamp("2026-01-01T00:00:00Z")'),
      },
      { spec: { at: '2025-01-01T00:00:00Z' } },
      ['spec: Invalid value: failed rule: self.at > timestamp("2026-01-01T00:00:00Z")'],
    ],
  ])('%s', (_, fields, object, expected) => expect(errors(spec(fields), object)).toEqual(expected));

  test('of the whole object sees its name', () => {
    const schema: StructuralSchema = {
      type: 'object',
      ...rule('self.metadata.name == self.spec.name'),
      properties: { spec: { type: 'object', properties: { name: { type: 'string' } } } },
    };
    expect(errors(schema, { spec: { name: 'b' } })).toEqual([
      '<nil>: Invalid value: failed rule: self.metadata.name == self.spec.name',
    ]);
    expect(errors(schema, { spec: { name: 'a' } })).toEqual([]);
  });

  test('costs no more than the budget', () => {
    const schema = spec({
      properties: { list: { type: 'array', items: { type: 'integer' } } },
      ...rule('self.list.all(a, self.list.all(b, self.list.all(c, a + b + c >= 0)))'),
    });
    expect(errors(schema, { spec: { list: Array.from({ length: 200 }, (_, i) => i) } })).toEqual([
      `spec: Invalid value: "object": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self.list.all(a, self.list.all(b, self.list.all(c, a + b + c >= 0)))`,
    ]);
  });
});

describe('an update', () => {
  const fixed = spec({
    properties: { size: { type: 'integer', ...rule('self == oldSelf', { message: 'size is immutable' }) } },
  });
  const first = spec({
    properties: { size: { type: 'integer', ...rule('oldSelf.hasValue() || self == 1', { optionalOldSelf: true }) } },
  });
  const ports = spec({
    properties: {
      ports: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, port: { type: 'integer' } },
          ...rule('self.port >= oldSelf.port'),
        },
      },
    },
  });
  const stricter = spec({
    properties: {
      name: { type: 'string', pattern: '^a', maxLength: 3 },
      other: { type: 'integer', ...rule('self > 5') },
    },
  });

  test.each<[string, StructuralSchema, object, object | undefined, string[]]>([
    [
      'keeps what is immutable',
      fixed,
      { spec: { size: 2 } },
      { spec: { size: 1 } },
      ['spec.size: Invalid value: 2: size is immutable'],
    ],
    ['is what a transition is about, not a create', fixed, { spec: { size: 2 } }, undefined, []],
    [
      'and a create, when the rule says so',
      first,
      { spec: { size: 2 } },
      undefined,
      ['spec.size: Invalid value: 2: failed rule: oldSelf.hasValue() || self == 1'],
    ],
    ['has an old self', first, { spec: { size: 2 } }, { spec: { size: 1 } }, []],
    [
      'finds items by their keys',
      ports,
      {
        spec: {
          ports: [
            { name: 'b', port: 1 },
            { name: 'a', port: 5 },
          ],
        },
      },
      {
        spec: {
          ports: [
            { name: 'a', port: 6 },
            { name: 'b', port: 1 },
          ],
        },
      },
      ['spec.ports[1]: Invalid value: failed rule: self.port >= oldSelf.port'],
    ],
    [
      'may leave what was wrong already',
      stricter,
      { spec: { name: 'bcde', other: 1 }, metadata: { labels: {} } },
      { spec: { name: 'bcde', other: 1 } },
      [],
    ],
    [
      'may not make anything else wrong',
      stricter,
      { spec: { name: 'bcde', other: 2 } },
      { spec: { name: 'bcde', other: 1 } },
      ['spec.other: Invalid value: 2: failed rule: self > 5'],
    ],
  ])('%s', (_, schema, object, old, expected) => expect(errors(schema, object, old)).toEqual(expected));
});
