import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../machinery/meta/object.js';
import { compareKeys } from './history.js';
import { SortedObjects } from './sorted-objects.js';
import { widget } from '../testing.js';

/** A table of a hundred objects, and its sorted view. */
function newTable(size = 100) {
  const objects = new Map<string, KubeObject>();
  const sorted = new SortedObjects(() => objects.values());
  const set = (name: string, next: KubeObject | undefined, namespace = 'default'): void => {
    const key = `${namespace}/${name}`;
    sorted.replace(objects.get(key), next);
    if (next) objects.set(key, next);
    else objects.delete(key);
  };
  for (let i = size - 1; i >= 0; i--) set(`w${i}`, widget(`w${i}`));
  return { sorted, set, expected: () => [...objects.values()].sort(compareKeys) };
}

describe('objects in the order of their keys', () => {
  test.each<[string, (set: ReturnType<typeof newTable>['set']) => void]>([
    ['that have not changed', () => {}],
    ['of which one was updated', (set) => set('w50', widget('w50', { size: 2 }))],
    ['to which one came first, one last, one between', (set) => ['a', 'z', 'w5x'].forEach((n) => set(n, widget(n)))],
    ['of which one was deleted', (set) => set('w0', undefined)],
    [
      'of which one was deleted and made anew',
      (set) => [undefined, widget('w7', { size: 1 })].forEach((next) => set('w7', next)),
    ],
    ['of several namespaces', (set) => set('w1', widget('w1', {}, { namespace: 'alpha' }), 'alpha')],
    ['of which many were updated', (set) => Array.from({ length: 60 }, (_, i) => set(`w${i}`, widget(`w${i}`)))],
  ])('%s', (_, change) => {
    const { sorted, set, expected } = newTable();
    expect(sorted.list).toEqual(expected());
    change(set);
    expect(sorted.list.map((o) => [o, expected().includes(o)])).toEqual(expected().map((o) => [o, true]));
    expect(sorted.list).toHaveLength(expected().length);
  });
});

test('a list that was handed out never changes', () => {
  const { sorted, set } = newTable(3);
  const before = sorted.list;
  set('w1', undefined);
  expect(before.map((o) => o.metadata.name)).toEqual(['w0', 'w1', 'w2']);
  expect(sorted.list).toHaveLength(2);
});

test('a list is kept until an object changes', () => {
  const { sorted, set } = newTable(3);
  const before = sorted.list;
  expect(sorted.list).toBe(before);
  set('w1', widget('w1'));
  expect(sorted.list).not.toBe(before);
});
