import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase } from '../testkit/postgres.js';
import {
  ClusterNotFound,
  Compacted,
  MemoryLogStore,
  migrate,
  openPool,
  PostgresLogStore,
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
    await store.createCluster({ tenantId: 'acme', settings: { name: id }, createdAt: AT, ...more, id });
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
      expect(await store.append(id, segment)).toEqual({ ok: true, head: head + size });
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
      expect(await store.append(id, late)).toEqual({ ok: false, head: 2 });
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
      });
      await store.updateSettings(id, { seed: 'y' });
      expect((await store.cluster(id))?.settings).toEqual({ seed: 'y' });
      await expect(create({ id })).rejects.toThrow();
    });

    it('are listed page by page, each tenant its own', async () => {
      for (const id of ['p-b', 'p-C', 'p-a']) await create({ id, tenantId: 'pages' });
      expect((await store.list('pages', { limit: 2 })).map((c) => c.id)).toEqual(['p-C', 'p-a']);
      expect((await store.list('pages', { limit: 2, after: 'p-a' })).map((c) => c.id)).toEqual(['p-b']);
      expect(await store.count('pages')).toBe(3);
      expect(await store.list('nobody', { limit: 5 })).toEqual([]);
    });

    it('go with their log', async () => {
      const id = await create();
      await grow(id, 1);
      await store.saveCheckpoint(id, 1, bytes('state'));
      expect(await store.deleteCluster(id)).toBe(true);
      expect(await store.deleteCluster(id)).toBe(false);
      await expect(store.read(id, 0, 1)).rejects.toThrow(ClusterNotFound);
      await create({ id });
      expect(await store.loadCheckpoint(id)).toBeUndefined();
      expect(await revisions(id, 0)).toEqual([]);
    });
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
      expect(await store.setWake(id, 1, { exactly: undefined })).toEqual({ ok: false, head: 2 });
      expect(await wake()).toBe(AT + 20);
      expect(await store.setWake(id, 2, { exactly: undefined })).toEqual({ ok: true, head: 2 });
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
