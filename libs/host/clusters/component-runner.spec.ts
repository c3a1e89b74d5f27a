import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, it } from '@jest/globals';
import type { BodyResponse } from '@terrarium/engine';
import { ID, SILENT, apiRequest, createStore, openHost, range, send } from '../testing.js';

describe('ComponentRunner', () => {
  it('runs the components in slices, each appended, and records what is next', async () => {
    const store = await createStore();
    const { host } = openHost(store, SILENT, { sliceChanges: 4 });
    await Promise.all(range(1, 10).map(() => send(host, 'POST', '/a')));
    expect((await store.cluster(ID))?.nextWake).toBeGreaterThan(0);
    const appends = store.calls['append']!;
    expect(await host.advance(ID)).toEqual({ again: false, nextWake: undefined });
    expect(await send(host, 'GET', '/a')).toMatchObject({ n: 10, seen: 10, revision: 20 });
    expect(store.calls['append']! - appends).toBe(3);
    expect((await store.cluster(ID))?.nextWake).toBeUndefined();
  });

  it('returns when its time is over', async () => {
    const { host } = openHost(await createStore(), SILENT, { sliceChanges: 2, advanceMs: -1 });
    await Promise.all(range(1, 5).map(() => send(host, 'POST', '/a')));
    const turns: boolean[] = [];
    for (let again = true; again; turns.push(again)) ({ again } = await host.advance(ID));
    expect(turns).toEqual([true, true, false]);
  });

  it('measures how late it goes on', async () => {
    let now = 1_000;
    const { host } = openHost(await createStore(), SILENT, { sliceChanges: 2, advanceMs: -1 }, { now: () => now });
    const lags: number[] = [];
    const observe = (name: string, value: number): void => void (name === 'lagMs' && lags.push(value));
    host.metrics.recordWith({ observe, observeReconcile: () => undefined });
    await Promise.all(range(1, 5).map(() => send(host, 'POST', '/a')));
    for (let again = true; again; now += 40) ({ again } = await host.advance(ID));
    await host.advance(ID);
    expect(lags).toEqual([40, 40]);
  });

  it('lets a quiet tenant in between ten clusters that are busy for ever, and the event loop too', async () => {
    const store = await createStore();
    const busy = range(1, 10).map((i) => `busy-${i}`);
    for (const id of busy) await store.createCluster({ id, tenantId: 'flood', settings: {}, nodes: 0, createdAt: 0 });
    const { host } = openHost(store);
    for (const id of busy) await host.request(id, apiRequest('POST', '/busy'));
    const loop = monitorEventLoopDelay({ resolution: 5 });
    loop.enable();
    let isOver = false;
    const running = busy.map(async (id) => {
      while (!isOver) expect(await host.advance(id)).toMatchObject({ again: true });
    });
    const waits: number[] = [];
    for (const _ of range(1, 10)) {
      await send(host, 'POST', '/a');
      const started = performance.now();
      expect(await host.advance(ID)).toMatchObject({ again: false });
      waits.push(performance.now() - started);
    }
    isOver = true;
    loop.disable();
    await Promise.all(running);
    expect(Math.max(...waits)).toBeLessThan(150);
    expect(loop.max / 1e6).toBeLessThan(100);
  });

  it('ends the advance of a busy cluster at once when it is deleted', async () => {
    const store = await createStore();
    const { host } = openHost(store, SILENT, { advanceMs: 60_000 });
    await send(host, 'POST', '/busy');
    const running = host.advance(ID);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await host.deleteCluster(ID);
    const started = performance.now();
    expect(await running).toEqual({ again: false, nextWake: undefined });
    expect(performance.now() - started).toBeLessThan(150);
  });

  it('has nothing to do for a cluster that was deleted', async () => {
    const store = await createStore();
    const { host } = openHost(store);
    await send(host, 'POST', '/a');
    await store.deleteCluster(ID);
    expect(await host.advance(ID)).toEqual({ again: false, nextWake: undefined });
    expect(await host.advance('none')).toEqual({ again: false, nextWake: undefined });
    expect(host.gauges().loadedClusters).toBe(0);
  });

  it('continues in another process where one was killed between run and append', async () => {
    const store = await createStore();
    const { host: api } = openHost(store);
    await Promise.all(range(1, 6).map(() => send(api, 'POST', '/a')));
    const { host: dying } = openHost(store, SILENT, { sliceChanges: 2 });
    let appends = 0;
    store.before = (call) => (call === 'append' && ++appends === 2 ? Promise.reject(new Error('killed')) : undefined);
    await expect(dying.advance(ID)).rejects.toThrow();
    store.before = () => undefined;
    await openHost(store).host.advance(ID);
    expect(await send(api, 'GET', '/a')).toMatchObject({ n: 6, seen: 6, revision: 12 });
  });

  it('halts only the cluster that breaks an assertion, which still answers', async () => {
    const store = await createStore();
    await store.createCluster({ id: 'other', tenantId: 'acme', settings: {}, nodes: 0, createdAt: 0 });
    const errors: unknown[] = [];
    const { host } = openHost(store, SILENT, {}, { onError: (e) => errors.push(e) });
    await send(host, 'POST', '/bomb');
    await host.request('other', apiRequest('POST', '/a'));
    expect(await host.advance(ID)).toEqual({ again: false, nextWake: undefined });
    const [, errorId] = /^the simulation of this cluster stopped on an internal error \(id ([0-9a-f-]{36})\)$/.exec(
      (await store.cluster(ID))!.halted!,
    )!;
    expect(errors.map(String)).toEqual([
      `Error: error ${errorId} has halted the cluster: Error: assertion failed: bomb`,
    ]);
    expect(await host.advance(ID)).toMatchObject({ again: false });
    expect(await store.overdue(Infinity, 10)).toEqual(['other']);
    expect(await send(host, 'GET', '/bomb')).toMatchObject({ n: 1 });
    await host.advance('other');
    expect(((await host.request('other', apiRequest('GET', '/a'))) as BodyResponse).body).toContain('"seen":1');
    await host.resume(ID);
    await host.advance(ID);
    expect(host.metrics.halted).toBe(2);
  });
});
