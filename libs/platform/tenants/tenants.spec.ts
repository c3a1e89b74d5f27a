import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MemoryLogStore } from '@terrarium/store';
import { Identity } from '../identity/identity.js';
import { LimitsPatch, NewTenant, Page } from '../nouns.js';
import { parse } from '../refusal.js';
import { Tenants } from './tenants.js';
import { platformDatabase } from '../testing.js';

const GIB = 1024 ** 3;
const DEFAULTS = { clusters: 100, nodes: 1_000, bytes: 4 * GIB, clusterBytes: 128 * 1024 ** 2 };

let platform: Awaited<ReturnType<typeof platformDatabase>>;
let store: MemoryLogStore;
let tenants: Tenants;
const published: (string | undefined)[] = [];
beforeAll(async () => void (platform = await platformDatabase()), 60_000);
afterAll(() => platform.close());
beforeEach(async () => {
  published.length = 0;
  await platform.database.tenant.deleteMany();
  store = new MemoryLogStore();
  tenants = open();
});

const open = (): Tenants =>
  new Tenants(platform.database, store, { publish: async (tenantId) => void published.push(tenantId) });
const create = (body: object) => tenants.create(parse(NewTenant, body));
const unknown = (id: string) => ({ status: 404, message: `there is no tenant "${id}"` });
const createCluster = (id: string, tenantId: string) =>
  store.createCluster({ id, tenantId, settings: {}, nodes: 3, createdAt: 0 });

describe('a tenant', () => {
  test('has a user, whose key manages', async () => {
    const { key, ...tenant } = await create({ name: 'acme', user: 'jane' });
    expect(tenant).toMatchObject({ name: 'acme', suspended: false, limits: DEFAULTS });
    expect(await new Identity(platform.database).identify(`Bearer ${key}`)).toMatchObject({
      tenantId: tenant.id,
      userName: 'jane',
      scope: 'manage',
    });
    expect(await tenants.get(tenant.id)).toEqual({ ...tenant, used: { clusters: 0, nodes: 0, bytes: 0 } });
    expect((await tenants.list(parse(Page, {}))).items).toEqual([tenant]);
  });

  test('has a name of its own', async () => {
    await create({ name: 'acme' });
    await expect(create({ name: 'acme' })).rejects.toMatchObject({
      status: 409,
      message: 'there is a tenant "acme" already',
    });
    expect(await platform.database.user.count()).toBe(1);
  });

  test('is read with what it uses', async () => {
    const { id } = await create({ name: 'acme' });
    await createCluster('c1', id);
    await createCluster('c2', 'another');
    expect((await tenants.get(id)).used).toMatchObject({ clusters: 1, nodes: 3 });
    expect(await tenants.usage(id)).toMatchObject({ limits: DEFAULTS, used: { clusters: 1, nodes: 3 } });
  });

  test('gets another key from the operator, unless all its users are disabled', async () => {
    const { id } = await create({ name: 'acme', user: 'jane' });
    const { key } = await tenants.createKey(id);
    expect(await new Identity(platform.database).identify(`Bearer ${key}`)).toMatchObject({ userName: 'jane' });
    await platform.database.user.updateMany({ data: { disabledAt: new Date() } });
    await expect(tenants.createKey(id)).rejects.toMatchObject({
      status: 409,
      message: 'this tenant has no user that is not disabled',
    });
  });
});

test('lists go page by page, oldest first', async () => {
  for (const name of ['a', 'b', 'c']) await create({ name });
  const first = await tenants.list(parse(Page, { limit: 2 }));
  const second = await tenants.list(parse(Page, { limit: 2, cursor: first.nextCursor }));
  expect([first, second].map(({ items }) => items.map((t) => t.name))).toEqual([['a', 'b'], ['c']]);
});

