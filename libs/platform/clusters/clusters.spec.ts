import { LIMITS, Pacer } from '@terrarium/host';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MemoryLogStore } from '@terrarium/store';
import { Clusters } from './clusters.js';
import { ClusterPatch, ClusterQuery, NewCluster, NewClusterBatch } from '../nouns.js';
import type { Caller } from '../identity/principal.js';
import { parse } from '../refusal.js';
import { Templates } from './templates.js';
import { Tenants } from '../tenants/tenants.js';
import { createTenant } from '../tenants/first-tenant.js';
import { identifyKey, platformDatabase } from '../testing.js';

let platform: Awaited<ReturnType<typeof platformDatabase>>;
let [alice, bob] = [{} as Caller, {} as Caller];
beforeAll(async () => {
  platform = await platformDatabase();
  const caller = async (tenant: string, maxClusters?: number): Promise<Caller> =>
    identifyKey(platform.database, await createTenant(platform.database, { tenant, user: tenant, maxClusters }));
  [alice, bob] = [await caller('alice'), await caller('bob', 2)];
}, 60_000);
afterAll(() => platform.close());

let store: MemoryLogStore;
let tenants: Tenants;
let clusters: Clusters;
beforeEach(() => {
  store = new MemoryLogStore();
  tenants = new Tenants(platform.database, store, { publish: async () => undefined });
  clusters = open();
});

/** As another process opens it. */
function open(): Clusters {
  const host = { deleteCluster: (id: string) => store.deleteCluster(id) };
  return new Clusters(store, host, new Templates(store, new Pacer(LIMITS)), tenants, 'http://localhost:8080');
}
const create = (caller: Caller, name: string, more: object = {}) =>
  clusters.create(caller, parse(NewCluster, { name, speed: 'instant', nodes: 1, ...more }));
