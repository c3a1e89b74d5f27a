import { expect, test } from '@jest/globals';
import type { Row as ConsoleRow } from '../../../console/src/kube/row.js';
import { columnsOf, readEvent, rowOf, type Row } from './table-rows.js';

const row = (name: string, more: object = {}) => ({
  cells: [name, '1/1'],
  object: {
    metadata: {
      name,
      namespace: 'a',
      uid: 'u',
      resourceVersion: '5',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...more,
    },
  },
});
const frame = (type: string, rows: object[], resourceVersion?: string): string =>
  JSON.stringify({ type, object: { metadata: { resourceVersion }, columnDefinitions: null, rows } });

test('a row has what a page needs of its object', () => {
  const expected = {
    key: 'a/web',
    name: 'web',
    namespace: 'a',
    uid: 'u',
    version: '5',
    created: '2026-01-01T00:00:00Z',
  };
  expect(rowOf(row('web'))).toEqual({ ...expected, deleting: false, labels: {}, cells: ['web', '1/1'] });
  expect(rowOf(row('web', { deletionTimestamp: 'x', labels: { app: 'web' } }))).toMatchObject({
    deleting: true,
    labels: { app: 'web' },
  });
  expect(rowOf({ cells: [], object: {} }).key).toBe('/');
});

test('events of a watch', () => {
  expect(readEvent(frame('ADDED', [row('web')], '7'))).toMatchObject({ type: 'put', revision: 7 });
  expect(readEvent(frame('DELETED', [row('web')], '8'))).toMatchObject({ type: 'delete', rows: [{ key: 'a/web' }] });
  expect(readEvent(frame('BOOKMARK', [], '9'))).toEqual({ type: 'bookmark', revision: 9 });
  expect(readEvent(JSON.stringify({ type: 'ERROR', object: { code: 410 } }))).toEqual({ type: 'error' });
});

test('a Table of a watch that is under way defines no columns', () =>
  expect(columnsOf({ metadata: {}, columnDefinitions: null, rows: [] })).toEqual([]));

test('the console knows the row as it is told: another field on either side is an error of types', () => {
  const known = (row: Row): ConsoleRow => row;
  const told = (row: ConsoleRow): Row => row;
  expect([typeof known, typeof told]).toEqual(['function', 'function']);
});
