import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../machinery/meta/object.js';
import { Index, ObjectTable } from './object-table.js';
import { widget, type Widget } from '../testing.js';

const names = (objects: Iterable<KubeObject>): string[] => [...objects].map((o) => o.metadata.name!);
const byShelf = (object: KubeObject): string[] => (object as Widget).spec.shelf?.split('+') ?? [];
const shelved = (name: string, shelf: string, uid?: string): Widget => widget(name, { shelf }, uid ? { uid } : {});

describe('an index', () => {
  test.each<[string, Widget | undefined, Widget | undefined, string[], string[]]>([
    ['takes a new object', undefined, shelved('b', 'top'), ['a', 'b'], []],
    ['has what comes later in the order of keys', undefined, shelved('Z', 'top'), ['Z', 'a'], []],
    ['keeps the place of an object that stays', shelved('a', 'top'), shelved('a', 'top'), ['a'], []],
    ['moves an object', shelved('a', 'top'), shelved('a', 'low'), [], ['a']],
    ['files an object under several values', shelved('a', 'top'), shelved('a', 'top+low'), ['a'], ['a']],
    ['drops a deleted object', shelved('a', 'top'), undefined, [], []],
    ['drops an object without values', shelved('a', 'top'), widget('a'), [], []],
  ])('%s', (_, old, next, top, low) => {
    const index = new Index(byShelf);
    index.update(undefined, shelved('a', 'top'));
    index.update(old, next);
    expect([names(index.get('top')), names(index.get('low'))]).toEqual([top, low]);
  });

  test('keeps its order while objects come and go', () => {
    const index = new Index(byShelf);
    const [a, b, c] = [shelved('a', 'top', '1'), shelved('b', 'top', '2'), shelved('c', 'top', '3')];
    for (const one of [c, a]) index.update(undefined, one);
    expect(names(index.get('top'))).toEqual(['a', 'c']);
    index.update(undefined, b);
    index.update(a, undefined);
    const before = index.get('top');
    index.update(undefined, a);
    expect([names(before), names(index.get('top'))]).toEqual([
      ['b', 'c'],
      ['a', 'b', 'c'],
    ]);
  });

  test('knows an object that was made anew under its name by its uid', () => {
    const index = new Index(byShelf);
    const [old, next] = [shelved('a', 'top', '1'), shelved('a', 'top', '2')];
    index.update(undefined, old);
    index.update(old, next);
    expect(index.get('top')).toEqual([next]);
  });
});

describe('a table', () => {
  const put = (table: ObjectTable, object: Widget): void =>
    table.replace(
      object.metadata.namespace!,
      object.metadata.name!,
      table.get('default', object.metadata.name!),
      object,
    );

  function newTable(): ObjectTable {
    const table = new ObjectTable();
    for (const name of ['b', 'a']) put(table, widget(name));
    put(table, widget('z', {}, { namespace: 'alpha' }));
    return table;
  }

  test('lists and counts in the order of keys', () => {
    const table = newTable();
    expect(names(table.list(undefined))).toEqual(['z', 'a', 'b']);
    expect(names(table.list('default'))).toEqual(['a', 'b']);
    expect(names(table.list('none'))).toEqual([]);
    expect([table.count(undefined), table.count('default'), table.count('none')]).toEqual([3, 2, 0]);
  });

  test('a list that was given out does not change', () => {
    const table = newTable();
    const before = table.list('default');
    table.replace('default', 'a', table.get('default', 'a'), undefined);
    expect([names(before), names(table.list('default'))]).toEqual([['a', 'b'], ['b']]);
    expect(table.count(undefined)).toBe(2);
  });

  test('an index that is added later holds what is there', () => {
    const table = newTable();
    put(table, shelved('b', 'top'));
    table.addIndex('shelf', byShelf);
    expect(names(table.indexes.get('shelf')!.get('top'))).toEqual(['b']);
  });

  test('tells its observers of each step', () => {
    const table = newTable();
    const steps: [string?, string?][] = [];
    table.observers.push((old, next) => steps.push([old?.metadata.name, next?.metadata.name]));
    const a = table.get('default', 'a');
    table.replace('default', 'a', a, widget('a', { size: 1 }));
    table.replace('default', 'b', table.get('default', 'b'), undefined);
    expect(steps).toEqual([
      ['a', 'a'],
      ['b', undefined],
    ]);
  });
});