const page = (more: object = {}) => parse(ClusterQuery, more);
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
    await store.halt(id, 'an error (id 7)');
    expect(await clusters.get(alice, id)).toMatchObject({ state: 'halted', haltedBecause: 'an error (id 7)' });
  });

  test('is gone when it is deleted', async () => {
    const { id } = await create(alice, 'demo');
    await clusters.delete(alice, id);
    await expect(clusters.get(alice, id)).rejects.toMatchObject(notFound(id));
    await expect(clusters.delete(alice, id)).rejects.toMatchObject(notFound(id));
    await expect(clusters.mustOwn(alice, id)).rejects.toMatchObject(notFound(id));
    expect(await clusters.tenantOf(id)).toBe('');
  });

  test('is not there for another tenant', async () => {
    const { id } = await create(alice, 'demo');
    await expect(clusters.get(bob, id)).rejects.toMatchObject(notFound(id));
    await expect(clusters.delete(bob, id)).rejects.toMatchObject(notFound(id));
    await expect(clusters.mustOwn(bob, id)).rejects.toMatchObject(notFound(id));
    expect((await clusters.list(bob, page())).items).toEqual([]);
    await expect(open().mustOwn(alice, id)).resolves.toBeUndefined();
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

const batch = (more: object): NewClusterBatch => parse(NewClusterBatch, more);
const PLAIN = { speed: 'instant', nodes: 1 };

describe('creation in bulk', () => {
  test('numbers the names, and lists them in their order', async () => {
    const items = [
      { name: 'class', count: 12, ...PLAIN },
      { name: 'teacher', ...PLAIN, nodes: 2 },
    ];
    const names = [...Array.from({ length: 12 }, (_, i) => `class-${i + 1}`), 'teacher'];
    const creation = await clusters.createBatch(alice, batch({ items }));
    expect(creation.existed).toBe(false);
    expect(creation.items.map((c) => c.name)).toEqual(names);
    expect((await clusters.list(alice, page())).items).toEqual(creation.items);
    expect(new Set(creation.items.map((c) => c.seed)).size).toBe(13);
  });

  test('creates all or none', async () => {
    await expect(
      clusters.createBatch(bob, batch({ items: [{ name: 'a', count: 3, ...PLAIN }] })),
    ).rejects.toMatchObject({ status: 403, message: 'the quota of 2 clusters is used up: delete one first' });
    expect((await clusters.list(bob, page())).items).toEqual([]);
  });

  test('keeps the quota of nodes', async () => {
    await platform.database.tenant.updateMany({ where: { name: 'bob' }, data: { maxNodes: 5 } });
    await expect(create(bob, 'a', { nodes: 6 })).rejects.toMatchObject({
      status: 403,
      message: 'the quota of 5 nodes is used up: delete a cluster first',
    });
    await create(bob, 'a', { nodes: 5 });
  });

  test('takes few different kinds of clusters', async () => {
    const items = Array.from({ length: 21 }, (_, i) => ({ name: 'a', ...PLAIN, nodes: i }));
    await expect(clusters.createBatch(alice, batch({ items }))).rejects.toMatchObject({
      status: 400,
      message: 'items: must not be more than 20 different kinds of clusters',
    });
  });
});

describe('an Idempotency-Key', () => {
  const items = [{ name: 'a', count: 2, ...PLAIN }];

  test('gives the same clusters a second time', async () => {
    const first = await clusters.createBatch(alice, batch({ items }), 'k1');
    const second = await open().createBatch(alice, batch({ items }), 'k1');
    expect(second).toEqual({ items: first.items, existed: true });
    const other = await clusters.createBatch(alice, batch({ items }), 'k2');
    expect(other.existed).toBe(false);
    expect((await clusters.list(alice, page())).items).toHaveLength(4);
  });

  test('is each tenant’s own', async () => {
    const hers = await clusters.createBatch(alice, batch({ items }), 'k1');
    const his = await clusters.createBatch(bob, batch({ items }), 'k1');
    expect(his.existed).toBe(false);
    expect(his.items.map((c) => c.id)).not.toContain(hers.items[0]!.id);
  });

  test('of another request is refused, and leaves nothing', async () => {
    await clusters.createBatch(alice, batch({ items }), 'k1');
    for (const other of [[{ name: 'b', ...PLAIN }], [{ name: 'a', count: 5, ...PLAIN }], [...items, ...items]])
      await expect(clusters.createBatch(alice, batch({ items: other }), 'k1')).rejects.toMatchObject({
        status: 422,
        message: 'this Idempotency-Key was used for another request',
      });
    expect((await clusters.list(alice, page())).items).toHaveLength(2);
  });

  test('is free again when its cluster is deleted', async () => {
    const one = [{ name: 'a', ...PLAIN }];
    const { items: made } = await clusters.createBatch(alice, batch({ items: one }), 'k1');
    await clusters.delete(alice, made[0]!.id);
    expect((await clusters.createBatch(alice, batch({ items: one }), 'k1')).existed).toBe(false);
  });
});

describe('labels', () => {
  const names = async (labelSelector: string, limit = 100): Promise<string[]> =>
    (await clusters.list(alice, page({ labelSelector, limit }))).items.map((c) => c.name);
  beforeEach(async () => {
    for (const [name, labels] of [
      ['a', { course: 'cka', level: '1' }],
      ['b', { course: 'cka' }],
      ['c', { course: 'ckad', level: '2' }],
      ['d', {}],
    ] as const)
      await clusters.createBatch(alice, batch({ items: [{ name, labels, ...PLAIN }] }));
  });

  test.each([
    ['', ['a', 'b', 'c', 'd']],
    ['course=cka', ['a', 'b']],
    ['course in (cka,ckad),level', ['a', 'c']],
    ['course!=cka', ['c', 'd']],
    ['course=cka,!level', ['b']],
    ['course=none', []],
  ])('%j finds %j', async (selector, expected) => expect((await names(selector)).sort()).toEqual(expected));

  test('that the store cannot look up are found page by page', async () => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const query = page({ labelSelector: 'level', limit: 1, ...(cursor ? { cursor } : {}) });
      const answer = await clusters.list(alice, query);
      expect(answer.items.length).toBeLessThanOrEqual(1);
      found.push(...answer.items.map((c) => c.name));
      cursor = answer.nextCursor;
    } while (cursor);
    expect(found.sort()).toEqual(['a', 'c']);
  });

  test('are changed by a merge patch', async () => {
    const { id } = (await clusters.list(alice, page({ labelSelector: 'level=1' }))).items[0]!;
    const patch = parse(ClusterPatch, { name: 'renamed', labels: { level: null, exam: 'x' } });
    expect(await clusters.update(alice, id, patch)).toMatchObject({
      name: 'renamed',
      labels: { course: 'cka', exam: 'x' },
    });
    expect(await names('exam=x')).toEqual(['renamed']);
  });
});

