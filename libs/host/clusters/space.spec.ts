import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Cluster, type ApiRequest, type BodyResponse } from '@terrarium/engine';
import { catalog } from '@terrarium/containers';
import { type MemoryLogStore } from '@terrarium/store';
import type { ClusterHost, HostOptions, Limits, TenantLimits } from '../index.js';
import { ID, SILENT, createStore, openHost, waitUntil } from '../testing.js';

const KIB = 1024;
const EXCEEDED = { status: 413, message: 'etcdserver: mvcc: database space exceeded' };

const openRealHost = (store: MemoryLogStore, limits: Partial<Limits>, more: Partial<HostOptions> = {}): ClusterHost =>
  openHost(store, SILENT, limits, {
    loadEngine: (row) => new Cluster({ seed: row.id, images: catalog, runs: false }),
    ...more,
  }).host;

async function send(host: ClusterHost, method: string, path: string, body?: object) {
  const request: ApiRequest = {
    method,
    path,
    query: '',
    headers: { 'content-type': 'application/json' },
    user: { name: 'admin', groups: ['system:masters'] },
    body: body && Buffer.from(JSON.stringify(body)),
  };
  const response = (await host.request(ID, request)) as BodyResponse;
  const { message } = JSON.parse(response.body as string) as { message?: string };
  return { status: response.status, message };
}

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
/** Does not shrink in the log. */
const configMap = (name: string, bytes: number) => ({
  metadata: { name },
  data: { text: randomBytes(bytes).toString('base64').slice(0, bytes) },
});

const createNamespace = (host: ClusterHost) =>
  send(host, 'POST', '/api/v1/namespaces', { metadata: { name: 'default' } });

describe('Space', () => {
  it('refuses writes at the quota, serves reads and deletions, and has space again when objects are deleted', async () => {
    const store = await createStore();
    let now = 0;
    const host = openRealHost(store, { clusterBytes: 2_000 * KIB }, { now: () => now });
    await createNamespace(host);
    const names: string[] = [];
    for (let i = 0; i < 50; i++) {
      const answer = await send(host, 'POST', CONFIG_MAPS, configMap(`c${i}`, 100 * KIB));
      if (answer.status !== 201) break;
      names.push(`c${i}`);
    }
    // Each counts as an object and, until the log is compacted, as a change.
    expect(names.length).toBeGreaterThanOrEqual(9);
    expect(names.length).toBeLessThanOrEqual(12);
    expect(await send(host, 'PUT', `${CONFIG_MAPS}/c0`, configMap('c0', 10))).toEqual(EXCEEDED);
    expect(host.metrics.refusals().get('space')).toBe(2);
    expect(await send(host, 'GET', `${CONFIG_MAPS}/c0`)).toMatchObject({ status: 200 });
    for (const name of names.slice(0, 5))
      expect(await send(host, 'DELETE', `${CONFIG_MAPS}/${name}`)).toMatchObject({ status: 200 });
    now += 10_000;
    expect(await send(host, 'POST', CONFIG_MAPS, configMap('again', 100 * KIB))).toMatchObject({ status: 201 });
  });

  it('compacts the log before the quota is reached, so that one object can be written for ever', async () => {
    const store = await createStore();
    let now = 0;
    const host = openRealHost(store, { clusterBytes: 2_000 * KIB }, { now: () => (now += 10) });
    await createNamespace(host);
    await send(host, 'POST', CONFIG_MAPS, configMap('a', 100 * KIB));
    for (let i = 0; i < 60; i++) {
      const answer = await send(host, 'PUT', `${CONFIG_MAPS}/a`, configMap('a', 100 * KIB));
      expect(answer).toMatchObject({ status: 200 });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(host.metrics.checkpoints).toBeGreaterThan(1);
    await waitUntil(() => host.gauges().loadedClusters === 1);
    expect((await store.cluster(ID))!.bytes).toBeLessThan(2_000 * KIB);
  });

  it("holds a tenant's clusters together, by the limits that it is given", async () => {
    const store = await createStore();
    await store.createCluster({ id: 'other', tenantId: 'acme', settings: {}, nodes: 0, createdAt: 0 });
    let now = 0;
    const limits: TenantLimits = { suspended: false, clusters: 10, nodes: 10, bytes: 100 * KIB, clusterBytes: 1e9 };
    const asked: string[] = [];
    const tenantLimits = (tenantId: string) => (asked.push(tenantId), Promise.resolve(limits));
    const host = openRealHost(store, {}, { now: () => now, tenantLimits });
    await createNamespace(host);
    const encoded = new Uint8Array(200 * KIB);
    await store.append('other', { expected: 0, first: 1, last: 1, at: 0, changes: encoded });
    expect(await send(host, 'POST', CONFIG_MAPS, configMap('a', 10))).toMatchObject({ status: 201 });
    now += 10_000;
    expect(await send(host, 'POST', CONFIG_MAPS, configMap('b', 10))).toEqual(EXCEEDED);
    await store.deleteCluster('other');
    now += 1_000;
    expect(await send(host, 'POST', CONFIG_MAPS, configMap('b', 10))).toMatchObject({ status: 201 });
    expect(asked).toEqual(['acme', 'acme', 'acme']);
  });

  it("refuses at the tenant's limit of a cluster, if it has one", async () => {
    const store = await createStore();
    const limits: TenantLimits = { suspended: false, clusters: 1, nodes: 1, bytes: 1e9, clusterBytes: 100 * KIB };
    const host = openRealHost(store, { clusterBytes: 10 }, { tenantLimits: () => limits, now: () => 0 });
    await createNamespace(host);
    expect(await send(host, 'POST', CONFIG_MAPS, configMap('a', 100 * KIB))).toMatchObject({ status: 201 });
    expect(await send(host, 'POST', CONFIG_MAPS, configMap('b', 10))).toEqual(EXCEEDED);
  });
});
