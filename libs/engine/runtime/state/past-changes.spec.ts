import { describe, expect, test } from '@jest/globals';
import type { HistoryAnswer, HistoryQuery } from '../../machinery/past-change.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { PastChanges } from './past-changes.js';
import { State } from './state.js';

const START = 100;
const older = { revision: 90, at: 0, actor: 'jane', cause: 0, verb: 'create', fields: [] } as const;
const OLDER = { ...older, resource: 'pods', namespace: 'shop', name: 'old' };

function harness(answer: HistoryAnswer | undefined) {
  const state = new State({ revision: START, now: 5_000 });
  const asked: HistoryQuery[] = [];
  const past = new PastChanges(state, (query) => {
    asked.push(query);
    return answer;
  });
  const put = (name: string, cause: number, more: object = {}): number => {
    const old = state.lookup('pods', 'shop', name);
    const draft = { ...old, metadata: { ...old?.metadata, namespace: 'shop', name }, ...more } as unknown as KubeObject;
    state.put('pods', draft, cause ? 'system:a' : 'jane', cause);
    return state.revision;
  };
  return { state, past, asked, put };
}

describe('a chain', () => {
  test('is answered from memory', () => {
    const { past, put, asked } = harness(undefined);
    const first = put('web', 0);
    const second = put('web', first, { status: {} });
    const { changes, ended } = past.answer({ type: 'chain', revision: second, limit: 9 });
    expect(changes.map(({ revision, verb, fields }) => [revision, verb, fields])).toEqual([
      [second, 'update', ['status']],
      [first, 'create', []],
    ]);
    expect([ended, asked]).toEqual([undefined, []]);
  });

  test('goes on in the log of the host', () => {
    const { past, put, asked } = harness({ changes: [OLDER], reached: 0 });
    const revision = put('web', 90);
    const { changes } = past.answer({ type: 'chain', revision, limit: 9 });
    expect(changes.map((one) => one.revision)).toEqual([revision, 90]);
    expect(asked).toEqual([{ type: 'chain', revision: 90, limit: 8 }]);
  });

  test('ends where there is no host', () => {
    const { past, put } = harness(undefined);
    const revision = put('web', 90);
    expect(past.answer({ type: 'chain', revision, limit: 9 })).toMatchObject({ ended: 'retention' });
  });
});

test('a creation is found in memory by its second, or asked for', () => {
  const { past, put, asked, state } = harness({ changes: [], reached: 3 });
  const first = put('web', 0);
  put('web', first);
  state.now = 9_000;
  put('other', 0);
  const query = { type: 'creation', resource: 'pods', namespace: 'shop', name: 'web', at: 5_000 } as const;
  expect(past.answer(query).changes.map(({ revision }) => revision)).toEqual([first]);
  expect(asked).toEqual([]);
  expect(past.answer({ ...query, name: 'nope', at: 0 }).reached).toBe(3);
  expect(asked).toHaveLength(1);
});

test('a search begins with the newest, and goes on where the memory ends', () => {
  const { past, put, asked } = harness({ changes: [OLDER], reached: 0 });
  for (const name of ['a', 'b', 'a']) put(name, 0);
  const search = { type: 'search', before: START + 9 } as const;
  const names = (filter: object, limit: number): string[] =>
    past.answer({ ...search, filter, limit }).changes.map(({ name }) => name);
  expect(names({}, 2)).toEqual(['a', 'b']);
  expect(names({ verbs: ['update'] }, 1)).toEqual(['a']);
  expect(asked).toEqual([]);
  expect(names({ name: 'a' }, 5)).toEqual(['a', 'a', 'old']);
  expect(asked).toEqual([{ type: 'search', filter: { name: 'a' }, before: START + 1, limit: 3 }]);
});

test('nothing older than a bound is asked for', () => {
  const { past, put, asked } = harness(undefined);
  put('a', 0);
  const second = put('b', 0);
  const filter = { after: second - 1 };
  expect(past.answer({ type: 'search', filter, before: second + 1, limit: 9 })).toMatchObject({
    changes: [{ name: 'b' }],
    reached: 0,
  });
  expect(asked).toEqual([]);
});
