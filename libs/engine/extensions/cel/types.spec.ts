import { describe, expect, test } from '@jest/globals';
import { typeText, type ObjectType } from '../../machinery/cel/index.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { environmentsOf, schemaDeclType } from './types.js';

const print = (schema: StructuralSchema, isResource = false): string | undefined => {
  const type = schemaDeclType(schema, isResource);
  return type && typeText(type);
};

test.each<[StructuralSchema, string | undefined]>([
  [{ type: 'boolean' }, 'bool'],
  [{ type: 'integer' }, 'int'],
  [{ type: 'number' }, 'double'],
  [{ type: 'string' }, 'string'],
  [{ type: 'string', format: 'byte' }, 'bytes'],
  [{ type: 'string', format: 'date' }, 'timestamp'],
  [{ type: 'string', format: 'date-time' }, 'timestamp'],
  [{ type: 'string', format: 'duration' }, 'duration'],
  [{ type: 'string', format: 'ipv4' }, 'string'],
  [{ 'x-kubernetes-int-or-string': true }, 'dyn'],
  [{ type: 'array', items: { type: 'string' } }, 'list(string)'],
  [{ type: 'array' }, undefined],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, 'map(string, int)'],
  [{ type: 'object', additionalProperties: {} }, undefined],
  [{ type: 'object' }, 'self'],
  [{}, undefined],
])('the type of %j is %s', (schema, expected) => expect(print(schema)).toBe(expected));

describe('an object', () => {
  const fieldsOf = (schema: StructuralSchema, isResource: boolean): Record<string, string> => {
    const { fields } = schemaDeclType(schema, isResource) as ObjectType;
    return Object.fromEntries([...fields].map(([name, { type, property }]) => [`${name}=${property}`, typeText(type)]));
  };
  test('has the fields that expressions can name', () =>
    expect(
      fieldsOf(
        {
          type: 'object',
          properties: { 'max-surge': { type: 'integer' }, in: { type: 'string' }, '1st': { type: 'string' }, any: {} },
        },
        false,
      ),
    ).toEqual({ 'max__dash__surge=max-surge': 'int', '__in__=in': 'string' }));
  test('that is a resource has its type and names', () => {
    const schema: StructuralSchema = { type: 'object', properties: { spec: { type: 'object' } } };
    expect(fieldsOf(schema, true)).toEqual({
      'spec=spec': 'self.spec',
      'apiVersion=apiVersion': 'string',
      'kind=kind': 'string',
      'metadata=metadata': 'self.metadata',
    });
    const { metadata } = Object.fromEntries((schemaDeclType(schema, true) as ObjectType).fields);
    expect([...(metadata!.type as ObjectType).fields.keys()]).toEqual(['name', 'generateName']);
  });
  test('that is embedded is a resource', () =>
    expect(
      fieldsOf(
        { type: 'object', properties: { pod: { type: 'object', 'x-kubernetes-embedded-resource': true } } },
        false,
      ),
    ).toEqual({ 'pod=pod': 'self.pod' }));
});

describe('environments', () => {
  const schema: StructuralSchema = { type: 'integer' };
  test('are made once for a schema', () => expect(environmentsOf(schema, false)).toBe(environmentsOf(schema, false)));
  test('are none without a type', () => expect(environmentsOf({}, false)).toBeUndefined());
  test('differ in oldSelf', () => {
    const { plain, optional } = environmentsOf(schema, false)!;
    expect([plain.compile('self > oldSelf').error, optional.compile('oldSelf.hasValue()').error]).toEqual([
      undefined,
      undefined,
    ]);
    expect([plain.compile('oldSelf.hasValue()').error, optional.compile('self > oldSelf').error]).toEqual([
      expect.any(String),
      expect.any(String),
    ]);
  });
});
