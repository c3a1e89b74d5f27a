import { beforeEach, describe, expect, test } from '@jest/globals';
import { encodedSize } from './object-bytes.js';
import { State } from './state.js';
import { widget, Widgets } from '../testing.js';

const RESOURCE = 'widgets.test.dev';
const at = (name: string, namespace = 'default') => ({ namespace, name });
let state: State;

beforeEach(() => {
  state = new State();
  state.addIndex(RESOURCE, 'shelf', (o) => Widgets.indexes!['shelf']!(o as never));
});
const put = (...args: Parameters<typeof widget>) => state.put(RESOURCE, widget(...args), 'me', 0);
const names = (list: readonly { metadata: { name?: string } }[]) => list.map((o) => o.metadata.name);

test('each change has its own revision, stamped on the object', () => {
  put('a');
  put('b');
  expect(state.revision).toBe(2);
  expect(state.get(Widgets, at('b'))!.metadata.resourceVersion).toBe('2');
});

test('lists are ordered by namespace and name', () => {
  put('b');
  put('a');
  put('z', {}, { namespace: 'alpha' });
  expect(names(state.list(Widgets))).toEqual(['z', 'a', 'b']);
  expect(names(state.list(Widgets, 'default'))).toEqual(['a', 'b']);
});

test('an index follows its objects', () => {
  put('a', { shelf: 'top' });
  put('b', { shelf: 'top' });
  put('a', { shelf: 'low' });
  state.remove(RESOURCE, at('b'), 'me', 0);
  expect(names(state.byIndex(Widgets, 'shelf', 'top'))).toEqual([]);
  expect(names(state.byIndex(Widgets, 'shelf', 'low'))).toEqual(['a']);
});

test('dependents are found by any owner', () => {
  const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'X', name: 'x', uid });
  put('a', {}, { ownerReferences: [owner('1'), owner('2')] });
  expect(names(state.dependents('2'))).toEqual(['a']);
  put('a', {}, { ownerReferences: [owner('1')] });
  expect(names(state.dependents('2'))).toEqual([]);
});

describe('the encoded size', () => {
  const sizeOf = (s: State) => [...s.objects()].reduce((sum, { object }) => sum + encodedSize(object), 0);

  test('is that of all live objects, whatever has happened to them', () => {
    put('a', { size: 1 });
    put('a', { size: 1000 });
    put('b', { shelf: 'top' });
    state.remove(RESOURCE, at('b'), 'me', 0);
    expect(state.bytes).toBe(encodedSize(state.get(Widgets, at('a'))!));
    const mark = state.mark();
    put('a');
    put('c', { shelf: 'low' });
    expect(state.bytes).toBe(sizeOf(state));
    state.rollback(mark);
    expect(state.bytes).toBe(sizeOf(state));
  });

  test('is counted of what another process has made, and of what a checkpoint holds', () => {
    put('a');
    const copy = new State();
    copy.load(RESOURCE, widget('old', { shelf: 'top' }));
    copy.replay(state.since({ created: 0, changes: 0, revision: 0, now: 0 })[0]!);
    expect(copy.bytes).toBe(sizeOf(copy));
    const counted = widget('counted');
    copy.loadKnown([{ resource: RESOURCE, object: counted }], encodedSize(counted));
    expect(copy.bytes).toBe(sizeOf(copy));
  });
});

describe('a rollback', () => {
  test('brings back objects, indexes, revision and time', () => {
    put('kept', { shelf: 'top' });
    state.commit();
    const mark = state.mark();
    state.now = 5_000;
    put('kept', { shelf: 'low' });
    put('new', { shelf: 'low' });
    state.remove(RESOURCE, at('kept'), 'me', 0);
    state.rollback(mark);
    expect([state.revision, state.now]).toEqual([1, 0]);
    expect(names(state.byIndex(Widgets, 'shelf', 'top'))).toEqual(['kept']);
    expect(names(state.byIndex(Widgets, 'shelf', 'low'))).toEqual([]);
    expect(names(state.list(Widgets))).toEqual(['kept']);
  });

  test('is seen by observers, so that caches follow', () => {
    let total = 0;
    state.observe(RESOURCE, (old, next) => {
      total +=
        ((next as never as { spec: { size?: number } })?.spec.size ?? 0) -
        ((old as never as { spec: { size?: number } })?.spec.size ?? 0);
    });
    put('a', { size: 3 });
    const mark = state.mark();
    put('a', { size: 10 });
    put('b', { size: 1 });
    expect(total).toBe(11);
    state.rollback(mark);
    expect(total).toBe(3);
  });
});

test('changes made elsewhere must follow without a gap', () => {
  const change = {
    revision: 2,
    type: 'put',
    resource: RESOURCE,
    namespace: 'default',
    name: 'a',
    object: widget('a'),
    actor: '',
    cause: 0,
    at: 0,
  } as const;
  expect(() => state.replay(change)).toThrow('gap in the log: at 0, got 2');
});
