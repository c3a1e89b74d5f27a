import { expect, test } from '@jest/globals';
import type { Kind } from '../../machinery/kind.js';
import { ConfigMaps, Secrets } from '../../kinds/index.js';
import { removeObject } from './remove-object.js';
import { State } from './state.js';

const KEY = { namespace: 'shop', name: 'a' };
const object = (kind: string) => ({ apiVersion: 'v1', kind, metadata: { ...KEY } });

/** A kind whose objects leave a Secret, unless they say otherwise. */
const leaving: Kind = {
  ...(ConfigMaps as Kind),
  remains: ({ metadata }, _read, now) =>
    metadata.labels
      ? undefined
      : { kind: Secrets as Kind, object: { ...object('Secret'), data: { at: String(now) } } as never },
};

test.each<[string, Kind, Record<string, string> | undefined, number]>([
  ['an object of a kind that leaves nothing', ConfigMaps as Kind, undefined, 0],
  ['an object that leaves a record', leaving, undefined, 1],
  ['an object that leaves none', leaving, { x: '' }, 0],
])('%s is removed', (_case, kind, labels, left) => {
  const state = new State({ now: 5 });
  const draft = object('ConfigMap');
  state.put('configmaps', { ...draft, metadata: { ...draft.metadata, ...(labels ? { labels } : {}) } }, 'test', 0);
  removeObject(state, kind, KEY, 'test', 0);
  expect(state.get(ConfigMaps, KEY)).toBeUndefined();
  expect(state.list(Secrets)).toHaveLength(left);
  expect(state.revision).toBe(2 + left);
});

test('nothing is left of what is not there', () => {
  const state = new State({ now: 5 });
  removeObject(state, leaving, KEY, 'test', 0);
  expect(state.revision).toBe(0);
});
