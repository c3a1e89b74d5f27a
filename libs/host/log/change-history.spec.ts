import { expect, test } from '@jest/globals';
import { Compacted } from '@terrarium/store';
import { CheckpointCache } from '../clusters/checkpoint-cache.js';
import { encodeCheckpoint } from '../clusters/checkpoint-codec.js';
import { createStore, ID, openHostWithWrites, range } from '../testing.js';
import { ChangeHistory } from './change-history.js';

/** Revision n sets spec.n of one counter to n; two segments are read at a time. */
async function historyOf(count: number) {
  const store = await createStore();
  await openHostWithWrites(store, count);
  const history = new ChangeHistory(store, new CheckpointCache(store, 1), 2);
  const changesBetween = async (after: number, upTo: number) => {
    const changes = [];
    for await (const batch of history.changesBetween((await store.cluster(ID))!, after, upTo)) changes.push(...batch);
    return changes;
  };
  return { store, history, changesBetween };
}

test.each<[after: number, upTo: number, from: number, to: number]>([
  [0, 9, 1, 9],
  [3, 7, 4, 7],
  [8, 100, 9, 9],
])('the changes after %i up to %i', async (after, upTo, from, to) => {
  const changes = await (await historyOf(9)).changesBetween(after, upTo);
  expect(changes.map((change) => change.revision)).toEqual(range(from, to));
});

test('each change has the object that it replaced, and a first one has none', async () => {
  const changes = await (await historyOf(3)).changesBetween(0, 3);
  const countOf = (object: unknown) => (object as { spec: { n: number } } | undefined)?.spec.n;
  expect(changes.map(({ old, object }) => [countOf(old), countOf(object)])).toEqual([
    [undefined, 1],
    [1, 2],
    [2, 3],
  ]);
});

test('revisions before the checkpoint that the log was cut off at are compacted', async () => {
  const { store, history, changesBetween } = await historyOf(5);
  await store.saveCheckpoint(ID, 3, await encodeCheckpoint({ revision: 3, now: 0, objects: [] }));
  await store.compact(ID, Date.now() + 60_000);
  expect(await history.oldestRetained(ID)).toBe(3);
  await expect(changesBetween(1, 5)).rejects.toThrow(Compacted);
});
