import { describe, expect, test } from '@jest/globals';
import { kinds } from '../../kinds/index.js';
import { State } from './state.js';

const ConfigMaps = kinds.find((k) => k.plural === 'configmaps')!;

/** A state, and the names it had at each revision. */
function written(): { state: State; names: Map<number, string[]> } {
  const state = new State();
  const names = new Map<number, string[]>();
  const step = (write: () => void): void => {
    write();
    names.set(state.revision, listed(state.list(ConfigMaps)));
  };
  const put = (namespace: string, name: string): void =>
    step(
      () =>
        void state.put('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name } }, 'test', 0),
    );
  for (const [namespace, name] of [
    ['x', 'a'],
    ['x', 'c'],
    ['w', 'z'],
    ['x', 'b'],
    ['x', 'a'],
  ] as const)
    put(namespace, name);
  step(() => state.remove('configmaps', { namespace: 'x', name: 'c' }, 'test', 0));
  step(
    () =>
      void state.put(
        'secrets',
        { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'x', name: 's' } },
        'test',
        0,
      ),
  );
  return { state, names };
}

const listed = (
  objects: readonly { metadata: { namespace?: string; name?: string; resourceVersion?: string } }[] | undefined,
): string[] => (objects ?? []).map(({ metadata: m }) => `${m.namespace}/${m.name}@${m.resourceVersion}`);

describe('a state looks back', () => {
  test('to every revision, as it was', () => {
    const { state, names } = written();
    for (const [revision, expected] of names)
      expect(listed(state.listAt(ConfigMaps, undefined, revision))).toEqual(expected);
    expect(listed(state.listAt(ConfigMaps, 'w', 2))).toEqual([]);
    expect(state.listAt(ConfigMaps, undefined, 0)).toEqual([]);
  });

  test('not to what was undone', () => {
    const { state, names } = written();
    state.commit();
    const mark = state.mark();
    state.remove('configmaps', { namespace: 'x', name: 'a' }, 'test', 0);
    state.rollback(mark);
    state.put(
      'configmaps',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'x', name: 'd' } },
      'test',
      0,
    );
    expect(listed(state.listAt(ConfigMaps, undefined, 6))).toEqual(names.get(6));
    expect(listed(state.listAt(ConfigMaps, undefined, 7))).toEqual(names.get(6));
  });

  test('not further than it remembers', () => {
    const { state } = written();
    for (let i = 0; i < 3_000; i++)
      state.put('secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'x', name: 's' } }, 'test', 0);
    expect(state.listAt(ConfigMaps, undefined, 7)).toBeUndefined();
    expect(listed(state.listAt(ConfigMaps, undefined, state.revision - 900))).toHaveLength(3);
  });

  test('not further than it was told to forget', () => {
    const { state, names } = written();
    state.forgetHistoryUpTo(3);
    expect(state.listAt(ConfigMaps, undefined, 2)).toBeUndefined();
    for (const revision of [3, 4, 5, 6, 7])
      expect(listed(state.listAt(ConfigMaps, undefined, revision))).toEqual(names.get(revision));
    state.forgetHistoryUpTo(7);
    expect(state.listAt(ConfigMaps, undefined, 6)).toBeUndefined();
    expect(listed(state.listAt(ConfigMaps, undefined, 7))).toEqual(names.get(7));
  });
});
