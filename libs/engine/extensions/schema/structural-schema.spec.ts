import { describe, expect, test } from '@jest/globals';
import { invalidValue, Path } from '../../machinery/meta/field.js';
import {
  additionalSchemaOf,
  fieldSchemaOf,
  hasEmbedded,
  hasListTypes,
  hasRules,
  propertyOf,
  visitFields,
  type StructuralSchema,
} from './structural-schema.js';

const TEXT: StructuralSchema = { type: 'string' };
const NUMBER: StructuralSchema = { type: 'integer' };

describe('the schema of a field', () => {
  const schema: StructuralSchema = { type: 'object', properties: { a: TEXT }, additionalProperties: NUMBER };
  test('is the declared or the additional one', () => {
    expect([fieldSchemaOf(schema, 'a'), fieldSchemaOf(schema, 'b')]).toEqual([TEXT, NUMBER]);
    expect([propertyOf(schema, 'a'), propertyOf(schema, 'b')]).toEqual([TEXT, undefined]);
  });
  test('is none of an object of JavaScript', () =>
    expect(fieldSchemaOf({ properties: {} }, 'constructor')).toBeUndefined());
  test.each([true, false, undefined])('is none for additionalProperties %s', (additionalProperties) =>
    expect(additionalSchemaOf(additionalProperties === undefined ? {} : { additionalProperties })).toBeUndefined(),
  );
});

describe('a search', () => {
  const RULE: StructuralSchema = { ...TEXT, 'x-kubernetes-validations': [{ rule: 'true' }] };
  test.each<[string, StructuralSchema, boolean]>([
    ['the schema itself', RULE, true],
    ['a property', { properties: { a: TEXT, b: RULE } }, true],
    ['an item', { items: { items: RULE } }, true],
    ['an additional property', { additionalProperties: RULE }, true],
    ['a part of allOf', { allOf: [TEXT, RULE] }, true],
    ['no part of anyOf', { anyOf: [RULE] }, false],
    ['nothing', { properties: { a: TEXT }, 'x-kubernetes-validations': [] }, false],
  ])('finds a rule in %s', (_, schema, found) => expect(hasRules(schema)).toBe(found));

  test('finds list types and embedded objects', () => {
    const lists = ['set', 'map', 'atomic'].map((type) => ({ properties: { a: { 'x-kubernetes-list-type': type } } }));
    expect(lists.map(hasListTypes)).toEqual([true, true, false]);
    expect([{ 'x-kubernetes-embedded-resource': true }, {}].map(hasEmbedded)).toEqual([true, false]);
  });
});

test('fields are visited at their paths', () => {
  const schema: StructuralSchema = { type: 'object', properties: { a: TEXT }, additionalProperties: NUMBER };
  const visit = (_schema: StructuralSchema, value: unknown, path: Path): ReturnType<typeof invalidValue>[] => [
    invalidValue(path, value, String(_schema.type)),
  ];
  const messages = (value: unknown, of = schema): string[] =>
    visitFields(of, value, Path.of('x'), visit).map((e) => e.message);
  expect(messages({ a: 'y', 'b/c': 1 })).toEqual([
    'x.a: Invalid value: "y": string',
    'x[b/c]: Invalid value: 1: integer',
  ]);
  expect(messages({ b: 1 }, { type: 'object' })).toEqual([]);
  expect(messages(['a'])).toEqual([]);
});
