import { describe, expect, test } from '@jest/globals';
import { ConfigMaps } from '../../kinds/index.js';
import { defineKind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { parseIncludeObject, tableText } from './table.js';

const NOW = Date.UTC(2026, 0, 2);
const Things = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  scope: 'Namespaced',
  definition: 'com.example.v1.Thing',
});
const object = (kind: string, apiVersion: string): KubeObject =>
  ({ apiVersion, kind, metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' }, data: { x: '1' } }) as never;
const METADATA = { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' };
const OPTIONS = { metaVersion: 'v1', include: 'Metadata', metadata: '{"resourceVersion":"7"}' } as const;

test("a kind's own columns, with the metadata of each object", () =>
  expect(JSON.parse(tableText(ConfigMaps, [object('ConfigMap', 'v1')], NOW, OPTIONS))).toEqual({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '7' },
    columnDefinitions: [
      expect.objectContaining({ name: 'Name', type: 'string', format: 'name', priority: 0 }),
      expect.objectContaining({ name: 'Data', type: 'string', format: '', priority: 0 }),
      expect.objectContaining({ name: 'Age', type: 'string' }),
    ],
    rows: [
      {
        cells: ['a', 1, '24h'],
        object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: METADATA },
      },
    ],
  }));

test('a kind without columns shows name and creation', () => {
  const table = JSON.parse(tableText(Things, [object('Thing', 'example.com/v1')], NOW, OPTIONS));
  expect(table.columnDefinitions.map((c: any) => `${c.name} ${c.type}`)).toEqual(['Name string', 'Created At date']);
  expect(table.rows[0].cells).toEqual(['a', '2026-01-01T00:00:00Z']);
});

test.each([
  ['None', null],
  ['Object', { kind: 'ConfigMap', apiVersion: 'v1', metadata: METADATA, data: { x: '1' } }],
] as const)('includeObject=%s', (include, expected) => {
  const text = tableText(ConfigMaps, [object('ConfigMap', 'v1')], NOW, { ...OPTIONS, include });
  expect(JSON.parse(text).rows[0].object).toEqual(expected);
});

test('in v1beta1, and without definitions', () => {
  const options = { ...OPTIONS, metaVersion: 'v1beta1', definitions: false };
  expect(JSON.parse(tableText(ConfigMaps, [object('ConfigMap', 'v1')], NOW, options))).toMatchObject({
    apiVersion: 'meta.k8s.io/v1beta1',
    columnDefinitions: null,
    rows: [{ object: { apiVersion: 'meta.k8s.io/v1beta1' } }],
  });
});

describe('parseIncludeObject', () => {
  test.each([
    ['', 'Metadata'],
    ['Metadata', 'Metadata'],
    ['None', 'None'],
    ['Object', 'Object'],
  ])('%j is %s', (text, expected) => expect(parseIncludeObject(text)).toBe(expected));
  test('others are refused', () =>
    expect(() => parseIncludeObject('All')).toThrow(
      "Unable to convert to Table as requested: includeObject: Invalid value: \"All\": must be 'Metadata', 'Object', 'None', or empty",
    ));
});