describe('the end of a cluster', () => {
  test('is told, put off and taken back', async () => {
    const { id, createdAt, expiresAt, idleTimeout } = await create(alice, 'a', { ttl: '2h', idleTimeout: 90 });
    expect(Date.parse(expiresAt!) - Date.parse(createdAt)).toBe(2 * 60 * 60_000);
    expect(idleTimeout).toBe('1m30s');
    const later = await clusters.update(alice, id, parse(ClusterPatch, { ttl: '1d' }));
    expect(Math.abs(Date.parse(later.expiresAt!) - Date.now() - 24 * 60 * 60_000)).toBeLessThan(10_000);
    expect(later.idleTimeout).toBe('1m30s');
    const never = await clusters.update(alice, id, parse(ClusterPatch, { ttl: null, idleTimeout: null }));
    expect(never).not.toHaveProperty('expiresAt');
    expect(never).not.toHaveProperty('idleTimeout');
    expect(never.name).toBe('a');
  });

  test('is not there by default', async () => {
    expect(await create(alice, 'a')).not.toHaveProperty('expiresAt');
  });

  test('is only its tenant’s to change', async () => {
    const { id } = await create(alice, 'a');
    await expect(clusters.update(bob, id, {})).rejects.toMatchObject(notFound(id));
  });
});

test('a template that housekeeping has dropped is made again', async () => {
  await create(alice, 'a');
  const other = new MemoryLogStore();
  Object.assign(store, { createClusters: other.createClusters.bind(other) });
  Object.assign(store, { saveCheckpoint: other.saveCheckpoint.bind(other) });
  expect(await create(alice, 'b')).toMatchObject({ name: 'b' });
});

test('a suspended tenant creates nothing', async () => {
  await platform.database.tenant.updateMany({ where: { name: 'bob' }, data: { suspendedAt: new Date() } });
  await expect(create(bob, 'a')).rejects.toMatchObject({
    status: 403,
    message: 'this tenant is suspended: ask the operator of the service to resume it',
  });
  await platform.database.tenant.updateMany({ where: { name: 'bob' }, data: { suspendedAt: null } });
});

describe('the holder of a token', () => {
  const TOKEN_ONLY = { status: 403, message: 'a token is for one cluster only: send a key' };
  const holderOf = (clusterId: string): Caller => ({
    ...alice,
    kind: 'token',
    tokenId: 't1',
    scope: 'use',
    clusterId,
    expiresAt: Infinity,
    subject: undefined,
  });

  test('reads its cluster, and no other of its tenant', async () => {
    const [own, other] = [await create(alice, 'own'), await create(alice, 'other')];
    const holder = holderOf(own.id);
    expect(await clusters.get(holder, own.id)).toEqual(own);
    await expect(clusters.get(holder, other.id)).rejects.toMatchObject(notFound(other.id));
    await expect(clusters.mustOwn(holder, own.id)).resolves.toBeUndefined();
    await expect(clusters.mustOwn(holder, other.id)).rejects.toMatchObject(notFound(other.id));
  });

  test('creates, lists, changes and deletes none', async () => {
    const { id } = await create(alice, 'own');
    const holder = holderOf(id);
    await expect(create(holder, 'a')).rejects.toMatchObject(TOKEN_ONLY);
    await expect(clusters.list(holder, page())).rejects.toMatchObject(TOKEN_ONLY);
    await expect(clusters.update(holder, id, {})).rejects.toMatchObject(TOKEN_ONLY);
    await expect(clusters.delete(holder, id)).rejects.toMatchObject(TOKEN_ONLY);
  });
});
