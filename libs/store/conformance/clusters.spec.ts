import { describe, expect, it } from '@jest/globals';
import { ClusterNotFound, QuotaExceeded, TemplateNotFound } from '../index.js';
import { AT, bytes, describeStores, newCluster } from './testing.js';

describeStores('clusters', (bed) => {
  describe('clusters', () => {
    it('keeps what they were made with', async () => {
      const id = await bed.create({ settings: { seed: 'x', nodes: [1, 2] }, nextWake: AT + 5 });
      expect(await bed.store.cluster(id)).toEqual({
        id,
        tenantId: 'acme',
        head: 0,
        epoch: AT,
        base: undefined,
        settings: { seed: 'x', nodes: [1, 2] },
        createdAt: AT,
        nextWake: AT + 5,
        halted: undefined,
        labels: {},
        nodes: 0,
        bytes: 0,
        lastUsedAt: AT,
        expiresAt: undefined,
        idleTimeoutMs: undefined,
        pausedAt: undefined,
      });
      await bed.store.updateSettings(id, { seed: 'y' });
      expect((await bed.store.cluster(id))?.settings).toEqual({ seed: 'y' });
      await expect(bed.create({ id })).rejects.toThrow();
    });

    it('are listed page by page, each tenant its own', async () => {
      for (const id of ['p-b', 'p-C', 'p-a']) await bed.create({ id, tenantId: 'pages' });
      expect((await bed.store.list('pages', { limit: 2 })).map((c) => c.id)).toEqual(['p-C', 'p-a']);
      expect((await bed.store.list('pages', { limit: 2, after: 'p-a' })).map((c) => c.id)).toEqual(['p-b']);
      expect(await bed.store.list('nobody', { limit: 5 })).toEqual([]);
    });

    it('go with their log', async () => {
      const id = await bed.create();
      await bed.grow(id, 1);
      await bed.store.saveCheckpoint(id, 1, bytes('state'));
      expect(await bed.store.deleteCluster(id)).toBe(true);
      expect(await bed.store.deleteCluster(id)).toBe(false);
      await expect(bed.store.read(id, 0, 1)).rejects.toThrow(ClusterNotFound);
      await expect(bed.store.loadCheckpoint(id)).rejects.toThrow(ClusterNotFound);
      await expect(bed.create({ id })).rejects.toThrow();
      await bed.store.purge(1_000);
      await bed.create({ id });
      expect(await bed.store.loadCheckpoint(id)).toBeUndefined();
      expect(await bed.revisions(id, 0)).toEqual([]);
    });
  });

  describe('quotas', () => {
    const quota = { clusters: 5, nodes: 12 };

    it('hold however many creations run at once', async () => {
      const tenantId = 'crowd';
      const results = await Promise.allSettled(
        Array.from({ length: 300 }, (_, i) => bed.create({ id: `crowd-${i}`, tenantId, quota, nodes: 2 })),
      );
      const refusals = results.flatMap((r) => (r.status === 'rejected' ? [r.reason as QuotaExceeded] : []));
      expect(refusals).toHaveLength(295);
      for (const refusal of refusals) expect(refusal).toMatchObject({ quota: 'clusters', max: 5 });
      expect(refusals[0]).toBeInstanceOf(QuotaExceeded);
      expect(await bed.store.usage(tenantId)).toEqual({ clusters: 5, nodes: 10, bytes: 0 });
      expect(await bed.store.list(tenantId, { limit: 500 })).toHaveLength(5);
    }, 60_000);

    it('count nodes too, and what is deleted no longer', async () => {
      const tenantId = 'nodes';
      const first = await bed.create({ tenantId, quota, nodes: 12 });
      const one = { tenantId, quota, nodes: 1 };
      await expect(bed.create(one)).rejects.toThrow(new QuotaExceeded('nodes', 12));
      await bed.store.deleteCluster(first);
      await bed.store.deleteCluster(first);
      expect(await bed.store.usage(tenantId)).toEqual({ clusters: 0, nodes: 0, bytes: 0 });
      await bed.create(one);
      await bed.store.purge(1_000);
      expect(await bed.store.usage(tenantId)).toEqual({ clusters: 1, nodes: 1, bytes: 0 });
      await bed.create({ tenantId: 'others', quota, nodes: 12 });
    });

    it('refuse a bulk as a whole', async () => {
      const tenantId = 'bulk';
      const bulk = (count: number) =>
        Array.from({ length: count }, (_, i) => newCluster({ id: `bulk-${i}`, tenantId, quota, nodes: 2 }));
      await expect(bed.store.createClusters(bulk(6))).rejects.toThrow('the quota of 5 clusters is used up');
      expect(await bed.store.usage(tenantId)).toEqual({ clusters: 0, nodes: 0, bytes: 0 });
      const created = await bed.store.createClusters(bulk(5));
      expect(created.map(({ row, existed }) => [row.id, existed])).toEqual(
        [0, 1, 2, 3, 4].map((i) => [`bulk-${i}`, false]),
      );
      expect(await bed.store.cluster('bulk-4')).toEqual(created[4]!.row);
    });
  });

  describe('creation', () => {
    it('makes 200 clusters at once, and none when one of them cannot be made', async () => {
      const tenantId = 'class';
      const class_ = Array.from({ length: 200 }, (_, i) => newCluster({ id: `class-${i}`, tenantId, nodes: 3 }));
      const base = { template: 'unknown', revision: 1 };
      await expect(
        bed.store.createClusters([...class_.slice(1), newCluster({ id: 'bad', tenantId, base })]),
      ).rejects.toThrow(TemplateNotFound);
      expect(await bed.store.list(tenantId, { limit: 1 })).toEqual([]);
      expect(await bed.store.createClusters(class_)).toHaveLength(200);
      expect(await bed.store.usage(tenantId)).toEqual({ clusters: 200, nodes: 600, bytes: 0 });
      const two = [newCluster({ id: 'x', tenantId }), newCluster({ id: 'y', tenantId: 'another' })];
      await expect(bed.store.createClusters(two)).rejects.toThrow('must be of one tenant');
    });

    it('with a known idempotency key gives the existing cluster', async () => {
      const tenantId = 'retries';
      const quota = { clusters: 2, nodes: 0 };
      const twice = await Promise.all(
        ['r-1', 'r-2', 'r-3'].map((id) =>
          bed.store.createClusters([newCluster({ id, tenantId, quota, idempotencyKey: 'key' })]),
        ),
      );
      const [{ row }] = twice.flat().filter(({ existed }) => !existed) as [(typeof twice)[0][0]];
      expect(twice.flat().map((created) => created.row)).toEqual([row, row, row]);
      expect((await bed.store.usage(tenantId)).clusters).toBe(1);
      const bulk = await bed.store.createClusters(
        ['key', 'new', 'new'].map((idempotencyKey, i) =>
          newCluster({ id: `r-b${i}`, tenantId, quota, idempotencyKey }),
        ),
      );
      expect(bulk.map((created) => [created.row.id, created.existed])).toEqual([
        [row.id, true],
        ['r-b1', false],
        ['r-b1', true],
      ]);
      await bed.store.deleteCluster(row.id);
      const again = await bed.store.createClusters([newCluster({ id: 'r-4', tenantId, quota, idempotencyKey: 'key' })]);
      expect(again).toMatchObject([{ row: { id: 'r-4' }, existed: false }]);
      await bed.create({ id: 'r-5', tenantId: 'retries-of-others', idempotencyKey: 'key' });
    });
  });

  describe('lives', () => {
    it('are changed one by one, and cleared by null', async () => {
      const id = await bed.create({
        expiresAt: AT + 1,
        idleTimeoutMs: 5,
        labels: { course: 'go' },
        settings: { seed: 's' },
      });
      expect(await bed.store.cluster(id)).toMatchObject({
        expiresAt: AT + 1,
        idleTimeoutMs: 5,
        labels: { course: 'go' },
      });
      const changed = await bed.store.updateLife(id, { pausedAt: AT, name: 'new', labels: { exam: '1' } });
      expect(changed).toMatchObject({ expiresAt: AT + 1, idleTimeoutMs: 5, pausedAt: AT, labels: { exam: '1' } });
      expect(changed.settings).toEqual({ seed: 's', name: 'new' });
      await bed.store.updateLife(id, { expiresAt: null, idleTimeoutMs: null, pausedAt: null });
      const { expiresAt, idleTimeoutMs, pausedAt, labels } = (await bed.store.cluster(id))!;
      expect([expiresAt, idleTimeoutMs, pausedAt, labels]).toEqual([undefined, undefined, undefined, { exam: '1' }]);
      expect(await bed.store.updateLife(id, {})).toEqual(await bed.store.cluster(id));
      await expect(bed.store.updateLife('none', { name: 'x' })).rejects.toThrow(ClusterNotFound);
    });

    it('end at a time, or when the cluster has not been used for long', async () => {
      const expired = async (now: number, ...ids: string[]) =>
        (await bed.store.expired(now, 1_000)).filter((id) => ids.includes(id));
      const timed = await bed.create({ expiresAt: AT + 100 });
      const idle = await bed.create({ idleTimeoutMs: 50 });
      const both = await bed.create({ expiresAt: AT + 80, idleTimeoutMs: 60 });
      const all = [timed, idle, both, await bed.create()];
      expect(await expired(AT + 50, ...all)).toEqual([]);
      expect(await expired(AT + 101, ...all)).toEqual([idle, both, timed]);
      await bed.store.touch([
        { id: idle, at: AT + 40 },
        { id: both, at: AT + 40 },
        { id: 'none', at: AT },
      ]);
      await bed.store.touch([{ id: idle, at: AT + 30 }]);
      expect((await bed.store.cluster(idle))!.lastUsedAt).toBe(AT + 40);
      expect(await expired(AT + 101, ...all)).toEqual([both, idle, timed]);
      await bed.store.updateLife(idle, { pausedAt: AT });
      await bed.store.updateLife(timed, { expiresAt: AT + 200 });
      await bed.store.deleteCluster(both);
      expect(await expired(AT + 150, ...all)).toEqual([]);
      expect(await expired(AT + 201, ...all)).toEqual([timed]);
      expect(await bed.store.expired(AT + 201, 0)).toEqual([]);
    });

    it('without an idle timeout are used to the minute', async () => {
      const [exact, coarse] = [await bed.create({ idleTimeoutMs: 5 }), await bed.create()];
      const usedAt = async (at: number) => {
        await bed.store.touch([exact, coarse].map((id) => ({ id, at })));
        return [(await bed.store.cluster(exact))!.lastUsedAt - AT, (await bed.store.cluster(coarse))!.lastUsedAt - AT];
      };
      expect(await usedAt(AT + 60_000)).toEqual([60_000, 0]);
      expect(await usedAt(AT + 60_001)).toEqual([60_001, 60_001]);
      expect(await usedAt(AT + 5)).toEqual([60_001, 60_001]);
    });

    it('are used also while a writer holds their row', async () => {
      const [held, free] = [await bed.create({ idleTimeoutMs: 5 }), await bed.create({ idleTimeoutMs: 5 })];
      const used: Promise<unknown>[] = [];
      await bed.store.withLock(held, async () => {
        used.push(bed.store.touch([held, free].map((id) => ({ id, at: AT + 7 }))));
        // Ends by the test's own timeout when the use is not recorded before the lock is given back.
        while ((await bed.store.cluster(free))!.lastUsedAt !== AT + 7)
          await new Promise((resolve) => setTimeout(resolve, 10));
        await bed.store.append(free, { expected: 0, first: 1, last: 1, at: AT, changes: bytes('') });
      });
      await Promise.all(used);
      expect((await bed.store.cluster(held))!.lastUsedAt).toBe(AT + 7);
    });

    it('that were extended meanwhile do not end', async () => {
      const id = await bed.create({ expiresAt: AT + 100 });
      await bed.store.updateLife(id, { expiresAt: AT + 300 });
      expect(await bed.store.deleteCluster(id, AT + 200)).toBe(false);
      expect(await bed.store.deleteCluster(id, AT + 300)).toBe(false);
      expect(await bed.store.cluster(id)).toMatchObject({ id });
      expect(await bed.store.deleteCluster(id, AT + 301)).toBe(true);
      expect(await bed.store.deleteCluster(await bed.create(), AT + 301)).toBe(false);
    });

    it('are found by labels, each tenant its own', async () => {
      const tenantId = 'labels';
      const course = 'go';
      await bed.create({ id: 'l-1', tenantId, labels: { course, exam: '1' } });
      await bed.create({ id: 'l-2', tenantId, labels: { course } });
      await bed.create({ id: 'l-3', tenantId });
      const ids = async (labels: Record<string, string>) =>
        (await bed.store.list(tenantId, { limit: 9, labels })).map(({ id }) => id);
      expect(await ids({ course })).toEqual(['l-1', 'l-2']);
      expect(await ids({ course, exam: '1' })).toEqual(['l-1']);
      expect(await ids({ course: 'rust' })).toEqual([]);
      expect(await ids({})).toEqual(['l-1', 'l-2', 'l-3']);
    });
  });
});
