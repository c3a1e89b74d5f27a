import { describe, expect, it } from '@jest/globals';
import type { MemoryLogStore } from '@terrarium/store';
import { MemoryAnnouncements, type Announcer, type ClusterHost } from '../index.js';
import {
  ID,
  SILENT,
  createStore,
  openHost,
  range,
  readLines,
  RecordingListener,
  requestWatch,
  send,
  waitUntil,
} from '../testing.js';

const watch = async (host: ClusterHost, fromRevision: number) => host.watch(ID, await requestWatch(host, fromRevision));

/** A host that has room for one cluster; `makeRoom` takes it for another one. */
function openSmall(store: MemoryLogStore, announcer: Announcer = SILENT, limits = {}) {
  const { host, engines } = openHost(store, announcer, { loadedClusters: 1, sweepMs: 60_000, ...limits });
  const makeRoom = async (): Promise<void> => {
    await host.request('other', { method: 'GET', path: '/a', query: '', headers: {}, user: undefined });
    await waitUntil(() => host.gauges().loadedClusters === 1);
  };
  return { host, engines, makeRoom };
}

async function createStores(): Promise<MemoryLogStore> {
  const store = await createStore();
  await store.createCluster({ id: 'other', tenantId: 'acme', settings: {}, nodes: 0, createdAt: 0 });
  return store;
}

describe('listeners of a cluster that was unloaded to make room', () => {
  it('get what this process writes then, without a gap or a repetition', async () => {
    const { host, engines, makeRoom } = openSmall(await createStores());
    const heard = new RecordingListener();
    const lines = readLines(await watch(host, 0), 6);
    await host.subscribe(ID, 0, heard.listener);
    for (const _ of range(1, 5)) {
      await send(host, 'POST', '/a');
      await waitUntil(() => host.gauges().listeners === 2);
      await new Promise(setImmediate);
      await makeRoom();
      expect(host.gauges()).toMatchObject({ loadedClusters: 1, listeners: 2 });
    }
    await send(host, 'POST', '/a');
    expect(await lines).toEqual(['1:ADDED', ...range(2, 6).map((n) => `${n}:MODIFIED`)]);
    await waitUntil(() => heard.changes.length === 6);
    expect([heard.revisions, heard.ends]).toEqual([range(1, 6), []]);
    expect(engines.length).toBeGreaterThan(6);
  });

  it('get what another process announces', async () => {
    const store = await createStores();
    const hub = new MemoryAnnouncements();
    const { host, makeRoom } = openSmall(store, hub.announcer());
    const { host: other } = openHost(store, hub.announcer());
    const heard = new RecordingListener();
    await host.subscribe(ID, 0, heard.listener);
    await makeRoom();
    for (const _ of range(1, 3)) await send(other, 'POST', '/a');
    await waitUntil(() => heard.changes.length === 3);
    expect(heard.revisions).toEqual([1, 2, 3]);
  });

  it('get what was never announced, by the check of heads', async () => {
    const store = await createStores();
    const { host, makeRoom } = openSmall(store, SILENT, { sweepMs: 20 });
    const stream = await watch(host, 0);
    await makeRoom();
    await send(openHost(store).host, 'POST', '/a');
    expect(await readLines(stream, 1)).toEqual(['1:ADDED']);
  });

  it.each(['here', 'elsewhere'])('end when the cluster is deleted %s', async (where) => {
    const store = await createStores();
    const hub = new MemoryAnnouncements();
    const { host, makeRoom } = openSmall(store, hub.announcer());
    const { host: other } = openHost(store, hub.announcer());
    const heard = new RecordingListener();
    await host.subscribe(ID, 0, heard.listener);
    const stream = await watch(host, 0);
    await makeRoom();
    await (where === 'here' ? host : other).deleteCluster(ID);
    await waitUntil(() => heard.ends.length > 0 && stream.hasEnded);
    expect([heard.ends, host.gauges().listeners]).toEqual([['deleted'], 0]);
  });

  it('keep nothing when their reader leaves', async () => {
    const { host, makeRoom } = openSmall(await createStores());
    const stream = await watch(host, 0);
    const unsubscribe = await host.subscribe(ID, 0, new RecordingListener().listener);
    await makeRoom();
    expect(host.gauges().listeners).toBe(2);
    stream.end();
    unsubscribe();
    expect(host.gauges().listeners).toBe(0);
  });
});

it('a reader that leaves while past changes are read stops the reading', async () => {
  const store = await createStore();
  const { host: writer } = openHost(store);
  for (const _ of range(1, 40)) await send(writer, 'POST', '/a');
  const { host } = openHost(store, SILENT, { readSegments: 1, watchCacheChanges: 0 });
  const stream = await watch(host, 0);
  await send(host, 'POST', '/a');
  store.calls['read'] = 0;
  const late = await watch(host, 0);
  await late.next();
  late.end();
  const reads = store.calls['read'];
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(store.calls['read']! - reads).toBeLessThanOrEqual(1);
  stream.end();
});
