import { describe, expect, it } from '@jest/globals';
import { MemoryAnnouncements } from '../index.js';
import {
  ID,
  apiRequest,
  createStore,
  openHost,
  openHostWithWrites,
  range,
  RecordingListener,
  send,
  waitUntil,
} from '../testing.js';

describe('subscribe', () => {
  it('resumes from the watch cache, and goes on live', async () => {
    const host = await openHostWithWrites(await createStore(), 5);
    const heard = new RecordingListener();
    await host.subscribe(ID, 2, heard.listener);
    await send(host, 'POST', '/a');
    expect(heard.revisions).toEqual([3, 4, 5, 6]);
    expect(heard.changes.map((c) => (c.old as { spec?: { n: number } }).spec?.n)).toEqual([2, 3, 4, 5]);
  });

  it('resumes from the store when the watch cache is too short, with the objects before', async () => {
    const store = await createStore();
    const host = await openHostWithWrites(store, 30, { watchCacheChanges: 2, readSegments: 4 });
    const heard = new RecordingListener();
    await host.subscribe(ID, 3, heard.listener);
    await send(host, 'POST', '/a');
    expect(heard.revisions).toEqual(range(4, 31));
    expect(heard.changes.map((c) => (c.old as { spec?: { n: number } }).spec?.n)).toEqual(range(3, 30));
  });

  it('resumes after a checkpoint, and has expired before it', async () => {
    const store = await createStore();
    const host = await openHostWithWrites(store, 8, { tailChanges: 5, retentionMs: -60_000, watchCacheChanges: 1 });
    await waitUntil(() => host.metrics.checkpoints === 1);
    const { host: fresh } = openHost(store);
    const oldest = await store.oldestRetained(ID);
    expect(oldest).toBeGreaterThanOrEqual(5);
    const [heard, late] = [new RecordingListener(), new RecordingListener()];
    await fresh.subscribe(ID, oldest, heard.listener);
    await fresh.subscribe(ID, 2, late.listener);
    expect(heard.revisions).toEqual(range(oldest + 1, 8));
    expect(late).toMatchObject({ changes: [], ends: [`expired ${oldest}`] });
  });

  it('begins after a revision that is still to come', async () => {
    const host = await openHostWithWrites(await createStore(), 1);
    const heard = new RecordingListener();
    await host.subscribe(ID, 3, heard.listener);
    for (const _ of range(1, 4)) await send(host, 'POST', '/a');
    expect(heard.revisions).toEqual([4, 5]);
  });

  it('ends when it is closed, and when the cluster is deleted in any process', async () => {
    const store = await createStore();
    const hub = new MemoryAnnouncements();
    const [{ host: one }, { host: other }] = [openHost(store, hub.announcer()), openHost(store, hub.announcer())];
    const [left, stayed] = [new RecordingListener(), new RecordingListener()];
    const leave = await one.subscribe(ID, 0, left.listener);
    await one.subscribe(ID, 0, stayed.listener);
    leave();
    await send(other, 'POST', '/a');
    await waitUntil(() => stayed.changes.length === 1);
    expect(await other.deleteCluster(ID)).toBe(true);
    await waitUntil(() => stayed.ends.length === 1);
    expect([left.changes, left.ends, stayed.ends]).toEqual([[], [], ['deleted']]);
    expect(await one.request(ID, apiRequest('GET', '/a'))).toMatchObject({ status: 404 });
  });
});
