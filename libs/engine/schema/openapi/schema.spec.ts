import { expect, test } from '@jest/globals';
import { documentOf } from './testing.js';

const schemas = documentOf('').components.schemas;

test('lists say how they merge', () => {
  expect(schemas['io.k8s.api.core.v1.PodSpec']!.properties['containers']).toMatchObject({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    'x-kubernetes-patch-merge-key': 'name',
    'x-kubernetes-patch-strategy': 'merge',
    items: { allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.Container' }] },
  });
});
test('fields are described, required and enumerated', () => {
  const container = schemas['io.k8s.api.core.v1.Container']!;
  expect(container.required).toEqual(['name']);
  expect(container.properties['imagePullPolicy']?.['enum']).toEqual(['Always', 'IfNotPresent', 'Never']);
  expect(container.properties['image']?.['description']).toMatch(/image/i);
});
test('quantities and ports are unions', () => {
  expect(schemas['io.k8s.apimachinery.pkg.api.resource.Quantity']).toMatchObject({
    oneOf: [{ type: 'string' }, { type: 'number' }],
  });
  expect(schemas['io.k8s.apimachinery.pkg.util.intstr.IntOrString']).toMatchObject({ format: 'int-or-string' });
});
