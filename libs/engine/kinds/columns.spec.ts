import { expect, test } from '@jest/globals';
import type { KubeObject } from '../machinery/meta/object.js';
import { createdAtColumn, listWithMoreString, nameOrDefaultColumn } from './columns.js';
import { NOW } from './testing.js';

const objectWith = (metadata: KubeObject['metadata']): KubeObject => ({ apiVersion: 'v1', kind: 'Thing', metadata });

test.each<[string[], string]>([
  [[], '<all>'],
  [['a', 'b', 'c'], 'a,b,c'],
  [['a', 'b', 'c', 'd', 'e'], 'a,b,c + 2 more...'],
])('at most three of %j', (items, text) => expect(listWithMoreString(items, 3, '<all>')).toBe(text));

test.each<[Record<string, string> | undefined, string]>([
  [undefined, 'a'],
  [{ 'example.com/default': 'true' }, 'a (default)'],
  [{ 'example.com/default': 'false' }, 'a'],
])('a class with the annotations %j is %s', (annotations, text) =>
  expect(nameOrDefaultColumn(['example.com/default']).cell(objectWith({ name: 'a', annotations }), NOW)).toBe(text),
);

test('the time of creation as it is', () => {
  expect(createdAtColumn.cell(objectWith({ creationTimestamp: '2026-01-01T11:55:00Z' }), NOW)).toBe(
    '2026-01-01T11:55:00Z',
  );
  expect(createdAtColumn.cell(objectWith({}), NOW)).toBeNull();
});
