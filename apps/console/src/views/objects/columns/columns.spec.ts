import { expect, test } from '@jest/globals';
import { cellOf, shownColumns, toneOf } from './columns.js';

const column = (name: string, priority = 0) => ({ name, type: 'string', format: '', description: '', priority });
const COLUMNS = [column('Name'), column('Ready'), column('Age'), column('IP', 1)];

test.each([
  [{ showsNamespace: false }, '0 1 age'],
  [{ showsNamespace: true }, '0 namespace 1 age'],
  [{ showsNamespace: true, chosen: new Set(['Namespace', 'Ready', 'Age', 'IP']) }, '0 namespace 1 age 3'],
  [{ showsNamespace: true, chosen: new Set(['IP']) }, '0 3'],
])('%j', (options, ids) =>
  expect(
    shownColumns(COLUMNS, [], options)
      .map(({ id }) => id)
      .join(' '),
  ).toBe(ids),
);

test('what is measured stands before the age', () => {
  const cpu = { id: 'cpu', name: 'CPU', description: '', hasShare: false } as const;
  const shown = shownColumns(COLUMNS, [], { showsNamespace: false, usage: [cpu] });
  expect(shown.map(({ name }) => name).join(' ')).toBe('Name Ready CPU Age');
  expect(shownColumns(COLUMNS, [], { showsNamespace: false, chosen: new Set(), usage: [cpu] })).toHaveLength(1);
});

test('on a phone what tells the state is beside the name, and the name is shortened', () => {
  const columns = [column('Name'), column('Age'), column('Ready'), column('Status')];
  const shown = shownColumns(columns, [], { showsNamespace: true, isNarrow: true });
  expect(shown.map(({ name }) => name).join(' ')).toBe('Name Ready Status Age Namespace');
  expect(shown.every(({ chars }) => chars <= 20)).toBe(true);
});

test('a column is as wide as what is in it, within bounds', () => {
  const row = { key: '', name: '', namespace: '', uid: '', version: '', created: '', deleting: false, labels: {} };
  const [name, ready] = shownColumns(COLUMNS, [{ ...row, cells: ['x'.repeat(500), '1'] }], {
    showsNamespace: false,
  });
  expect([name!.width, ready!.width]).toEqual(['minmax(44ch, 48fr)', 'minmax(9ch, 7fr)']);
});

test.each([
  ['Status', 'Running', 'good'],
  ['Status', 'CrashLoopBackOff', 'bad'],
  ['Status', 'NotReady,SchedulingDisabled', 'bad'],
  ['Status', 'Ready,SchedulingDisabled', 'good'],
  ['Status', 'Init:0/1', 'wait'],
  ['Status', 'ErrImagePull', 'bad'],
  ['Ready', '1/2', 'wait'],
  ['Ready', '2/2', 'good'],
  ['Type', 'Warning', 'bad'],
  ['Name', 'Error', undefined],
])('%s %s is %s', (name, text, tone) => expect(toneOf({ name }, text)).toBe(tone));

const BEGAN = Date.parse('2026-01-01T00:00:00Z');
test.each<[string, unknown, number | undefined, string]>([
  ['Age', '5s', BEGAN + 60_000, '60s'],
  ['Age', '5s', undefined, '5s'],
  ['Last Seen', '5s', BEGAN + 70_000, '65s'],
  ['Restarts', '2 (14s ago)', BEGAN + 20_000, '2 (24s ago)'],
  ['Duration', '5s', BEGAN + 70_000, '5s'],
  ['Ready', null, BEGAN, ''],
  ['Data', { a: 1 }, BEGAN, '{"a":1}'],
])('%s %j at %d is %s', (name, cell, now, text) => {
  const [shown] = shownColumns([column(name)], [], { showsNamespace: false });
  const row = { key: '', name: '', namespace: '', uid: '', version: '', deleting: false, labels: {} };
  const told = { created: '2026-01-01T00:00:00Z', told: BEGAN + 10_000 };
  expect(cellOf({ ...row, ...told, cells: [cell] }, shown!, now)).toBe(text);
});
