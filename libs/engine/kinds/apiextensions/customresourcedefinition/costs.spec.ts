import { describe, expect, test } from '@jest/globals';
import type { JSONSchemaProps } from '../../../api/apiextensions_v1.js';
import { errorsOf, updateErrors } from '../../testing.js';
import { kind } from './kind.js';

const ADVICE =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
const AT = 'spec.validation.openAPIV3Schema.properties[spec]';
const definition = (spec: JSONSchemaProps): object => ({
  metadata: { name: 'xs.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'xs', kind: 'X' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      },
    ],
  },
});
const rules = (...texts: string[]): JSONSchemaProps => ({
  'x-kubernetes-validations': texts.map((rule) => ({ rule })),
});
const text: JSONSchemaProps = { type: 'string', maxLength: 10 };
const lists = (maxItems: number, count = 1): Record<string, JSONSchemaProps> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`l${i}`, { type: 'array', maxItems: maxItems + i, items: text }]),
  );
const check = (i: number): string => `self.l${i}.all(x, x == "a")`;
const errors = (spec: JSONSchemaProps): string[] =>
  errorsOf(kind, definition(spec) as Record<string, unknown>).map((e) => e.replace(ADVICE, '(advice)'));
const total = (factor: string): string =>
  `spec.validation.openAPIV3Schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of ${factor}x (advice)`;
const contributed = (at: string): string =>
  `${at}: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`;

describe('what rules may cost', () => {
  test('a rule stays within its budget', () => {
    expect(errors({ type: 'object', properties: lists(1_900_000), ...rules(check(0)) })).toEqual([]);
    expect(errors({ type: 'object', properties: lists(2_400_000), ...rules(check(0)) })).toEqual([
      `${AT}.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of 1.200000x (advice)`,
    ]);
    expect(errors({ type: 'object', properties: lists(6_000_000), ...rules(check(0)) })).toEqual([
      `${AT}.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of 3.0x (advice)`,
    ]);
  });

  test('the rules of items count for every item that there may be', () => {
    const items = (maxItems?: number): JSONSchemaProps => ({
      type: 'object',
      properties: {
        list: {
          type: 'array',
          ...(maxItems ? { maxItems } : {}),
          items: { type: 'string', ...rules('self.matches("^[a-z]$")') },
        },
      },
    });
    expect(errors(items(10))).toEqual([]);
    const at = `${AT}.properties[list].items.x-kubernetes-validations[0].rule`;
    expect(errors(items())).toEqual([
      `${at}: Forbidden: estimated rule cost exceeds budget by factor of more than 100x (advice)`,
      contributed(at),
      total('more than 100'),
    ]);
  });

  test('a message is computed once', () => {
    const list: JSONSchemaProps = { type: 'array', items: { type: 'string' } };
    const at = `${AT}.x-kubernetes-validations[0].messageExpression`;
    expect(
      errors({
        type: 'object',
        properties: { list },
        'x-kubernetes-validations': [{ rule: 'true', messageExpression: 'self.list.join(",")' }],
      }),
    ).toEqual([
      `${at}: Forbidden: estimated messageExpression cost exceeds budget by factor of more than 100x (advice)`,
      contributed(at),
      total('more than 100'),
    ]);
  });

  test('all rules together stay within the budget of the schema, and the four most expensive are named', () => {
    const schema = (count: number): JSONSchemaProps => ({
      type: 'object',
      properties: lists(1_900_000, count),
      ...rules(...Array.from({ length: count }, (_, i) => check(i))),
    });
    expect(errors(schema(10))).toEqual([]);
    expect(errors(schema(12))).toEqual([
      ...[11, 10, 9, 8].map((i) => contributed(`${AT}.x-kubernetes-validations[${i}].rule`)),
      total('1.140004'),
    ]);
  });

  test('a rule about the former value stands where that can be found', () => {
    const at = (type?: string): JSONSchemaProps => ({
      type: 'object',
      properties: {
        list: {
          type: 'array',
          ...(type ? { 'x-kubernetes-list-type': type, 'x-kubernetes-list-map-keys': ['a'] } : {}),
          maxItems: 3,
          items: { type: 'object', required: ['a'], properties: { a: text }, ...rules('self == oldSelf') },
        },
      },
    });
    expect(errors(at('map'))).toEqual([]);
    expect(errors(at())).toEqual([
      `${AT}.properties[list].items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${AT}.properties[list]`,
    ]);
  });

  test('what was let in before stays', () => {
    const expensive = definition({ type: 'object', properties: lists(2_400_000), ...rules(check(0)) }) as Record<
      string,
      unknown
    >;
    const cheap = definition({ type: 'object', properties: lists(2), ...rules(check(0)) }) as Record<string, unknown>;
    expect(updateErrors(kind, expensive, expensive)).toEqual([]);
    expect(updateErrors(kind, cheap, expensive)).toHaveLength(1);
  });
});
