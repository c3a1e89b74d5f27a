import { expect, test } from '@jest/globals';
import {
  ageColumn,
  column,
  containerColumns,
  count,
  formatLabels,
  integer,
  nameColumn,
  selectorColumn,
  wide,
} from './columns.js';
import type { KubeObject } from './object.js';

const NOW = Date.UTC(2026, 0, 2);
const object: KubeObject & { replicas?: number } = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' },
};
const template = { spec: { containers: [{ name: 'a', image: 'a:1' }, { name: 'b' }] } };

test.each([
  [nameColumn, 'a', { type: 'string', format: 'name' }],
  [ageColumn, '24h', { type: 'string' }],
  [column('X', 'x', () => true, { type: 'boolean' }), true, { type: 'boolean', description: 'x' }],
  [integer('N', 'n', (o: typeof object) => o.replicas), 0, { type: 'integer' }],
  [count('N', 'n', () => 3), 3, { type: 'string' }],
  [wide('W', 'w', () => 'x'), 'x', { priority: 1 }],
  [selectorColumn(() => ({ matchLabels: { b: '2', a: '1' } })), 'a=1,b=2', { priority: 1 }],
  [selectorColumn(() => undefined), '<none>', { priority: 1 }],
])('%j shows %j', (of, cell, definition) => {
  expect(of.cell(object, NOW)).toBe(cell);
  expect(of).toMatchObject(definition);
});

test("a pod template's containers are two wide columns", () => {
  const columns = containerColumns<KubeObject>(() => template);
  expect(columns.map((c) => [c.name, c.priority, c.cell(object, NOW)])).toEqual([
    ['Containers', 1, 'a,b'],
    ['Images', 1, 'a:1,'],
  ]);
  expect(containerColumns<KubeObject>(() => undefined).map((c) => c.cell(object, NOW))).toEqual(['', '']);
});

test.each([
  [undefined, '<none>'],
  [{}, '<none>'],
  [{ b: '2', a: '1' }, 'a=1,b=2'],
])('the labels %j are shown as %s', (labels, text) => expect(formatLabels(labels)).toBe(text));
