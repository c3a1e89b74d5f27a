import { expect, test } from '@jest/globals';
import { carts, documentOf } from './testing.js';

test('a custom resource has the schema of its definition, with metadata and a list', () => {
  const custom = documentOf('shop.example').components.schemas;
  expect(custom['example.shop.v1.Cart']).toMatchObject({
    type: 'object',
    properties: { spec: { type: 'object' }, metadata: {} },
    'x-kubernetes-group-version-kind': [{ group: 'shop.example', kind: 'Cart', version: 'v1' }],
  });
  expect(custom['example.shop.v1.CartList']!.required).toEqual(['items']);
  expect(carts.schema).toEqual({ type: 'object', properties: { spec: { type: 'object' } } });
});
