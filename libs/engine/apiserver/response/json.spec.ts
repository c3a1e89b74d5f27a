import { expect, test } from '@jest/globals';
import { ConfigMaps } from '../../kinds/index.js';
import { defineKind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { itemText, objectText, partialText, storedText } from './json.js';

const Things = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  scope: 'Namespaced',
  definition: 'com.example.v1.Thing',
});
const CONFIG_MAP = { metadata: { name: 'a' }, data: { x: '1' }, apiVersion: 'v1', kind: 'ConfigMap' } as KubeObject;
const THING = { metadata: { name: 'a' }, apiVersion: 'example.com/v1', kind: 'Thing' } as KubeObject;

test('objectText writes the type first', () =>
  expect(objectText(ConfigMaps, CONFIG_MAP)).toBe(
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"x":"1"}}',
  ));

test('itemText writes no type for built-in kinds', () => {
  expect(itemText(ConfigMaps, CONFIG_MAP)).toBe('{"metadata":{"name":"a"},"data":{"x":"1"}}');
  expect(itemText(Things, THING)).toBe('{"kind":"Thing","apiVersion":"example.com/v1","metadata":{"name":"a"}}');
});

test('the type is that of the kind, not that of the object', () =>
  expect(objectText({ ...Things, version: 'v2' }, THING)).toContain('"apiVersion":"example.com/v2"'));

test.each<[string, object]>([
  ['the type at its beginning', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: 'ä"' } }],
  ['the type at its beginning, as Go writes it', { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } }],
  ['the type at its end', CONFIG_MAP],
  ['the type of another version', { apiVersion: 'v1beta1', kind: 'ConfigMap', metadata: { name: 'a' } }],
  [
    'an entry of managedFields without its fields',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', managedFields: [{ manager: 'm' }] }, data: {} },
  ],
])('an object with %s is stored as it is, before and after it was shown', (_, value) => {
  const object = value as KubeObject;
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = value as Record<string, unknown>;
  expect(storedText(object)).toBe(JSON.stringify(object));
  const shown = JSON.parse(objectText(ConfigMaps, object)) as Record<string, unknown>;
  expect(Object.keys(shown)).toEqual(['kind', 'apiVersion', ...Object.keys(rest)]);
  expect(shown).toMatchObject({ ...rest, metadata: { name: 'a' }, kind: 'ConfigMap', apiVersion: 'v1' });
  expect(storedText(object)).toBe(JSON.stringify(object));
  expect(objectText({ ...ConfigMaps, version: 'v1beta1' }, object)).toBe(
    objectText(ConfigMaps, object).replace('"v1"', '"v1beta1"'),
  );
});

test('partialText writes the metadata alone', () =>
  expect(partialText(ConfigMaps, CONFIG_MAP, 'v1beta1')).toBe(
    '{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1beta1","metadata":{"name":"a"}}',
  ));
