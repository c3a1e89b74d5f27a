import { describe, expect, test } from '@jest/globals';
import { ConfigMaps, Nodes, Pods } from '../../kinds/index.js';
import { defineKind, type Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { Query } from '../../machinery/requests/query.js';
import { parseSelection, selects, selectsAll, type Selection } from './select.js';

const Things = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  scope: 'Cluster',
  definition: 'com.example.v1.Thing',
});
const select = (kind: Kind, namespace: string, query: string, name?: string): Selection =>
  parseSelection(kind, namespace, new Query(query), name);

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'shop', labels: { app: 'web' } },
  spec: { nodeName: 'one' },
  status: { phase: 'Running' },
} as unknown as KubeObject;

describe('a pod is selected', () => {
  test.each<[string, string, boolean]>([
    ['', '', true],
    ['shop', '', true],
    ['other', '', false],
    ['', 'labelSelector=app%3Dweb', true],
    ['', 'labelSelector=app+in+(api,web)', true],
    ['', 'labelSelector=!app', false],
    ['', 'fieldSelector=metadata.name%3Da', true],
    ['', 'fieldSelector=metadata.name!%3Da', false],
    ['', 'fieldSelector=metadata.namespace%3Dshop,spec.nodeName%3Done', true],
    ['', 'fieldSelector=status.phase!%3DRunning', false],
    ['', 'labelSelector=app%3Dweb&fieldSelector=spec.nodeName%3Dtwo', false],
  ])('in %j by %j: %s', (namespace, query, expected) =>
    expect(selects(select(Pods, namespace, query), POD)).toBe(expected),
  );
});

test('a /watch/ path to one object narrows to its name', () => {
  const selection = select(Pods, 'shop', 'fieldSelector=spec.nodeName%3Done', 'a');
  expect(selection.name).toBe('a');
  expect(selects(selection, POD)).toBe(true);
  expect(selects(select(Pods, 'shop', '', 'b'), POD)).toBe(false);
});

test.each([
  ['fieldSelector=metadata.name%3Da', 'a'],
  ['fieldSelector=metadata.name!%3Da', undefined],
  ['', undefined],
])('%j requires the name %s', (query, name) => expect(select(Pods, '', query).name).toBe(name));

test.each([
  ['', true],
  ['labelSelector=a', false],
  ['fieldSelector=metadata.name%3Da', false],
])('%j selects everything: %s', (query, expected) => expect(selectsAll(select(Pods, 'a', query))).toBe(expected));

test.each<[string, string, Kind, string]>([
  ['pods', 'spec.color=x', Pods, 'field label not supported: spec.color'],
  ['nodes', 'metadata.namespace=x', Nodes, 'field label not supported: metadata.namespace'],
  [
    'configmaps',
    'data.a=x',
    ConfigMaps,
    '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ],
  ['things', 'spec.a=x', Things, '"spec.a" is not a known field selector: only "metadata.name", "metadata.namespace"'],
])('%s by %s is refused', (_, selector, kind, message) =>
  expect(() => select(kind, '', `fieldSelector=${selector}`)).toThrow(
    expect.objectContaining({ code: 400, message }) as never,
  ),
);
