import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase } from '../testkit/postgres.js';
import {
  ClusterNotFound,
  Compacted,
  MemoryLogStore,
  migrate,
  openPool,
  PostgresLogStore,
  QuotaExceeded,
  TemplateNotFound,
  templateOwner,
  type LogStore,
  type NewCluster,
} from './index.js';

const AT = Date.UTC(2026, 0, 1);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (b: Uint8Array): string => new TextDecoder().decode(b);

async function postgres(): Promise<{ store: LogStore; end(): Promise<void> }> {
  const database = await testDatabase();
  const pool = openPool({ connectionString: database.url });
  await Promise.all([migrate(pool), migrate(pool)]);
  const store = new PostgresLogStore(pool);
  return { store, end: async () => (await store.close(), database.drop()) };
}
const newCluster = (more: Partial<NewCluster> & { readonly id: string }): NewCluster => ({
  tenantId: 'acme',
  settings: { name: more.id },
  nodes: 0,
  createdAt: AT,
  ...more,
});
const memory = async () => ({ store: new MemoryLogStore() as LogStore, end: async () => undefined });

describe.each([
  ['memory', memory],
  ['postgres', postgres],
])('log store: %s', (_name, open) => {
  let store: LogStore;
  let end: () => Promise<void>;
  beforeAll(async () => ({ store, end } = await open()), 60_000);
  afterAll(() => end());

  let made = 0;
  const create = async (more: Partial<NewCluster> = {}): Promise<string> => {
    const id = more.id ?? `c${++made}`;
    await store.createCluster(newCluster({ ...more, id }));
    return id;
  };
  /** Appends segments of the given sizes, at AT + 1 s, AT + 2 s, ... */
  const grow = async (id: string, ...sizes: number[]): Promise<void> => {
    for (const [i, size] of sizes.entries()) {
      const head = (await store.heads([id])).get(id)!;
      const segment = {
        expected: head,
        first: head + 1,
        last: head + size,
        at: AT + (i + 1) * 1_000,
        changes: bytes(`${id}:${head + 1}`),
      };
      expect(await store.append(id, segment)).toMatchObject({ ok: true, head: head + size });
    }
  };
  const revisions = async (id: string, after: number, limit = 100): Promise<string[]> =>
    (await store.read(id, after, limit)).map((s) => `${s.first}-${s.last} ${text(s.changes)}`);

  describe('append', () => {
    it('moves the head and is read back in order', async () => {
      const id = await create();
      await grow(id, 1, 3, 2);
      expect(await store.read(id, 0, 1)).toEqual([{ first: 1, last: 1, at: AT + 1_000, changes: expect.anything() }]);
      expect(await revisions(id, 0)).toEqual([`1-1 ${id}:1`, `2-4 ${id}:2`, `5-6 ${id}:5`]);
      expect(await revisions(id, 4)).toEqual([`5-6 ${id}:5`]);
      expect(await revisions(id, 6)).toEqual([]);
      expect(await revisions(id, 0, 2)).toHaveLength(2);
    });

    it('is refused when the head has moved, and tells where it is', async () => {
      const id = await create();
      await grow(id, 2);
      const late = { expected: 0, first: 1, last: 2, at: AT, changes: bytes('late') };
      expect(await store.append(id, late)).toEqual({ ok: false, head: 2, bytes: `${id}:1`.length });
      expect(await revisions(id, 0)).toEqual([`1-2 ${id}:1`]);
    });

    it('lets exactly one of many concurrent writers win', async () => {
      const id = await create();
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          store.append(id, { expected: 0, first: 1, last: 1, at: AT, changes: bytes(String(i)) }),
        ),
      );
      expect(results.filter((r) => r.ok)).toHaveLength(1);
      expect(results.filter((r) => !r.ok).every((r) => r.head === 1)).toBe(true);
      expect(await revisions(id, 0)).toHaveLength(1);
    });

    it('answers for a cluster that is not there', async () => {
      await expect(
        store.append('none', { expected: 0, first: 1, last: 1, at: AT, changes: bytes('') }),
      ).rejects.toThrow(ClusterNotFound);
      await expect(store.setWake('none', 0, { by: AT })).rejects.toThrow(ClusterNotFound);
      await expect(store.read('none', 0, 1)).rejects.toThrow(ClusterNotFound);
      await expect(store.loadCheckpoint('none')).rejects.toThrow(ClusterNotFound);
      expect(await store.cluster('none')).toBeUndefined();
    });

    it('tells many heads at once', async () => {
      const [a, b] = [await create(), await create()];
      await grow(b, 4);
      expect(await store.heads([a, b, 'none'])).toEqual(
        new Map([
          [a, 0],
          [b, 4],
        ]),
      );
    });
  });

  describe('withLock', () => {
    it('keeps every other writer out until it is done', async () => {
      const id = await create();
      const order: string[] = [];
      let other: Promise<unknown> = Promise.resolve();
      await store.withLock(id, async (locked) => {
        other = store
          .append(id, { expected: 0, first: 1, last: 1, at: AT, changes: bytes('b') })
          .then((r) => order.push(`other ${r.ok} at ${r.head}`));
        await new Promise((resolve) => setTimeout(resolve, 30));
        expect(await locked.append({ expected: locked.head, first: 1, last: 2, at: AT, changes: bytes('a') })).toEqual({
          ok: true,
          head: 2,
          bytes: 1,
        });
        order.push('locked');
      });
      await other;
      expect(order).toEqual(['locked', 'other false at 2']);
    });
    it('lets go when the function fails', async () => {
      const id = await create();
      await expect(store.withLock(id, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
      await grow(id, 1);
    });
    it('answers for a cluster that is not there', async () => {
      await expect(store.withLock('none', async () => 1)).rejects.toThrow(ClusterNotFound);
    });
  });

  describe('clusters', () => {
    it('keeps what they were made with', async () => {
      const id = await create({ settings: { seed: 'x', nodes: [1, 2] }, nextWake: AT + 5 });
      expect(await store.cluster(id)).toEqual({
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
      await store.updateSettings(id, { seed: 'y' });
      expect((await store.cluster(id))?.settings).toEqual({ seed: 'y' });
      await expect(create({ id })).rejects.toThrow();
    });

    it('are listed page by page, each tenant its own', async () => {
      for (const id of ['p-b', 'p-C', 'p-a']) await create({ id, tenantId: 'pages' });
      expect((await store.list('pages', { limit: 2 })).map((c) => c.id)).toEqual(['p-C', 'p-a']);
      expect((await store.list('pages', { limit: 2, after: 'p-a' })).map((c) => c.id)).toEqual(['p-b']);
      expect(await store.list('nobody', { limit: 5 })).toEqual([]);
    });

    it('go with their log', async () => {
      const id = await create();
      await grow(id, 1);
      await store.saveCheckpoint(id, 1, bytes('state'));
      expect(await store.deleteCluster(id)).toBe(true);
      expect(await store.deleteCluster(id)).toBe(false);
      await expect(store.read(id, 0, 1)).rejects.toThrow(ClusterNotFound);
      await expect(store.loadCheckpoint(id)).rejects.toThrow(ClusterNotFound);
      await expect(create({ id })).rejects.toThrow();
      await store.purge(1_000);
      await create({ id });
      expect(await store.loadCheckpoint(id)).toBeUndefined();
      expect(await revisions(id, 0)).toEqual([]);
    });
  });

  describe('quotas', () => {
    const quota = { clusters: 5, nodes: 12 };

    it('hold however many creations run at once', async () => {
      const tenantId = 'crowd';
      const results = await Promise.allSettled(
        Array.from({ length: 300 }, (_, i) => create({ id: `crowd-${i}`, tenantId, quota, nodes: 2 })),
      );
      const refusals = results.flatMap((r) => (r.status === 'rejected' ? [r.reason as QuotaExceeded] : []));
      expect(refusals).toHaveLength(295);
      for (const refusal of refusals) expect(refusal).toMatchObject({ quota: 'clusters', max: 5 });
      expect(refusals[0]).toBeInstanceOf(QuotaExceeded);
      expect(await store.usage(tenantId)).toEqual({ clusters: 5, nodes: 10, bytes: 0 });
      expect(await store.list(tenantId, { limit: 500 })).toHaveLength(5);
    }, 60_000);

    it('count nodes too, and what is deleted no longer', async () => {
      const tenantId = 'nodes';
      const first = await create({ tenantId, quota, nodes: 12 });
      const one = { tenantId, quota, nodes: 1 };
      await expect(create(one)).rejects.toThrow(new QuotaExceeded('nodes', 12));
      await store.deleteCluster(first);
      await store.deleteCluster(first);
      expect(await store.usage(tenantId)).toEqual({ clusters: 0, nodes: 0, bytes: 0 });
      await create(one);
      await store.purge(1_000);
      expect(await store.usage(tenantId)).toEqual({ clusters: 1, nodes: 1, bytes: 0 });
      await create({ tenantId: 'others', quota, nodes: 12 });
    });

    it('refuse a bulk as a whole', async () => {
      const tenantId = 'bulk';
      const bulk = (count: number) =>
        Array.from({ length: count }, (_, i) => newCluster({ id: `bulk-${i}`, tenantId, quota, nodes: 2 }));
      await expect(store.createClusters(bulk(6))).rejects.toThrow('the quota of 5 clusters is used up');
      expect(await store.usage(tenantId)).toEqual({ clusters: 0, nodes: 0, bytes: 0 });
      const created = await store.createClusters(bulk(5));
      expect(created.map(({ row, existed }) => [row.id, existed])).toEqual(
        [0, 1, 2, 3, 4].map((i) => [`bulk-${i}`, false]),
      );
      expect(await store.cluster('bulk-4')).toEqual(created[4]!.row);
    });
  });

  describe('creation', () => {
    it('makes 200 clusters at once, and none when one of them cannot be made', async () => {
      const tenantId = 'class';
      const class_ = Array.from({ length: 200 }, (_, i) => newCluster({ id: `class-${i}`, tenantId, nodes: 3 }));
      const base = { template: 'unknown', revision: 1 };
      await expect(
        store.createClusters([...class_.slice(1), newCluster({ id: 'bad', tenantId, base })]),
      ).rejects.toThrow(TemplateNotFound);
      expect(await store.list(tenantId, { limit: 1 })).toEqual([]);
      expect(await store.createClusters(class_)).toHaveLength(200);
      expect(await store.usage(tenantId)).toEqual({ clusters: 200, nodes: 600, bytes: 0 });
      const two = [newCluster({ id: 'x', tenantId }), newCluster({ id: 'y', tenantId: 'another' })];
      await expect(store.createClusters(two)).rejects.toThrow('must be of one tenant');
    });

    it('with a known idempotency key gives the existing cluster', async () => {
      const tenantId = 'retries';
      const quota = { clusters: 2, nodes: 0 };
      const twice = await Promise.all(
        ['r-1', 'r-2', 'r-3'].map((id) =>
          store.createClusters([newCluster({ id, tenantId, quota, idempotencyKey: 'key' })]),
        ),
      );
      const [{ row }] = twice.flat().filter(({ existed }) => !existed) as [(typeof twice)[0][0]];
      expect(twice.flat().map((created) => created.row)).toEqual([row, row, row]);
      expect((await store.usage(tenantId)).clusters).toBe(1);
      const bulk = await store.createClusters(
        ['key', 'new', 'new'].map((idempotencyKey, i) =>
          newCluster({ id: `r-b${i}`, tenantId, quota, idempotencyKey }),
        ),
      );
      expect(bulk.map((created) => [created.row.id, created.existed])).toEqual([
        [row.id, true],
        ['r-b1', false],
        ['r-b1', true],
      ]);
      await store.deleteCluster(row.id);
      const again = await store.createClusters([newCluster({ id: 'r-4', tenantId, quota, idempotencyKey: 'key' })]);
      expect(again).toMatchObject([{ row: { id: 'r-4' }, existed: false }]);
      await create({ id: 'r-5', tenantId: 'retries-of-others', idempotencyKey: 'key' });
    });
  });

  describe('lives', () => {
    it('are changed one by one, and cleared by null', async () => {
      const id = await create({
        expiresAt: AT + 1,
        idleTimeoutMs: 5,
        labels: { course: 'go' },
        settings: { seed: 's' },
      });
      expect(await store.cluster(id)).toMatchObject({ expiresAt: AT + 1, idleTimeoutMs: 5, labels: { course: 'go' } });
      const changed = await store.updateLife(id, { pausedAt: AT, name: 'new', labels: { exam: '1' } });
      expect(changed).toMatchObject({ expiresAt: AT + 1, idleTimeoutMs: 5, pausedAt: AT, labels: { exam: '1' } });
      expect(changed.settings).toEqual({ seed: 's', name: 'new' });
      await store.updateLife(id, { expiresAt: null, idleTimeoutMs: null, pausedAt: null });
      const { expiresAt, idleTimeoutMs, pausedAt, labels } = (await store.cluster(id))!;
      expect([expiresAt, idleTimeoutMs, pausedAt, labels]).toEqual([undefined, undefined, undefined, { exam: '1' }]);
      expect(await store.updateLife(id, {})).toEqual(await store.cluster(id));
      await expect(store.updateLife('none', { name: 'x' })).rejects.toThrow(ClusterNotFound);
    });

    it('end at a time, or when the cluster has not been used for long', async () => {
      const expired = async (now: number, ...ids: string[]) =>
        (await store.expired(now, 1_000)).filter((id) => ids.includes(id));
      const timed = await create({ expiresAt: AT + 100 });
      const idle = await create({ idleTimeoutMs: 50 });
      const both = await create({ expiresAt: AT + 80, idleTimeoutMs: 60 });
      const all = [timed, idle, both, await create()];
      expect(await expired(AT + 50, ...all)).toEqual([]);
      expect(await expired(AT + 101, ...all)).toEqual([idle, both, timed]);
      await store.touch([
        { id: idle, at: AT + 40 },
        { id: both, at: AT + 40 },
        { id: 'none', at: AT },
      ]);
      await store.touch([{ id: idle, at: AT + 30 }]);
      expect((await store.cluster(idle))!.lastUsedAt).toBe(AT + 40);
      expect(await expired(AT + 101, ...all)).toEqual([both, idle, timed]);
      await store.updateLife(idle, { pausedAt: AT });
      await store.updateLife(timed, { expiresAt: AT + 200 });
      await store.deleteCluster(both);
      expect(await expired(AT + 150, ...all)).toEqual([]);
      expect(await expired(AT + 201, ...all)).toEqual([timed]);
      expect(await store.expired(AT + 201, 0)).toEqual([]);
    });

    it('without an idle timeout are used to the minute', async () => {
      const [exact, coarse] = [await create({ idleTimeoutMs: 5 }), await create()];
      const usedAt = async (at: number) => {
        await store.touch([exact, coarse].map((id) => ({ id, at })));
        return [(await store.cluster(exact))!.lastUsedAt - AT, (await store.cluster(coarse))!.lastUsedAt - AT];
      };
      expect(await usedAt(AT + 60_000)).toEqual([60_000, 0]);
      expect(await usedAt(AT + 60_001)).toEqual([60_001, 60_001]);
      expect(await usedAt(AT + 5)).toEqual([60_001, 60_001]);
    });

    it('are used also while a writer holds their row', async () => {
      const [held, free] = [await create({ idleTimeoutMs: 5 }), await create({ idleTimeoutMs: 5 })];
      const used: Promise<unknown>[] = [];
      await store.withLock(held, async () => {
        used.push(store.touch([held, free].map((id) => ({ id, at: AT + 7 }))));
        // Ends by the test's own timeout when the use is not recorded before the lock is given back.
        while ((await store.cluster(free))!.lastUsedAt !== AT + 7)
          await new Promise((resolve) => setTimeout(resolve, 10));
        await store.append(free, { expected: 0, first: 1, last: 1, at: AT, changes: bytes('') });
      });
      await Promise.all(used);
      expect((await store.cluster(held))!.lastUsedAt).toBe(AT + 7);
    });

    it('that were extended meanwhile do not end', async () => {
      const id = await create({ expiresAt: AT + 100 });
      await store.updateLife(id, { expiresAt: AT + 300 });
      expect(await store.deleteCluster(id, AT + 200)).toBe(false);
      expect(await store.deleteCluster(id, AT + 300)).toBe(false);
      expect(await store.cluster(id)).toMatchObject({ id });
      expect(await store.deleteCluster(id, AT + 301)).toBe(true);
      expect(await store.deleteCluster(await create(), AT + 301)).toBe(false);
    });

    it('are found by labels, each tenant its own', async () => {
      const tenantId = 'labels';
      const course = 'go';
      await create({ id: 'l-1', tenantId, labels: { course, exam: '1' } });
      await create({ id: 'l-2', tenantId, labels: { course } });
      await create({ id: 'l-3', tenantId });
      const ids = async (labels: Record<string, string>) =>
        (await store.list(tenantId, { limit: 9, labels })).map(({ id }) => id);
      expect(await ids({ course })).toEqual(['l-1', 'l-2']);
      expect(await ids({ course, exam: '1' })).toEqual(['l-1']);
      expect(await ids({ course: 'rust' })).toEqual([]);
      expect(await ids({})).toEqual(['l-1', 'l-2', 'l-3']);
    });
  });

  describe('bytes', () => {
    const bytesOf = async (id: string) => (await store.cluster(id))!.bytes;

    it('are those of the retained segments and checkpoints', async () => {
      const id = await create({ tenantId: 'bytes' });
      const append = (head: number, size: number) =>
        store.append(id, {
          expected: head,
          first: head + 1,
          last: head + 1,
          at: AT + head,
          changes: new Uint8Array(size),
        });
      expect(await append(0, 100)).toEqual({ ok: true, head: 1, bytes: 100 });
      expect(await append(1, 50)).toEqual({ ok: true, head: 2, bytes: 150 });
      expect(await append(0, 7)).toEqual({ ok: false, head: 2, bytes: 150 });
      expect(await store.setWake(id, 2, { by: AT })).toEqual({ ok: true, head: 2, bytes: 150 });
      await store.saveCheckpoint(id, 1, new Uint8Array(30));
      await store.saveCheckpoint(id, 2, new Uint8Array(40));
      await store.saveCheckpoint(id, 2, new Uint8Array(40));
      expect(await bytesOf(id)).toBe(220);
      expect(await store.compact(id, AT + 60_000)).toBe(2);
      expect(await bytesOf(id)).toBe(40);
      const fork = await create({ tenantId: 'bytes', base: { parent: id, revision: 2 } });
      expect(await bytesOf(fork)).toBe(0);
      expect((await store.usage('bytes')).bytes).toBe(40);
    });

    it('that have grown by much ask for a review, once', async () => {
      const id = await create();
      const isDue = async (now: number) => (await store.reviewable(now, 1_000)).includes(id);
      const append = async (size: number) => {
        const { head } = (await store.cluster(id))!;
        const changes = new Uint8Array(size);
        await store.append(id, { expected: head, first: head + 1, last: head + 1, at: AT + head, changes });
      };
      await append(200 * 1024);
      expect(await isDue(AT + 60_000)).toBe(false);
      await append(100 * 1024);
      expect([await isDue(AT + 1), await isDue(AT + 2)]).toEqual([false, true]);
      await store.review(id, undefined);
      await append(100 * 1024);
      expect(await isDue(AT + 60_000)).toBe(false);
      await append(16 * 1024 * 1024);
      expect(await isDue(AT + 60_000)).toBe(true);
      await store.review(id, AT + 90_000);
      expect([await isDue(AT + 90_000), await isDue(AT + 90_001)]).toEqual([false, true]);
      await store.review(id, undefined);
      await store.saveCheckpoint(id, 4, bytes('state'));
      await append(200 * 1024);
      expect(await isDue(AT + 99_000)).toBe(false);
      await append(100 * 1024);
      expect(await isDue(AT + 99_000)).toBe(true);
    }, 60_000);
  });

  describe('wakes', () => {
    const dueBefore = async (at: number, ...ids: string[]) =>
      (await store.overdue(at, 1_000)).filter((id) => ids.includes(id));

    it('are set exactly, brought forward, and cleared', async () => {
      const id = await create();
      const wake = async () => (await store.cluster(id))?.nextWake;
      expect(await wake()).toBeUndefined();
      await store.setWake(id, 0, { exactly: AT + 50 });
      await store.setWake(id, 0, { by: AT + 70 });
      expect(await wake()).toBe(AT + 50);
      await store.append(id, { expected: 0, first: 1, last: 1, at: AT, changes: bytes(''), wake: { by: AT + 20 } });
      expect(await wake()).toBe(AT + 20);
      await store.append(id, { expected: 1, first: 2, last: 2, at: AT, changes: bytes('') });
      expect(await wake()).toBe(AT + 20);
      expect(await store.setWake(id, 1, { exactly: undefined })).toMatchObject({ ok: false, head: 2 });
      expect(await wake()).toBe(AT + 20);
      expect(await store.setWake(id, 2, { exactly: undefined })).toMatchObject({ ok: true, head: 2 });
      expect(await wake()).toBeUndefined();
    });

    it('show what is overdue, the longest first, without halted and deleted clusters', async () => {
      const [late, later, halted, gone, future] = [
        await create({ nextWake: AT - 10 }),
        await create({ nextWake: AT - 20 }),
        await create({ nextWake: AT - 30 }),
        await create({ nextWake: AT - 40 }),
        await create({ nextWake: AT + 10 }),
      ];
      await store.halt(halted, 'assertion failed');
      await store.deleteCluster(gone);
      const all = [late, later, halted, gone, future];
      expect(await dueBefore(AT, ...all)).toEqual([later, late]);
      expect((await store.cluster(halted))?.halted).toBe('assertion failed');
      await store.halt(halted, undefined);
      expect(await dueBefore(AT, ...all)).toEqual([halted, later, late]);
      expect(await store.overdue(AT, 1)).toEqual([halted]);
    });

    it('of paused clusters and of suspended tenants wait', async () => {
      const tenantId = 'suspended';
      const paused = await create({ nextWake: AT - 10 });
      const other = await create({ nextWake: AT - 20, tenantId });
      await store.updateLife(paused, { pausedAt: AT });
      await store.suspendTenant(tenantId, true);
      const late = await create({ nextWake: AT - 30, tenantId });
      const all = [paused, other, late];
      expect(await dueBefore(AT, ...all)).toEqual([]);
      await store.updateLife(paused, { pausedAt: null });
      await store.suspendTenant(tenantId, false);
      expect(await dueBefore(AT, ...all)).toEqual([late, other, paused]);
    });
  });

  describe('checkpoints', () => {
    it('are found at or before a revision', async () => {
      const id = await create();
      await grow(id, 2, 2, 2);
      for (const r of [2, 4]) await store.saveCheckpoint(id, r, bytes(`at ${r}`));
      const found = async (atMost?: number) => (await store.loadCheckpoint(id, atMost))?.revision;
      expect([await found(), await found(4), await found(3), await found(1)]).toEqual([4, 4, 2, undefined]);
      expect(text((await store.loadCheckpoint(id))!.state)).toBe('at 4');
    });

    it('are a template’s until a cluster has its own', async () => {
      await store.saveCheckpoint(templateOwner('basic'), 40, bytes('template'));
      const id = await create({ base: { template: 'basic', revision: 40 } });
      expect((await store.cluster(id))?.head).toBe(40);
      const first = await store.loadCheckpoint(id);
      expect({ ...first, state: text(first!.state) }).toEqual({
        owner: 'template:basic',
        revision: 40,
        state: 'template',
      });
      await grow(id, 1);
      await store.saveCheckpoint(id, 41, bytes('own'));
      expect((await store.loadCheckpoint(id))?.owner).toBe(id);
      await expect(create({ base: { template: 'none', revision: 1 } })).rejects.toThrow(TemplateNotFound);
      await expect(create({ base: { template: 'basic', revision: 41 } })).rejects.toThrow(TemplateNotFound);
    });

    it('of a deleted cluster are not kept', async () => {
      const id = await create();
      await store.deleteCluster(id);
      await store.saveCheckpoint(id, 1, bytes('late'));
      await store.purge(1_000);
      await create({ id });
      expect(await store.loadCheckpoint(id)).toBeUndefined();
    });
  });

  describe('compaction', () => {
    it('cuts the log off at a checkpoint that is old enough', async () => {
      const id = await create();
      await grow(id, 1, 1, 1, 1);
      expect(await store.compact(id, AT + 60_000)).toBe(0);
      await store.saveCheckpoint(id, 1, bytes('1'));
      await store.saveCheckpoint(id, 3, bytes('3'));
      expect(await store.oldestRetained(id)).toBe(0);
      expect(await store.compactable(AT + 500, 100)).not.toContain(id);
      expect(await store.compactable(AT + 2_500, 100)).toContain(id);
      expect(await store.compact(id, AT + 2_500)).toBe(1);
      expect(await store.compactable(AT + 2_500, 100)).not.toContain(id);
      expect(await store.oldestRetained(id)).toBe(1);
      expect(await revisions(id, 1)).toHaveLength(3);
      await expect(store.read(id, 0, 10)).rejects.toThrow(new Compacted(1));
      expect(await store.compact(id, AT + 60_000)).toBe(2);
      expect(await store.oldestRetained(id)).toBe(3);
      expect(await store.loadCheckpoint(id, 2)).toBeUndefined();
    });

    it('may leave no segment at all', async () => {
      const id = await create();
      await grow(id, 2);
      await store.saveCheckpoint(id, 2, bytes('2'));
      expect(await store.compact(id, AT + 60_000)).toBe(1);
      expect(await store.oldestRetained(id)).toBe(2);
      expect(await revisions(id, 2)).toEqual([]);
      await expect(store.read(id, 1, 10)).rejects.toThrow(Compacted);
    });
  });

  describe('housekeeping', () => {
    it('compacts a long log in steps', async () => {
      const id = await create();
      for (let i = 0; i < 1_002; i++)
        await store.append(id, { expected: i, first: i + 1, last: i + 1, at: AT + i, changes: bytes('x') });
      await store.saveCheckpoint(id, 1_002, bytes('state'));
      const before = AT + 60_000;
      expect(await store.compact(id, before)).toBe(1_000);
      expect(await store.oldestRetained(id)).toBe(1_002);
      await expect(store.read(id, 999, 10)).rejects.toThrow(new Compacted(1_002));
      expect(await store.compactable(before, 100)).toContain(id);
      expect(await store.compact(id, before)).toBe(2);
      expect(await store.compactable(before, 100)).not.toContain(id);
      expect((await store.cluster(id))!.bytes).toBe('state'.length);
    }, 60_000);

    it('takes no more than 16 MiB in a step, but always one segment', async () => {
      const id = await create();
      const changes = new Uint8Array(9 * 1024 * 1024);
      for (let i = 0; i < 3; i++)
        await store.append(id, { expected: i, first: i + 1, last: i + 1, at: AT + i, changes });
      await store.saveCheckpoint(id, 3, bytes('state'));
      expect([await store.compact(id, AT + 60_000), await store.compact(id, AT + 60_000)]).toEqual([2, 1]);
    });

    it('leaves what a fork reads, and looks again an hour later', async () => {
      const parent = await create();
      await grow(parent, 1, 1, 1);
      await store.saveCheckpoint(parent, 2, bytes('at 2'));
      const fork = await create({ base: { parent, revision: 1 } });
      const before = AT + 60_000;
      expect(await store.compactable(before, 100)).toContain(parent);
      expect(await store.compact(parent, before)).toBe(0);
      expect(await store.compactable(before, 100)).not.toContain(parent);
      expect(await revisions(fork, 0)).toEqual([`1-1 ${parent}:1`]);
      await store.saveCheckpoint(fork, 1, bytes('fork'));
      const later = before + 60 * 60_000 + 1;
      expect(await store.compactable(later, 100)).toContain(parent);
      expect(await store.compact(parent, later)).toBe(2);
    });

    it('gives each chore to one worker at a time, when it is due', async () => {
      const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
      const take = (leaseMs: number) => store.takeChore('sweep', leaseMs);
      const taken = await Promise.all(Array.from({ length: 8 }, () => take(60_000)));
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(await store.takeChore('other', 60_000)).toBe(true);
      await store.finishChore('sweep', 50);
      expect(await take(60_000)).toBe(false);
      await sleep(80);
      expect([await take(50), await take(50)]).toEqual([true, false]);
      await sleep(80);
      expect(await take(60_000)).toBe(true);
    });

    it('purges deleted clusters step by step', async () => {
      await store.purge(100_000);
      const id = await create();
      await grow(id, ...Array<number>(20).fill(1));
      for (const revision of [5, 10]) await store.saveCheckpoint(id, revision, bytes('state'));
      await store.deleteCluster(id);
      expect(await store.purge(100_000)).toBe(23);
      expect(await store.purge(100_000)).toBe(0);
      await create({ id });
      expect(await revisions(id, 0)).toEqual([]);
      expect(await store.loadCheckpoint(id)).toBeUndefined();
    });

    it('drops templates that are neither used nor referred to', async () => {
      for (const template of ['used', 'unused', 'shared'])
        await store.saveCheckpoint(templateOwner(template), 5, bytes('t'));
      const now = Date.now();
      const id = await create({ base: { template: 'used', revision: 5 } });
      expect(await store.dropTemplates(now - 60_000, 100)).toBe(0);
      expect(await store.dropTemplates(now + 60_000, 100)).toBeGreaterThanOrEqual(2);
      expect((await store.loadCheckpoint(id))?.owner).toBe('template:used');
      await expect(create({ base: { template: 'unused', revision: 5 } })).rejects.toThrow(TemplateNotFound);
      await store.saveCheckpoint(templateOwner('unused'), 5, bytes('t'));
      await create({ base: { template: 'unused', revision: 5 } });
    });
  });

  describe('forks', () => {
    const family = async (): Promise<[string, string]> => {
      const parent = await create();
      await grow(parent, 1, 3, 2);
      await store.saveCheckpoint(parent, 1, bytes('at 1'));
      const fork = await create({ base: { parent, revision: 3 }, createdAt: AT + 9_000 });
      return [parent, fork];
    };

    it('begin on the parent’s log, in the middle of a segment too', async () => {
      const [parent, fork] = await family();
      await grow(fork, 1);
      expect(await store.cluster(fork)).toMatchObject({
        head: 4,
        base: { parent, revision: 3 },
        epoch: AT,
        createdAt: AT + 9_000,
      });
      expect((await store.loadCheckpoint(fork))?.revision).toBe(1);
      expect(await revisions(fork, 1)).toEqual([`2-3 ${parent}:2`, `4-4 ${fork}:4`]);
      expect(await revisions(fork, 3)).toEqual([`4-4 ${fork}:4`]);
      expect(await store.oldestRetained(fork)).toBe(3);
    });

    it('keep what they read of a compacted or deleted parent, until they have a checkpoint', async () => {
      const [parent, fork] = await family();
      await store.saveCheckpoint(parent, 6, bytes('at 6'));
      expect(await store.compact(parent, AT + 60_000)).toBe(1);
      expect(await revisions(fork, 1)).toEqual([`2-3 ${parent}:2`]);
      await store.deleteCluster(parent);
      expect(await store.cluster(parent)).toBeUndefined();
      expect(await revisions(fork, 1)).toEqual([`2-3 ${parent}:2`]);
      await store.saveCheckpoint(fork, 3, bytes('fork'));
      expect((await store.loadCheckpoint(fork))?.owner).toBe(fork);
      await expect(store.read(fork, 1, 10)).rejects.toThrow(Compacted);
      await store.purge(1_000);
      await create({ id: parent });
      expect(await revisions(parent, 0)).toEqual([]);
    });

    it('need a parent and a revision that it still has', async () => {
      const [parent] = await family();
      await expect(create({ base: { parent: 'none', revision: 1 } })).rejects.toThrow(ClusterNotFound);
      await expect(create({ base: { parent, revision: 7 } })).rejects.toThrow(Compacted);
      await store.saveCheckpoint(parent, 4, bytes('at 4'));
      await store.compact(parent, AT + 60_000);
    });

    it('of forks read through all ancestors', async () => {
      const [parent, fork] = await family();
      await grow(fork, 2);
      const grandchild = await create({ base: { parent: fork, revision: 4 } });
      expect(await revisions(grandchild, 1)).toEqual([`2-3 ${parent}:2`, `4-4 ${fork}:4`]);
      expect((await store.cluster(grandchild))?.epoch).toBe(AT);
    });
  });
});
