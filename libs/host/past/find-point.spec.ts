import { describe, expect, test } from '@jest/globals';
import { encodeChanges, MemoryLogStore, type ClusterRow } from '@terrarium/store';
import { changeAt } from '../testing.js';
import { findPoint } from './find-point.js';

const HEAD = 1_000;
const PRESENT = { head: HEAD, now: HEAD * 1_000 + 500 };

/** Revision r was made at r seconds; segments have one to three changes. */
async function filled(): Promise<{ store: MemoryLogStore; row: ClusterRow; reads: () => number }> {
  const store = new MemoryLogStore();
  const row = await store.createCluster({ id: 'c', tenantId: 't', settings: {}, nodes: 0, createdAt: 0 });
  for (let first = 1, size = 1; first <= HEAD; first += size, size = (size % 3) + 1) {
    const last = Math.min(first + size - 1, HEAD);
    const changes = Array.from({ length: last - first + 1 }, (_, i) => ({
      ...changeAt(first + i, `p${first + i}`),
      at: (first + i) * 1_000,
    }));
    await store.append('c', { expected: first - 1, first, last, at: 0, changes: encodeChanges(changes).stored });
  }
  let reads = 0;
  const read = store.read.bind(store);
  store.read = (...of) => (reads++, read(...of));
  return { store, row, reads: () => reads };
}

describe('the revision of a time', () => {
  test('is the last one that is not after it', async () => {
    const { store, row, reads } = await filled();
    for (const [time, revision] of [
      [1_000, 1],
      [1_999, 1],
      [500_000, 500],
      [500_001, 500],
      [1_000_000, 1_000],
      [1_000_400, 1_000],
    ] as const)
      expect(await findPoint(store, row, PRESENT, { time })).toEqual({ revision, now: time });
    expect(await findPoint(store, row, PRESENT, { ago: 10_500 })).toEqual({ revision: 990, now: 990_000 });
    expect(reads() / 7).toBeLessThan(15);
  });

  test('is not to come, and not before the history', async () => {
    const { store, row } = await filled();
    await expect(findPoint(store, row, PRESENT, { time: PRESENT.now + 1 })).rejects.toMatchObject({ code: 400 });
    await expect(findPoint(store, row, PRESENT, { revision: HEAD + 1 })).rejects.toMatchObject({ code: 400 });
    await expect(findPoint(store, row, PRESENT, { time: -3_600_000 })).rejects.toMatchObject({ code: 410 });
  });

  test('is looked for since the cluster was put back, or before', async () => {
    const { store, row } = await filled();
    const begun = { ...row, settings: { begun: { revision: 600, virtual: 600_000 } } };
    expect(await findPoint(store, begun, PRESENT, { time: 700_000 })).toMatchObject({ revision: 700 });
    expect(await findPoint(store, begun, PRESENT, { time: 500_000 })).toMatchObject({ revision: 500 });
  });
});
