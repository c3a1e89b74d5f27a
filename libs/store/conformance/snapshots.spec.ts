import { describe, expect, it } from '@jest/globals';
import { ClusterNotFound, isReset, SnapshotExists, SnapshotLimitExceeded, type NewCluster } from '../index.js';
import { AT, bytes, describeStores, text } from './testing.js';

const LIMITS = { count: 3, bytes: 100 };

describeStores('states of clusters', (bed) => {
  let made = 0;
  const create = async (more: Partial<NewCluster> = {}): Promise<string> => {
    const id = `s${++made}`;
    await bed.store.createCluster({
      id,
      tenantId: `t${made}`,
      settings: { name: id },
      nodes: 0,
      createdAt: AT,
      ...more,
    });
    return id;
  };
  const grow = async (id: string): Promise<void> => {
    const head = (await bed.store.heads([id])).get(id)!;
    const segment = { expected: head, first: head + 1, last: head + 1, at: AT + 1_000, changes: bytes('change') };
    expect((await bed.store.append(id, segment)).ok).toBe(true);
  };
  const snapshot = (name: string, state = name) => ({ name, revision: 1, at: AT, createdAt: AT, state: bytes(state) });

  describe('snapshots', () => {
    it('are kept by name, whatever is compacted, until they are deleted', async () => {
      const id = await create();
      await grow(id);
      expect(await bed.store.saveSnapshot(id, snapshot('b'), LIMITS)).toEqual({
        name: 'b',
        revision: 1,
        at: AT,
        createdAt: AT,
        bytes: 1,
      });
      await bed.store.saveSnapshot(id, snapshot('a', 'state of a'), LIMITS);
      await grow(id);
      await bed.store.saveCheckpoint(id, 2, bytes('2'));
      await bed.store.compact(id, AT + 60_000);
      expect((await bed.store.listSnapshots(id)).map(({ name, bytes: size }) => [name, size])).toEqual([
        ['a', 10],
        ['b', 1],
      ]);
      expect(text((await bed.store.loadSnapshot(id, 'a'))?.state)).toBe('state of a');
      expect([await bed.store.deleteSnapshot(id, 'a'), await bed.store.deleteSnapshot(id, 'a')]).toEqual([true, false]);
      expect(await bed.store.loadSnapshot(id, 'a')).toBeUndefined();
    });

    it('have one name each, and limits', async () => {
      const id = await create();
      await bed.store.saveSnapshot(id, snapshot('a', 'x'.repeat(90)), LIMITS);
      await expect(bed.store.saveSnapshot(id, snapshot('a'), LIMITS)).rejects.toThrow(SnapshotExists);
      await expect(bed.store.saveSnapshot(id, snapshot('b', 'x'.repeat(11)), LIMITS)).rejects.toThrow(
        new SnapshotLimitExceeded('bytes', 100),
      );
      await bed.store.saveSnapshot(id, snapshot('b'), LIMITS);
      await bed.store.saveSnapshot(id, snapshot('c'), LIMITS);
      await expect(bed.store.saveSnapshot(id, snapshot('d'), LIMITS)).rejects.toThrow(
        new SnapshotLimitExceeded('count', 3),
      );
      expect(await bed.store.listSnapshots(id)).toHaveLength(3);
      await expect(bed.store.saveSnapshot('none', snapshot('a'), LIMITS)).rejects.toThrow(ClusterNotFound);
    });

    it('count for the tenant, not for the cluster, and go with it', async () => {
      const id = await create({ tenantId: 'counted' });
      await bed.store.saveSnapshot(id, snapshot('a', 'x'.repeat(50)), LIMITS);
      expect([(await bed.store.usage('counted')).bytes, (await bed.store.cluster(id))?.bytes]).toEqual([50, 0]);
      await bed.store.deleteCluster(id);
      expect([await bed.store.listSnapshots(id), await bed.store.loadSnapshot(id, 'a')]).toEqual([[], undefined]);
      expect([await bed.store.deleteSnapshot(id, 'a'), (await bed.store.usage('counted')).bytes]).toEqual([false, 0]);
      expect(await bed.store.purge(1_000)).toBeGreaterThanOrEqual(2);
    });
  });

  describe('reset', () => {
    const reset = (expected: number, state = 'new') => ({
      expected,
      at: AT + 5_000,
      state: bytes(state),
      settings: { begun: { revision: expected + 1 }, gone: null },
    });

    it('begins the log anew at the next revision, and keeps what was before', async () => {
      const id = await create({ settings: { name: 'x', gone: true } });
      await grow(id);
      await bed.store.halt(id, 'broken');
      expect(await bed.store.reset(id, reset(1))).toMatchObject({ ok: true, head: 2 });
      expect(text((await bed.store.loadCheckpoint(id))?.state)).toBe('new');
      expect((await bed.store.read(id, 0, 10)).map((segment) => [segment.last, isReset(segment)])).toEqual([
        [1, false],
        [2, true],
      ]);
      expect(await bed.store.loadCheckpoint(id, 1)).toBeUndefined();
      const row = await bed.store.cluster(id);
      expect(row).toMatchObject({ head: 2, nextWake: AT + 5_000, settings: { name: 'x', begun: { revision: 2 } } });
      expect([row?.halted, row?.settings['gone']]).toEqual([undefined, undefined]);
      expect(
        await bed.store.append(id, { expected: 1, first: 2, last: 2, at: AT, changes: bytes('late') }),
      ).toMatchObject({
        ok: false,
        head: 2,
      });
      await bed.store.compact(id, AT + 60_000);
      expect(await bed.store.oldestRetained(id)).toBe(2);
    });

    it('is refused when the head has moved, and for a cluster that is not there', async () => {
      const id = await create();
      await grow(id);
      expect(await bed.store.reset(id, reset(0))).toMatchObject({ ok: false, head: 1 });
      await expect(bed.store.reset('none', reset(0))).rejects.toThrow(ClusterNotFound);
    });

    it('lets the parent’s rows go', async () => {
      const parent = await create();
      await grow(parent);
      const fork = await create({ base: { parent, revision: 1 } });
      expect((await bed.store.cluster(fork))?.readsParent).toBe(true);
      await bed.store.reset(fork, reset(1));
      expect((await bed.store.cluster(fork))?.readsParent).toBeUndefined();
    });
  });

  it('a cluster begins on a state of its own', async () => {
    const id = await create({ start: { revision: 7, state: bytes('seven') } });
    expect(await bed.store.cluster(id)).toMatchObject({ head: 7, bytes: 5 });
    expect([await bed.store.oldestRetained(id), (await bed.store.loadCheckpoint(id))?.revision]).toEqual([7, 7]);
    await grow(id);
    expect((await bed.store.read(id, 7, 10)).map(({ last }) => last)).toEqual([8]);
  });

  it('forks that hold their parent’s rows are found by age, by a parent that is deleted, and by one that has grown', async () => {
    const [old, grown, gone] = [await create(), await create(), await create()];
    for (const id of [old, grown, gone]) await grow(id);
    const fork = (parent: string, createdAt: number): Promise<string> =>
      create({ base: { parent, revision: 1 }, createdAt });
    const [first, young, orphan] = [await fork(old, AT), await fork(grown, AT + 10_000), await fork(gone, AT + 20_000)];
    await bed.store.deleteCluster(gone);
    expect(await bed.store.attachedForks(AT + 5_000, 1_000, 10)).toEqual([first, orphan]);
    expect(await bed.store.attachedForks(AT, 1, 10)).toEqual([first, young, orphan]);
    await bed.store.saveCheckpoint(orphan, 1, bytes('own'));
    expect(await bed.store.attachedForks(AT + 5_000, 1_000, 1)).toEqual([first]);
  });
});
