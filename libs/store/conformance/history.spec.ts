import { describe, expect, it } from '@jest/globals';
import { ClusterNotFound, Compacted, TemplateNotFound, templateOwner } from '../index.js';
import { AT, bytes, describeStores, text } from './testing.js';

describeStores('history', (bed) => {
  describe('checkpoints', () => {
    it('are found at or before a revision', async () => {
      const id = await bed.create();
      await bed.grow(id, 2, 2, 2);
      for (const r of [2, 4]) await bed.store.saveCheckpoint(id, r, bytes(`at ${r}`));
      const found = async (atMost?: number) => (await bed.store.loadCheckpoint(id, atMost))?.revision;
      expect([await found(), await found(4), await found(3), await found(1)]).toEqual([4, 4, 2, undefined]);
      expect(text((await bed.store.loadCheckpoint(id))!.state)).toBe('at 4');
    });

    it('are a template’s until a cluster has its own', async () => {
      await bed.store.saveCheckpoint(templateOwner('basic'), 40, bytes('template'));
      const id = await bed.create({ base: { template: 'basic', revision: 40 } });
      expect((await bed.store.cluster(id))?.head).toBe(40);
      const first = await bed.store.loadCheckpoint(id);
      expect({ ...first, state: text(first!.state) }).toEqual({
        owner: 'template:basic',
        revision: 40,
        state: 'template',
      });
      await bed.grow(id, 1);
      await bed.store.saveCheckpoint(id, 41, bytes('own'));
      expect((await bed.store.loadCheckpoint(id))?.owner).toBe(id);
      await expect(bed.create({ base: { template: 'none', revision: 1 } })).rejects.toThrow(TemplateNotFound);
      await expect(bed.create({ base: { template: 'basic', revision: 41 } })).rejects.toThrow(TemplateNotFound);
    });

    it('of a deleted cluster are not kept', async () => {
      const id = await bed.create();
      await bed.store.deleteCluster(id);
      await bed.store.saveCheckpoint(id, 1, bytes('late'));
      await bed.store.purge(1_000);
      await bed.create({ id });
      expect(await bed.store.loadCheckpoint(id)).toBeUndefined();
    });
  });

  describe('compaction', () => {
    it('cuts the log off at a checkpoint that is old enough', async () => {
      const id = await bed.create();
      await bed.grow(id, 1, 1, 1, 1);
      expect(await bed.store.compact(id, AT + 60_000)).toBe(0);
      await bed.store.saveCheckpoint(id, 1, bytes('1'));
      await bed.store.saveCheckpoint(id, 3, bytes('3'));
      expect(await bed.store.oldestRetained(id)).toBe(0);
      expect(await bed.store.compactable(AT + 500, 100)).not.toContain(id);
      expect(await bed.store.compactable(AT + 2_500, 100)).toContain(id);
      expect(await bed.store.compact(id, AT + 2_500)).toBe(1);
      expect(await bed.store.compactable(AT + 2_500, 100)).not.toContain(id);
      expect(await bed.store.oldestRetained(id)).toBe(1);
      expect(await bed.revisions(id, 1)).toHaveLength(3);
      await expect(bed.store.read(id, 0, 10)).rejects.toThrow(new Compacted(1));
      expect(await bed.store.compact(id, AT + 60_000)).toBe(2);
      expect(await bed.store.oldestRetained(id)).toBe(3);
      expect(await bed.store.loadCheckpoint(id, 2)).toBeUndefined();
    });

    it('may leave no segment at all', async () => {
      const id = await bed.create();
      await bed.grow(id, 2);
      await bed.store.saveCheckpoint(id, 2, bytes('2'));
      expect(await bed.store.compact(id, AT + 60_000)).toBe(1);
      expect(await bed.store.oldestRetained(id)).toBe(2);
      expect(await bed.revisions(id, 2)).toEqual([]);
      await expect(bed.store.read(id, 1, 10)).rejects.toThrow(Compacted);
    });
  });

  describe('forks', () => {
    const family = async (): Promise<[string, string]> => {
      const parent = await bed.create();
      await bed.grow(parent, 1, 3, 2);
      await bed.store.saveCheckpoint(parent, 1, bytes('at 1'));
      const fork = await bed.create({ base: { parent, revision: 3 }, createdAt: AT + 9_000 });
      return [parent, fork];
    };

    it('begin on the parent’s log, in the middle of a segment too', async () => {
      const [parent, fork] = await family();
      await bed.grow(fork, 1);
      expect(await bed.store.cluster(fork)).toMatchObject({
        head: 4,
        base: { parent, revision: 3 },
        epoch: AT,
        createdAt: AT + 9_000,
      });
      expect((await bed.store.loadCheckpoint(fork))?.revision).toBe(1);
      expect(await bed.revisions(fork, 1)).toEqual([`2-3 ${parent}:2`, `4-4 ${fork}:4`]);
      expect(await bed.revisions(fork, 3)).toEqual([`4-4 ${fork}:4`]);
      expect(await bed.store.oldestRetained(fork)).toBe(3);
    });

    it('keep what they read of a compacted or deleted parent, until they have a checkpoint', async () => {
      const [parent, fork] = await family();
      await bed.store.saveCheckpoint(parent, 6, bytes('at 6'));
      expect(await bed.store.compact(parent, AT + 60_000)).toBe(1);
      expect(await bed.revisions(fork, 1)).toEqual([`2-3 ${parent}:2`]);
      await bed.store.deleteCluster(parent);
      expect(await bed.store.cluster(parent)).toBeUndefined();
      expect(await bed.revisions(fork, 1)).toEqual([`2-3 ${parent}:2`]);
      await bed.store.saveCheckpoint(fork, 3, bytes('fork'));
      expect((await bed.store.loadCheckpoint(fork))?.owner).toBe(fork);
      await expect(bed.store.read(fork, 1, 10)).rejects.toThrow(Compacted);
      await bed.store.purge(1_000);
      await bed.create({ id: parent });
      expect(await bed.revisions(parent, 0)).toEqual([]);
    });

    it('need a parent and a revision that it still has', async () => {
      const [parent] = await family();
      await expect(bed.create({ base: { parent: 'none', revision: 1 } })).rejects.toThrow(ClusterNotFound);
      await expect(bed.create({ base: { parent, revision: 7 } })).rejects.toThrow(Compacted);
      await bed.store.saveCheckpoint(parent, 4, bytes('at 4'));
      await bed.store.compact(parent, AT + 60_000);
    });

    it('of forks read through all ancestors', async () => {
      const [parent, fork] = await family();
      await bed.grow(fork, 2);
      const grandchild = await bed.create({ base: { parent: fork, revision: 4 } });
      expect(await bed.revisions(grandchild, 1)).toEqual([`2-3 ${parent}:2`, `4-4 ${fork}:4`]);
      expect((await bed.store.cluster(grandchild))?.epoch).toBe(AT);
    });
  });
});
