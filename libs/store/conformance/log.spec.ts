import { describe, expect, it } from '@jest/globals';
import { ClusterNotFound } from '../index.js';
import { AT, bytes, describeStores } from './testing.js';

describeStores('log', (bed) => {
  describe('append', () => {
    it('moves the head and is read back in order', async () => {
      const id = await bed.create();
      await bed.grow(id, 1, 3, 2);
      expect(await bed.store.read(id, 0, 1)).toEqual([
        { first: 1, last: 1, at: AT + 1_000, changes: expect.anything() },
      ]);
      expect(await bed.revisions(id, 0)).toEqual([`1-1 ${id}:1`, `2-4 ${id}:2`, `5-6 ${id}:5`]);
      expect(await bed.revisions(id, 4)).toEqual([`5-6 ${id}:5`]);
      expect(await bed.revisions(id, 6)).toEqual([]);
      expect(await bed.revisions(id, 0, 2)).toHaveLength(2);
    });

    it('is refused when the head has moved, and tells where it is', async () => {
      const id = await bed.create();
      await bed.grow(id, 2);
      const late = { expected: 0, first: 1, last: 2, at: AT, changes: bytes('late') };
      expect(await bed.store.append(id, late)).toEqual({ ok: false, head: 2, bytes: `${id}:1`.length });
      expect(await bed.revisions(id, 0)).toEqual([`1-2 ${id}:1`]);
    });

    it('lets exactly one of many concurrent writers win', async () => {
      const id = await bed.create();
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          bed.store.append(id, { expected: 0, first: 1, last: 1, at: AT, changes: bytes(String(i)) }),
        ),
      );
      expect(results.filter((r) => r.ok)).toHaveLength(1);
      expect(results.filter((r) => !r.ok).every((r) => r.head === 1)).toBe(true);
      expect(await bed.revisions(id, 0)).toHaveLength(1);
    });

    it('answers for a cluster that is not there', async () => {
      await expect(
        bed.store.append('none', { expected: 0, first: 1, last: 1, at: AT, changes: bytes('') }),
      ).rejects.toThrow(ClusterNotFound);
      await expect(bed.store.setWake('none', 0, { by: AT })).rejects.toThrow(ClusterNotFound);
      await expect(bed.store.read('none', 0, 1)).rejects.toThrow(ClusterNotFound);
      await expect(bed.store.loadCheckpoint('none')).rejects.toThrow(ClusterNotFound);
      expect(await bed.store.cluster('none')).toBeUndefined();
    });

    it('tells many heads at once', async () => {
      const [a, b] = [await bed.create(), await bed.create()];
      await bed.grow(b, 4);
      expect(await bed.store.heads([a, b, 'none'])).toEqual(
        new Map([
          [a, 0],
          [b, 4],
        ]),
      );
    });
  });

  describe('withLock', () => {
    it('keeps every other writer out until it is done', async () => {
      const id = await bed.create();
      const order: string[] = [];
      let other: Promise<unknown> = Promise.resolve();
      await bed.store.withLock(id, async (locked) => {
        other = bed.store
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
      const id = await bed.create();
      await expect(bed.store.withLock(id, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
      await bed.grow(id, 1);
    });
    it('answers for a cluster that is not there', async () => {
      await expect(bed.store.withLock('none', async () => 1)).rejects.toThrow(ClusterNotFound);
    });
  });

  describe('bytes', () => {
    const bytesOf = async (id: string) => (await bed.store.cluster(id))!.bytes;

    it('are those of the retained segments and checkpoints', async () => {
      const id = await bed.create({ tenantId: 'bytes' });
      const append = (head: number, size: number) =>
        bed.store.append(id, {
          expected: head,
          first: head + 1,
          last: head + 1,
          at: AT + head,
          changes: new Uint8Array(size),
        });
      expect(await append(0, 100)).toEqual({ ok: true, head: 1, bytes: 100 });
      expect(await append(1, 50)).toEqual({ ok: true, head: 2, bytes: 150 });
      expect(await append(0, 7)).toEqual({ ok: false, head: 2, bytes: 150 });
      expect(await bed.store.setWake(id, 2, { by: AT })).toEqual({ ok: true, head: 2, bytes: 150 });
      await bed.store.saveCheckpoint(id, 1, new Uint8Array(30));
      await bed.store.saveCheckpoint(id, 2, new Uint8Array(40));
      await bed.store.saveCheckpoint(id, 2, new Uint8Array(40));
      expect(await bytesOf(id)).toBe(220);
      expect(await bed.store.compact(id, AT + 60_000)).toBe(2);
      expect(await bytesOf(id)).toBe(40);
      const fork = await bed.create({ tenantId: 'bytes', base: { parent: id, revision: 2 } });
      expect(await bytesOf(fork)).toBe(0);
      expect((await bed.store.usage('bytes')).bytes).toBe(40);
    });

    it('that have grown by much ask for a review, once', async () => {
      const id = await bed.create();
      const isDue = async (now: number) => (await bed.store.reviewable(now, 1_000)).includes(id);
      const append = async (size: number) => {
        const { head } = (await bed.store.cluster(id))!;
        const changes = new Uint8Array(size);
        await bed.store.append(id, { expected: head, first: head + 1, last: head + 1, at: AT + head, changes });
      };
      await append(200 * 1024);
      expect(await isDue(AT + 60_000)).toBe(false);
      await append(100 * 1024);
      expect([await isDue(AT + 1), await isDue(AT + 2)]).toEqual([false, true]);
      await bed.store.review(id, undefined);
      await append(100 * 1024);
      expect(await isDue(AT + 60_000)).toBe(false);
      await append(16 * 1024 * 1024);
      expect(await isDue(AT + 60_000)).toBe(true);
      await bed.store.review(id, AT + 90_000);
      expect([await isDue(AT + 90_000), await isDue(AT + 90_001)]).toEqual([false, true]);
      await bed.store.review(id, undefined);
      await bed.store.saveCheckpoint(id, 4, bytes('state'));
      await append(200 * 1024);
      expect(await isDue(AT + 99_000)).toBe(false);
      await append(100 * 1024);
      expect(await isDue(AT + 99_000)).toBe(true);
    }, 60_000);
  });

  describe('wakes', () => {
    const dueBefore = async (at: number, ...ids: string[]) =>
      (await bed.store.overdue(at, 1_000)).filter((id) => ids.includes(id));

    it('are set exactly, brought forward, and cleared', async () => {
      const id = await bed.create();
      const wake = async () => (await bed.store.cluster(id))?.nextWake;
      expect(await wake()).toBeUndefined();
      await bed.store.setWake(id, 0, { exactly: AT + 50 });
      await bed.store.setWake(id, 0, { by: AT + 70 });
      expect(await wake()).toBe(AT + 50);
      await bed.store.append(id, { expected: 0, first: 1, last: 1, at: AT, changes: bytes(''), wake: { by: AT + 20 } });
      expect(await wake()).toBe(AT + 20);
      await bed.store.append(id, { expected: 1, first: 2, last: 2, at: AT, changes: bytes('') });
      expect(await wake()).toBe(AT + 20);
      expect(await bed.store.setWake(id, 1, { exactly: undefined })).toMatchObject({ ok: false, head: 2 });
      expect(await wake()).toBe(AT + 20);
      expect(await bed.store.setWake(id, 2, { exactly: undefined })).toMatchObject({ ok: true, head: 2 });
      expect(await wake()).toBeUndefined();
    });

    it('show what is overdue, the longest first, without halted and deleted clusters', async () => {
      const [late, later, halted, gone, future] = [
        await bed.create({ nextWake: AT - 10 }),
        await bed.create({ nextWake: AT - 20 }),
        await bed.create({ nextWake: AT - 30 }),
        await bed.create({ nextWake: AT - 40 }),
        await bed.create({ nextWake: AT + 10 }),
      ];
      await bed.store.halt(halted, 'assertion failed');
      await bed.store.deleteCluster(gone);
      const all = [late, later, halted, gone, future];
      expect(await dueBefore(AT, ...all)).toEqual([later, late]);
      expect((await bed.store.cluster(halted))?.halted).toBe('assertion failed');
      await bed.store.halt(halted, undefined);
      expect(await dueBefore(AT, ...all)).toEqual([halted, later, late]);
      expect(await bed.store.overdue(AT, 1)).toEqual([halted]);
    });

    it('of paused clusters and of suspended tenants wait', async () => {
      const tenantId = 'suspended';
      const paused = await bed.create({ nextWake: AT - 10 });
      const other = await bed.create({ nextWake: AT - 20, tenantId });
      await bed.store.updateLife(paused, { pausedAt: AT });
      await bed.store.suspendTenant(tenantId, true);
      const late = await bed.create({ nextWake: AT - 30, tenantId });
      const all = [paused, other, late];
      expect(await dueBefore(AT, ...all)).toEqual([]);
      await bed.store.updateLife(paused, { pausedAt: null });
      await bed.store.suspendTenant(tenantId, false);
      expect(await dueBefore(AT, ...all)).toEqual([late, other, paused]);
    });
  });
});
