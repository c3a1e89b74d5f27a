import { describe, expect, it } from '@jest/globals';
import { SILENT, createStore, openHost, range, send, waitUntil } from '../testing.js';

describe('Checkpointer', () => {
  it('writes checkpoints in proportion to the log, however many objects there are', async () => {
    const store = await createStore();
    const { host } = openHost(store, SILENT, { tailChanges: 10 });
    for (const i of range(1, 300)) {
      await send(host, 'POST', `/${i}`);
      if (i % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(host.metrics.checkpoints).toBeLessThan(6);
    // On a busy machine they fall behind, and each is of more.
    for (let sent = 0; host.metrics.checkpoints < 3 && sent < 1_000; sent++) {
      await send(host, 'POST', '/1');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await waitUntil(() => host.metrics.checkpoints >= 3);
  });

  it('leaves a checkpoint on which a fresh process starts', async () => {
    const store = await createStore();
    const { host } = openHost(store, SILENT, { tailChanges: 3 });
    for (const _ of range(1, 4)) await send(host, 'POST', '/a');
    await waitUntil(() => host.metrics.checkpoints === 1);
    await send(host, 'POST', '/a');
    const { host: fresh } = openHost(store);
    expect(await send(fresh, 'GET', '/a')).toMatchObject({ n: 5 });
    expect(fresh.metrics.caughtUpChanges).toBeLessThan(5);
  });

  it('tells of a checkpoint that could not be stored, and stores the next one', async () => {
    const store = await createStore();
    const errors: unknown[] = [];
    const { host } = openHost(store, SILENT, { tailChanges: 3 }, { onError: (error) => void errors.push(error) });
    store.before = (call) => {
      if (call === 'saveCheckpoint' && errors.length === 0) throw new Error('disk full');
    };
    for (const _ of range(1, 4)) await send(host, 'POST', '/a');
    await waitUntil(() => errors.length === 1);
    expect([errors, host.metrics.storeErrors]).toEqual([[new Error('disk full')], 1]);
    await send(host, 'POST', '/a');
    await waitUntil(() => host.metrics.checkpoints === 1);
  });
});
