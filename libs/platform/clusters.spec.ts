import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MemoryLogStore } from '@terrarium/store';
import { Clusters } from './clusters.js';
import { Identity, type Caller } from './identity.js';
import { NewCluster, Page } from './nouns.js';
import { parse } from './refusal.js';
import { Templates } from './templates.js';
import { createTenant } from './tenants.js';
import { platformDatabase } from './testing.js';

let platform: Awaited<ReturnType<typeof platformDatabase>>;
let [alice, bob] = [{} as Caller, {} as Caller];
beforeAll(async () => {
  platform = await platformDatabase();
  const identity = new Identity(platform.database);
  const caller = async (tenant: string, maxClusters?: number): Promise<Caller> =>
    identity.caller(`Bearer ${await createTenant(platform.database, { tenant, user: tenant, maxClusters })}`);
  [alice, bob] = [await caller('alice'), await caller('bob', 2)];
}, 60_000);
afterAll(() => platform.close());

let store: MemoryLogStore;
let clusters: Clusters;
beforeEach(() => {
  store = new MemoryLogStore();
  clusters = open();
});

/** As another process opens it. */
function open(): Clusters {
  const host = { deleteCluster: (id: string) => store.deleteCluster(id) };
  return new Clusters(store, host, new Templates(store), platform.database, 'http://localhost:8080');
}
const create = (caller: Caller, name: string, more: object = {}) =>
  clusters.create(caller, parse(NewCluster, { name, speed: 'instant', nodes: 1, ...more }));
const page = (more: object = {}) => parse(Page, more);
const notFound = (id: string) => ({ status: 404, message: `there is no cluster "${id}"` });

describe('a cluster', () => {
  test('is described as it was made', async () => {
    const cluster = await create(alice, 'demo', { seed: 'seven', nodes: [{ name: 'gpu', count: 2 }, { count: 1 }] });
    expect(cluster).toMatchObject({
      name: 'demo',
      template: 'default',
      speed: 'instant',
      seed: 'seven',
      nodes: 3,
      state: 'running',
      server: `http://localhost:8080/clusters/${cluster.id}`,
    });
    expect(cluster.id).toMatch(/^c[0-9a-z]{22}$/);
    expect(await clusters.get(alice, cluster.id)).toEqual(cluster);
  });

  test('has a random seed by default', async () => {
    expect((await create(alice, 'a')).seed).not.toBe((await create(alice, 'b')).seed);
  });

  test('that is halted says why', async () => {
    const { id } = await create(alice, 'demo');
    await store.halt(id, 'assertion failed: bomb');
    expect(await clusters.get(alice, id)).toMatchObject({ state: 'halted', haltedBecause: 'assertion failed: bomb' });
  });

  test('is gone when it is deleted', async () => {
    const { id } = await create(alice, 'demo');
    await clusters.delete(alice, id);
    await expect(clusters.get(alice, id)).rejects.toMatchObject(notFound(id));
    await expect(clusters.delete(alice, id)).rejects.toMatchObject(notFound(id));
    expect([await clusters.owns(alice, id), await clusters.tenantOf(id)]).toEqual([false, '']);
  });

  test('is not there for another tenant', async () => {
    const { id } = await create(alice, 'demo');
    await expect(clusters.get(bob, id)).rejects.toMatchObject(notFound(id));
    await expect(clusters.delete(bob, id)).rejects.toMatchObject(notFound(id));
    expect(await clusters.owns(bob, id)).toBe(false);
    expect((await clusters.list(bob, page())).items).toEqual([]);
    expect(await open().owns(alice, id)).toBe(true);
  });
});

test('lists are in the order of making, page by page', async () => {
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    ids.push((await create(alice, name)).id);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const first = await clusters.list(alice, page({ limit: 2 }));
  expect([first.items.map((c) => c.name), first.nextCursor]).toEqual([['a', 'b'], ids[1]]);
  const last = await clusters.list(alice, page({ limit: 2, cursor: first.nextCursor }));
  expect([last.items.map((c) => c.name), last.nextCursor]).toEqual([['c'], undefined]);
});

test('the quota is the tenant’s, over all processes', async () => {
  const first = await create(bob, 'a');
  await open().create(bob, parse(NewCluster, { name: 'b', speed: 'instant', nodes: 1 }));
  await expect(create(bob, 'c')).rejects.toMatchObject({
    status: 403,
    message: 'the quota of 2 clusters is used up: delete one first',
  });
  await create(alice, 'other');
  await clusters.delete(bob, first.id);
  expect(await create(bob, 'c')).toMatchObject({ name: 'c' });
});
