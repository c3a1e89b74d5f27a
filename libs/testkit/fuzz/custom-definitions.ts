import type { Dice } from './dice.js';
import { anything, expression, mutated, pattern, type Json } from './values.js';

/** A CustomResourceDefinition of the group x.io, now and then with a mistake. */
export function customDefinition(dice: Dice): Json {
  const plural = dice.pick(['things', 'others']);
  const kind = plural === 'things' ? 'Thing' : 'Other';
  const version = (name: string, storage: boolean): Json => ({
    name,
    served: true,
    storage,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: schema(dice, 0),
          status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
    ...(dice.chance(60)
      ? {
          subresources: {
            status: {},
            ...(dice.chance(50) ? { scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a' } } : {}),
          },
        }
      : {}),
    ...(dice.chance(30)
      ? {
          additionalPrinterColumns: [
            {
              name: 'A',
              type: dice.pick(['string', 'date', 'integer']),
              jsonPath: dice.pick(['.spec.a', '.metadata.labels', '.spec.b[0]']),
            },
          ],
        }
      : {}),
  });
  const made = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.x.io` },
    spec: {
      group: 'x.io',
      scope: dice.pick(['Namespaced', 'Namespaced', 'Cluster']),
      names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [version('v1', true), ...(dice.chance(20) ? [version('v2', false)] : [])],
    },
  };
  return dice.chance(25) ? mutated(dice, made) : made;
}

function schema(dice: Dice, depth: number): Json {
  const rules = dice.chance(20)
    ? {
        'x-kubernetes-validations': [
          { rule: expression(dice), ...(dice.chance(30) ? { messageExpression: expression(dice) } : {}) },
        ],
      }
    : {};
  const kept = dice.chance(15) ? { 'x-kubernetes-preserve-unknown-fields': true } : {};
  const fallback = dice.chance(10) ? { default: anything(dice) } : {};
  switch (dice.roll(depth > 4 ? 4 : 7)) {
    case 0:
      return {
        type: 'string',
        ...(dice.chance(30) ? { pattern: pattern(dice) } : {}),
        ...(dice.chance(20) ? { format: dice.pick(['date', 'ipv4', 'x', 'email']) } : {}),
        ...(dice.chance(20) ? { maxLength: dice.roll(9) } : {}),
        ...rules,
        ...fallback,
      };
    case 1:
      return {
        type: dice.pick(['integer', 'number']),
        ...(dice.chance(30) ? { minimum: dice.roll(5), multipleOf: 1 } : {}),
        ...rules,
        ...fallback,
      };
    case 2:
      return { type: 'boolean', ...fallback };
    case 3:
      return dice.chance(50) ? { 'x-kubernetes-int-or-string': true } : { type: 'object', ...kept, nullable: true };
    case 4:
      return {
        type: 'array',
        items: schema(dice, depth + 1),
        ...(dice.chance(30)
          ? { 'x-kubernetes-list-type': dice.pick(['set', 'atomic', 'map']), 'x-kubernetes-list-map-keys': ['a'] }
          : {}),
        ...(dice.chance(50) ? { maxItems: 5 } : {}),
        ...rules,
      };
    case 5:
      return { type: 'object', additionalProperties: schema(dice, depth + 1), ...rules };
    default:
      return {
        type: 'object',
        properties: { a: schema(dice, depth + 1), b: schema(dice, depth + 1) },
        ...(dice.chance(20) ? { required: ['a'] } : {}),
        ...kept,
        ...rules,
      };
  }
}
