import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Compacted, TemplateNotFound, templateOwner, type LogStore } from '../index.js';
import { AT, Bed, bytes, STORES } from './testing.js';

describe.each(STORES)('housekeeping: %s', (_name, open) => {
  let store: LogStore;
  let bed: Bed;
  let end: () => Promise<void>;
  beforeAll(async () => {
    ({ store, end } = await open());
    bed = new Bed(store);
  }, 60_000);
  afterAll(() => end());
  const create: Bed['create'] = (...args) => bed.create(...args);
  const grow: Bed['grow'] = (...args) => bed.grow(...args);
  const revisions: Bed['revisions'] = (...args) => bed.revisions(...args);

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
});
