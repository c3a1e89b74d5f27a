import { describe, expect, it } from '@jest/globals';
import { ID, SILENT, apiRequest, createStore, openHost, RecordingListener } from '../testing.js';

describe('LoadedClusters', () => {
  it('unloads the least recently used first, but none that has listeners', async () => {
    const store = await createStore();
    const { host, engines } = openHost(store, SILENT, { loadedClusters: 2 });
    for (const id of ['b', 'c', 'd']) await store.createCluster({ id, tenantId: 'acme', settings: {}, createdAt: 0 });
    await host.subscribe(ID, 0, new RecordingListener().listener);
    for (const id of ['b', 'c', 'd', ID]) {
      await host.request(id, apiRequest('POST', '/a'));
      await new Promise(setImmediate);
    }
    expect(engines).toHaveLength(4);
    await host.request('b', apiRequest('GET', '/a'));
    expect([engines.length, host.metrics.evictions]).toEqual([5, 3]);
  });
});
