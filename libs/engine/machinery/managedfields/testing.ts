import { customType } from './crd.js';
import { DEDUCED, type FieldsType } from './type.js';

/** A type with every kind of list and map under `spec`. For specs. */
export const TYPE: FieldsType = customType(
  {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          words: { type: 'array', items: { type: 'string' } },
          tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
          ports: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['port', 'protocol'],
            items: {
              type: 'object',
              properties: {
                port: { type: 'integer' },
                protocol: { type: 'string', default: 'TCP' },
                name: { type: 'string' },
              },
            },
          },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: { type: 'string' } } },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          either: { 'x-kubernetes-int-or-string': true },
        },
      },
    },
  },
  DEDUCED,
);

export const spec = (value: Record<string, unknown>): { spec: Record<string, unknown> } => ({ spec: value });
