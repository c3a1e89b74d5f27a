import { describe, expect, it } from '@jest/globals';
import { ID, SILENT, apiRequest, createStore, openHost, range, RecordingListener } from '../testing.js';

describe('LoadedClusters', () => {
  it('unloads the least recently used first; listeners wait, but nothing that runs is unloaded', async () => {
    const store = await createStore();
    const { host, engines } = openHost(store, SILENT, { loadedClusters: 2, sweepMs: 60_000 });
    for (const id of ['b', 'c', 'd'])
      await store.createCluster({ id, tenantId: 'acme', settings: {}, nodes: 0, createdAt: 0 });
    await host.subscribe(ID, 0, new RecordingListener().listener);
    for (const id of ['b', 'c', 'd', 'c']) {
      await host.request(id, apiRequest('POST', '/a'));
      await new Promise(setImmediate);
    }
    expect([engines.length, host.metrics.evictions]).toEqual([4, 2]);
    expect(host.gauges()).toMatchObject({ loadedClusters: 2, listeners: 1 });
    await host.request('b', apiRequest('GET', '/a'));
    expect([engines.length, host.metrics.evictions]).toEqual([5, 3]);
  });

  it('counts real bytes, and makes room for a cluster that grows', async () => {
    const store = await createStore();
    await store.createCluster({ id: 'b', tenantId: 'acme', settings: {}, nodes: 0, createdAt: 0 });
    const { host } = openHost(store, SILENT, { loadedBytes: 450 * 1024, sweepMs: 60_000 });
    await host.request('b', apiRequest('POST', '/a'));
    await new Promise(setImmediate);
    const before = host.gauges().loadedBytes;
    const name = 'x'.repeat(30_000);
    await host.request(ID, apiRequest('POST', `/${name}`));
    // The object, and its text when it is printed.
    expect(host.gauges().loadedBytes - before).toBeGreaterThan(30_000);
    expect(host.gauges().loadedBytes - before).toBeLessThan(100_000);
    for (const _ of range(1, 3)) await host.request(ID, apiRequest('POST', `/${name}`));
    expect(host.gauges().loadedClusters).toBe(1);
    expect(host.metrics.evictions).toBe(1);
  });

  it('forgets past changes that are too old', async () => {
    const { host } = openHost(await createStore(), SILENT, { watchCacheMs: 1, sweepMs: 20 });
    await host.request(ID, apiRequest('GET', '/a'));
    const before = host.gauges().loadedBytes;
    for (const _ of range(1, 50)) await host.request(ID, apiRequest('POST', '/same'));
    const grown = host.gauges().loadedBytes - before;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(host.gauges().loadedBytes - before).toBeLessThan(grown / 2);
  });
});
