import { expect, test } from '@jest/globals';
import { ConfigMaps } from '../../kinds/index.js';
import { defineKind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { itemText, objectText, partialText } from './json.js';

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

test('partialText writes the metadata alone', () =>
  expect(partialText(ConfigMaps, CONFIG_MAP, 'v1beta1')).toBe(
    '{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1beta1","metadata":{"name":"a"}}',
  ));