describe('limits', () => {
  test('are given at the beginning or later, each by itself', async () => {
    const { id, limits } = await create({ name: 'acme', limits: { clusters: 3, requestsPerSecond: 50 } });
    expect(limits).toEqual({ ...DEFAULTS, clusters: 3, requestsPerSecond: 50 });
    expect(await tenants.limit(id, parse(LimitsPatch, { bytes: 8 * GIB, clusterBytes: GIB }))).toMatchObject({
      limits: { ...limits, bytes: 8 * GIB, clusterBytes: GIB },
    });
    const unlimited = await tenants.limit(id, parse(LimitsPatch, { requestsPerSecond: null }));
    expect(unlimited.limits).not.toHaveProperty('requestsPerSecond');
    expect(published).toEqual([id, id]);
  });

  test('hold from a cache, until they are forgotten', async () => {
    const { id } = await create({ name: 'acme' });
    const other = open();
    expect(await other.limits(id)).toEqual({ suspended: false, ...DEFAULTS });
    await tenants.limit(id, { clusters: 5 });
    expect(await other.limits(id)).toMatchObject({ clusters: 100 });
    other.forget('another');
    expect(await other.limits(id)).toMatchObject({ clusters: 100 });
    other.forget(id);
    expect(await other.limits(id)).toMatchObject({ clusters: 5 });
    await tenants.limit(id, { clusters: 6 });
    other.forget();
    expect(await other.limits(id)).toMatchObject({ clusters: 6 });
  });

  test('that were read before they changed, and came later, are not kept', async () => {
    const { id } = await create({ name: 'acme' });
    const reading = tenants.limits(id);
    tenants.forget(id);
    await reading;
    await platform.database.tenant.update({ where: { id }, data: { maxClusters: 7 } });
    expect(await tenants.limits(id)).toMatchObject({ clusters: 7 });
  });

  test.each(['none', '0c1fa0f5-5f0e-4f9b-9d7b-6a1f6f0c4d11'])(
    'of %s, which does not exist, allow nothing',
    async (id) => {
      expect(await tenants.limits(id)).toEqual({ suspended: true, clusters: 0, nodes: 0, bytes: 0, clusterBytes: 0 });
    },
  );

  test.each([
    { clusters: -1 },
    { clusters: 1.5 },
    { bytes: '1Gi' },
    { requestsPerSecond: 0 },
    { cpu: 1 },
    { nodes: 1e12 },
  ])('%j are refused', (limits) => expect(LimitsPatch.safeParse(limits).success).toBe(false));
});

test('a suspended tenant stands still until it is resumed', async () => {
  const { id } = await create({ name: 'acme' });
  await store.createCluster({ id: 'c1', tenantId: id, settings: {}, nodes: 0, createdAt: 0, nextWake: 1 });
  expect(await tenants.suspend(id)).toMatchObject({ suspended: true });
  tenants.forget(id);
  expect(await tenants.limits(id)).toMatchObject({ suspended: true, clusters: 100 });
  expect(await store.overdue(10, 10)).toEqual([]);
  expect(await tenants.resume(id)).toMatchObject({ suspended: false });
  expect(await store.overdue(10, 10)).toEqual(['c1']);
  expect(published).toEqual([id, id]);
});

describe('a deleted tenant', () => {
  test('is gone with its clusters, users and keys', async () => {
    const { id, key } = await create({ name: 'acme' });
    const { id: other } = await create({ name: 'other' });
    for (let i = 0; i < 20; i++) await createCluster(`c${i}`, id);
    await createCluster('kept', other);
    await tenants.delete(id, store);
    expect(await store.usage(id)).toMatchObject({ clusters: 0 });
    expect(await store.cluster('kept')).toBeDefined();
    expect(await new Identity(platform.database).identify(`Bearer ${key}`)).toBeUndefined();
    await expect(tenants.get(id)).rejects.toMatchObject(unknown(id));
    expect(published.at(-1)).toBe(id);
  });

  test('can be deleted again after a failure', async () => {
    const { id } = await create({ name: 'acme' });
    await createCluster('c1', id);
    const broken = { deleteCluster: () => Promise.reject(new Error('connection refused')) };
    await expect(tenants.delete(id, broken)).rejects.toThrow('connection refused');
    expect(await tenants.get(id)).toMatchObject({ suspended: true, used: { clusters: 1 } });
    await tenants.delete(id, store);
    await expect(tenants.get(id)).rejects.toMatchObject(unknown(id));
  });
});

test.each(['none', '0c1fa0f5-5f0e-4f9b-9d7b-6a1f6f0c4d11'])('a tenant %s is not there', async (id) => {
  const calls = [
    tenants.get(id),
    tenants.usage(id),
    tenants.limit(id, {}),
    tenants.suspend(id),
    tenants.resume(id),
    tenants.createKey(id),
    tenants.delete(id, store),
  ];
  for (const call of calls) await expect(call).rejects.toMatchObject(unknown(id));
});
