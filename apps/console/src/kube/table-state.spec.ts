import { expect, test } from '@jest/globals';
import type { TableBatch } from './operations.generated.js';
import type { Row } from './row.js';
import { applyBatches, EMPTY, mergeTables, parseSort, RowOrder, sortText } from './table-state.js';

const row = (name: string, cells: readonly unknown[] = [name], more: Partial<Row> = {}): Row => ({
  key: `a/${name}`,
  name,
  namespace: 'a',
  uid: name,
  version: '',
  created: '',
  deleting: false,
  labels: {},
  cells,
  ...more,
});
const batch = (more: Partial<TableBatch>): TableBatch => ({
  reset: false,
  columns: null,
  rows: [],
  removed: [],
  revision: 1,
  now: null,
  age: null,
  ...more,
});
const names = (rows: readonly Row[]): string => rows.map(({ name }) => name).join(' ');

test('batches add, change, remove and begin anew', () => {
  const first = applyBatches(
    EMPTY,
    [batch({ reset: true, columns: [], rows: [row('a'), row('b')], now: 9, age: 5 })],
    50,
  );
  expect([first.rows.size, first.time]).toEqual([2, { virtual: 9, real: 45 }]);
  const next = applyBatches(first, [batch({ rows: [row('c'), row('a', ['A'])] }), batch({ removed: ['a/b'] })], 60);
  expect([...next.rows.values()].map(({ cells }) => cells[0])).toEqual(['A', 'c']);
  expect([first.rows.size, next.time]).toEqual([2, first.time]);
  expect(applyBatches(next, [batch({ reset: true, rows: [row('x')] })], 0).rows.size).toBe(1);
});

test('rows are sorted and found by their words', () => {
  const order = new RowOrder();
  const rows = [
    row('web-10', ['web-10', '1/2']),
    row('web-2', ['web-2', '2/2'], { labels: { app: 'Shop' } }),
    row('db', ['db', '0/1']),
  ];
  let state = applyBatches(EMPTY, [batch({ reset: true, rows })], 0);
  const shown = (text: string, sort = '0'): string => names(order.order(state, { text, sort: parseSort(sort) }));
  expect(shown('')).toBe('db web-2 web-10');
  expect(shown('', '-0')).toBe('web-10 web-2 db');
  expect(shown('', '1')).toBe('db web-10 web-2');
  expect(shown('app=shop WEB')).toBe('web-2');
  expect(shown('')).toBe('db web-2 web-10');
  state = applyBatches(state, [batch({ rows: [row('aa'), row('db', ['zz'])], removed: ['a/web-2'] })], 0);
  expect(shown('')).toBe('aa web-10 db');
});

test('the youngest come first by age', () => {
  const rows = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'].map((created, i) => row(`p${i}`, [], { created }));
  const state = applyBatches(EMPTY, [batch({ reset: true, rows })], 0);
  expect(names(new RowOrder().order(state, { text: '', sort: parseSort('age') }))).toBe('p1 p0');
});

test('a sort is what its link says', () =>
  expect(['', '3', '-age'].map((text) => sortText(parseSort(text)))).toEqual(['0', '3', '-age']));

test('what is extra sorts, too, and what has none comes last', () => {
  const state = applyBatches(EMPTY, [batch({ rows: [row('a'), row('b'), row('c')] })], 0);
  const order = new RowOrder();
  const wanted = { text: '', sort: parseSort('cpu') };
  const extra = (a: number, b: number) => new Map([...Object.entries({ 'a/a': { cpu: a }, 'a/b': { cpu: b } })]);
  expect(names(order.order(state, { ...wanted, extra: extra(2, 1) }))).toBe('b a c');
  expect(names(order.order(state, { ...wanted, extra: extra(1, 2) }))).toBe('a b c');
  expect(names(order.order(state, { text: '', sort: parseSort('-cpu'), extra: extra(1, 2) }))).toBe('b a c');
});

test('tables of several namespaces are one', () => {
  const column = { name: 'Name', type: 'string', format: '', description: '', priority: 0 };
  const part = (namespace: string, now: number, columns: readonly [] | [typeof column]) =>
    applyBatches(
      EMPTY,
      [batch({ reset: true, columns, rows: [row('x', ['x'], { key: `${namespace}/x`, namespace })], now })],
      now,
    );
  const merged = mergeTables([part('a', 1, []), part('b', 3, [column]), EMPTY]);
  expect([...merged.rows.keys()]).toEqual(['a/x', 'b/x']);
  expect([merged.columns, merged.time?.virtual]).toEqual([[column], 3]);
  expect(mergeTables([EMPTY])).toBe(EMPTY);
});
