import { expect, test } from '@jest/globals';
import type { Chart } from './chart.js';
import { coalesceTables, coalesceValues, mergeMaps, processDependencies } from './values.js';

const chart = (name: string, values: Chart['values'], dependencies: Chart[] = [], listed: object[] = []): Chart => ({
  metadata: { name, version: '1.0.0', dependencies: listed as Chart['metadata'][string] },
  ...{ lock: null, templates: [], values, schema: null, files: [], raw: [], dependencies },
});
const none = (): void => undefined;

test('later files win, field by field', () =>
  expect(mergeMaps({ a: { b: 1, c: 2 }, d: [1] }, { a: { c: 3 }, d: [2] })).toEqual({ a: { b: 1, c: 3 }, d: [2] }));

test.each<[string, object, object, object]>([
  ['what is given wins', { a: 1, m: { x: 1, y: 2 } }, { m: { x: 5 } }, { a: 1, m: { x: 5, y: 2 } }],
  ['a null takes a field away', { a: 1, b: 2 }, { a: null }, { b: 2 }],
  ['a list is one value', { l: [1, 2] }, { l: [3] }, { l: [3] }],
])('%s', (_name, own, given, all) =>
  expect(coalesceValues(chart('c', own as Chart['values']), given as Record<string, unknown>, none)).toEqual(all),
);

test('charts within get their own part, and what is global', () => {
  const inner = chart('db', { port: 1, user: 'u' });
  const outer = chart('app', { db: { port: 2 }, global: { region: 'x' } }, [inner]);
  expect(coalesceValues(outer, { db: { user: 'me' } }, none)).toEqual({
    global: { region: 'x' },
    db: { port: 2, user: 'me', global: { region: 'x' } },
  });
});

test('a table and another value do not mix', () => {
  const lines: string[] = [];
  coalesceTables({ a: 1 }, { a: { b: 1 } }, 'c', false, (line) => lines.push(line));
  expect(lines).toEqual(['warning: cannot overwrite table with non table for c.a ({"b":1})']);
});

test.each<[string, object, object, string[]]>([
  ['a condition switches off', { condition: 'db.enabled' }, { db: { enabled: false } }, []],
  ['a condition that nobody sets', { condition: 'db.enabled' }, {}, ['db']],
  ['a tag switches off', { tags: ['back'] }, { tags: { back: false } }, []],
  [
    'a condition has the last word',
    { tags: ['back'], condition: 'db.on' },
    { tags: { back: false }, db: { on: true } },
    ['db'],
  ],
  ['an alias', { alias: 'store' }, {}, ['store']],
])('%s', (_name, more, given, names) => {
  const outer = chart('app', {}, [chart('db', {})], [{ name: 'db', version: '1', ...more }]);
  processDependencies(outer, given as Record<string, unknown>);
  expect(outer.dependencies.map(({ metadata }) => metadata['name'])).toEqual(names);
});
