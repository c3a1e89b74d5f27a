import { describe, expect, it } from '@jest/globals';
import { Compacted, TemplateNotFound, templateOwner } from '../index.js';
import { AT, bytes, describeStores } from './testing.js';

describeStores('housekeeping', (bed) => {
  describe('housekeeping', () => {
    it('compacts a long log in steps', async () => {
      const id = await bed.create();
      for (let i = 0; i < 1_002; i++)
        await bed.store.append(id, { expected: i, first: i + 1, last: i + 1, at: AT + i, changes: bytes('x') });
      await bed.store.saveCheckpoint(id, 1_002, bytes('state'));
      const before = AT + 60_000;
      expect(await bed.store.compact(id, before)).toBe(1_000);
      expect(await bed.store.oldestRetained(id)).toBe(1_002);
      await expect(bed.store.read(id, 999, 10)).rejects.toThrow(new Compacted(1_002));
      expect(await bed.store.compactable(before, 100)).toContain(id);
      expect(await bed.store.compact(id, before)).toBe(2);
      expect(await bed.store.compactable(before, 100)).not.toContain(id);
      expect((await bed.store.cluster(id))!.bytes).toBe('state'.length);
    }, 60_000);

    it('takes no more than 16 MiB in a step, but always one segment', async () => {
      const id = await bed.create();
      const changes = new Uint8Array(9 * 1024 * 1024);
      for (let i = 0; i < 3; i++)
        await bed.store.append(id, { expected: i, first: i + 1, last: i + 1, at: AT + i, changes });
      await bed.store.saveCheckpoint(id, 3, bytes('state'));
      expect([await bed.store.compact(id, AT + 60_000), await bed.store.compact(id, AT + 60_000)]).toEqual([2, 1]);
    });

    it('leaves what a fork reads, and looks again an hour later', async () => {
      const parent = await bed.create();
      await bed.grow(parent, 1, 1, 1);
      await bed.store.saveCheckpoint(parent, 2, bytes('at 2'));
      const fork = await bed.create({ base: { parent, revision: 1 } });
      const before = AT + 60_000;
      expect(await bed.store.compactable(before, 100)).toContain(parent);
      expect(await bed.store.compact(parent, before)).toBe(0);
      expect(await bed.store.compactable(before, 100)).not.toContain(parent);
      expect(await bed.revisions(fork, 0)).toEqual([`1-1 ${parent}:1`]);
      await bed.store.saveCheckpoint(fork, 1, bytes('fork'));
      const later = before + 60 * 60_000 + 1;
      expect(await bed.store.compactable(later, 100)).toContain(parent);
      expect(await bed.store.compact(parent, later)).toBe(2);
    });

    it('gives each chore to one worker at a time, when it is due', async () => {
      const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
      const take = (leaseMs: number) => bed.store.takeChore('sweep', leaseMs);
      const taken = await Promise.all(Array.from({ length: 8 }, () => take(60_000)));
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(await bed.store.takeChore('other', 60_000)).toBe(true);
      await bed.store.finishChore('sweep', 50);
      expect(await take(60_000)).toBe(false);
      await sleep(80);
      expect([await take(50), await take(50)]).toEqual([true, false]);
      await sleep(80);
      expect(await take(60_000)).toBe(true);
    });

    it('purges deleted clusters step by step', async () => {
      await bed.store.purge(100_000);
      const id = await bed.create();
      await bed.grow(id, ...Array<number>(20).fill(1));
      for (const revision of [5, 10]) await bed.store.saveCheckpoint(id, revision, bytes('state'));
      await bed.store.deleteCluster(id);
      expect(await bed.store.purge(100_000)).toBe(23);
      expect(await bed.store.purge(100_000)).toBe(0);
      await bed.create({ id });
      expect(await bed.revisions(id, 0)).toEqual([]);
      expect(await bed.store.loadCheckpoint(id)).toBeUndefined();
    });

    it('drops templates that are neither used nor referred to', async () => {
      for (const template of ['used', 'unused', 'shared'])
        await bed.store.saveCheckpoint(templateOwner(template), 5, bytes('t'));
      const now = Date.now();
      const id = await bed.create({ base: { template: 'used', revision: 5 } });
      expect(await bed.store.dropTemplates(now - 60_000, 100)).toBe(0);
      expect(await bed.store.dropTemplates(now + 60_000, 100)).toBeGreaterThanOrEqual(2);
      expect((await bed.store.loadCheckpoint(id))?.owner).toBe('template:used');
      await expect(bed.create({ base: { template: 'unused', revision: 5 } })).rejects.toThrow(TemplateNotFound);
      await bed.store.saveCheckpoint(templateOwner('unused'), 5, bytes('t'));
      await bed.create({ base: { template: 'unused', revision: 5 } });
    });
  });
});
