import { describe, expect, it } from '@jest/globals';
import { MemoryAnnouncements, encodeCheckpoint } from './index.js';
import {
  ID,
  SILENT,
  apiRequest,
  createStore,
  headOf,
  openHost,
  range,
  RecordingListener,
  send,
  waitUntil,
} from './testing.js';

describe('ClusterHost', () => {
  it('answers a request when its changes are in the store', async () => {
    const store = await createStore();
    const { host } = openHost(store);
    expect(await send(host, 'POST', '/a')).toEqual({ n: 1, seen: 0, revision: 1, status: 200 });
    expect(await headOf(store)).toBe(1);
    expect(await send(host, 'GET', '/a')).toMatchObject({ n: 1 });
  });

  it('reads what any other process has written before', async () => {
    const store = await createStore();
    const [{ host: one }, { host: other }] = [openHost(store), openHost(store)];
    await send(other, 'GET', '/a');
    await send(one, 'POST', '/a');
    expect(await send(other, 'GET', '/a')).toMatchObject({ n: 1 });
  });

  it('shares head checks among reads', async () => {
    const store = await createStore();
    const { host } = openHost(store);
    await send(host, 'GET', '/a');
    store.calls['heads'] = 0;
    await Promise.all(range(1, 50).map(() => send(host, 'GET', '/a')));
    expect(store.calls['heads']).toBeLessThanOrEqual(2);
  });

  it('answers 404 for a cluster that does not exist', async () => {
    const { host } = openHost(await createStore());
    expect(await host.request('none', apiRequest('GET', '/a'))).toMatchObject({ status: 404 });
  });

  it('cuts off old logs behind a checkpoint', async () => {
    const store = await createStore();
    const { host } = openHost(store, SILENT, { retentionMs: -60_000 });
    for (const _ of range(1, 3)) await send(host, 'POST', '/a');
    await store.saveCheckpoint(ID, 2, await encodeCheckpoint({ revision: 2, now: 0, objects: [] }));
    expect([await host.compact(10), await host.compact(10), await store.oldestRetained(ID)]).toEqual([1, 0, 2]);
    expect(host.gauges()).toMatchObject({ loadedClusters: 1, listeners: 0 });
  });

  it.each([1, 2, 3, 4, 5])('seed %i: no acknowledged write is lost, none is done twice, all agree', async (seed) => {
    const store = await createStore();
    const hub = new MemoryAnnouncements();
    let state = seed;
    const chance = (p: number): boolean => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 < p;
    const pause = () => new Promise<void>((resolve) => (chance(0.5) ? setImmediate(resolve) : setTimeout(resolve, 1)));
    const all = [1, 2, 3].map(
      () =>
        openHost(store, hub.announcer(), { sliceChanges: 3, watchCacheChanges: 5, tailChanges: 20, readSegments: 3 })
          .host,
    );
    const heard = new RecordingListener();
    await all[0]!.subscribe(ID, 0, heard.listener);
    let calm = false;
    const shaky = async () => {
      await pause();
      if (!calm && chance(0.1)) throw new Error('connection lost');
    };
    store.before = shaky;
    store.after = shaky;
    const answers: Record<string, unknown>[] = [];
    await Promise.all([
      ...all.map(async (host) => {
        for (let i = 0; i < 40; i++) answers.push(await send(host, 'POST', `/${i % 3}`));
      }),
      (async () => {
        for (let i = 0; i < 40; i++) await all[2]!.advance(ID).catch(() => undefined);
      })(),
    ]);
    calm = true;
    await all[1]!.advance(ID);
    const last = (await headOf(store))!;
    const final = await Promise.all(
      all.map((host) => Promise.all(['/0', '/1', '/2'].map((name) => send(host, 'GET', name)))),
    );
    expect(final[1]).toEqual(final[0]);
    expect(final[2]).toEqual(final[0]);
    const sum = final[0]!.reduce((n, c) => n + Number(c['n']), 0);
    const acknowledged = answers.filter((a) => a['status'] === 200);
    // Each acknowledged POST has a revision of its own.
    expect(new Set(acknowledged.map((a) => a['revision'])).size).toBe(acknowledged.length);
    expect(sum).toBeGreaterThanOrEqual(acknowledged.length);
    expect(sum).toBeLessThanOrEqual(answers.length);
    expect(final[0]!.every((c) => c['seen'] === c['n'])).toBe(true);
    expect(last).toBe(2 * sum);
    await waitUntil(() => heard.changes.length >= last || heard.ends.length > 0);
    expect(heard).toMatchObject({ ends: [] });
    expect(heard.revisions).toEqual(range(1, last));
  });
});
