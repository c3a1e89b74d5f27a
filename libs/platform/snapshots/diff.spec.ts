import { describe, expect, test } from '@jest/globals';
import type { CheckpointState } from '@terrarium/engine';
import { compareStates } from './diff.js';

const state = (objects: Readonly<Record<string, object>>): CheckpointState => ({
  revision: 1,
  now: 0,
  objects: Object.entries(objects).map(([name, fields]) => ({
    resource: name.startsWith('hidden') ? 'hidden' : 'configmaps',
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, ...fields },
  })),
});
const compare = (from: Record<string, object>, to: Record<string, object>, limit = 10, after?: string) =>
  compareStates(state(from), state(to), (resource) => resource !== 'hidden', {
    limit,
    after: after === undefined ? undefined : { resource: 'configmaps', namespace: 'default', name: after },
  });

describe('two states', () => {
  test('differ by what is in one only, and by fields', () => {
    const { items, after } = compare(
      { gone: {}, same: { data: { a: '1' } }, other: { data: { 'a/b': '1', b: '2' }, list: [1, 2] }, hidden1: {} },
      { new: {}, same: { data: { a: '1' } }, other: { data: { 'a/b': '2', c: '3' }, list: [1, 3, 4] }, hidden2: {} },
    );
    expect(items.map(({ type, name }) => [type, name])).toEqual([
      ['removed', 'gone'],
      ['added', 'new'],
      ['changed', 'other'],
    ]);
    expect(items[2]!.changes).toEqual([
      { op: 'replace', path: '/data/a~1b', from: '1', to: '2' },
      { op: 'remove', path: '/data/b', from: '2' },
      { op: 'add', path: '/data/c', to: '3' },
      { op: 'replace', path: '/list/1', from: 2, to: 3 },
      { op: 'add', path: '/list/2', to: 4 },
    ]);
    expect(after).toBeUndefined();
  });

  test('do not differ by versions and managed fields', () => {
    const metadata = (version: string) => ({
      metadata: { name: 'a', namespace: 'default', resourceVersion: version, managedFields: [version] },
    });
    expect(compare({ a: metadata('1') }, { a: metadata('2') }).items).toEqual([]);
  });

  test('are compared page by page', () => {
    const all = { a: {}, b: {}, c: {} };
    const first = compare({}, all, 2);
    expect([first.items.map(({ name }) => name), first.after?.name]).toEqual([['a', 'b'], 'b']);
    const second = compare({}, all, 2, 'b');
    expect([second.items.map(({ name }) => name), second.after]).toEqual([['c'], undefined]);
  });

  test('are shown up to a bound', () => {
    const data = (of: string) => ({ data: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, of])) });
    const [many] = compare({ a: data('1') }, { a: data('2') }).items;
    expect([many!.changes.length, many!.truncated]).toEqual([100, true]);
    const [long] = compare({ a: { data: 'x' } }, { a: { data: 'y'.repeat(5_000) } }).items;
    expect([String(long!.changes[0]!.to).length, long!.truncated]).toEqual([2_049, true]);
  });
});
