import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { forTenant } from './database.js';
import { platformDatabase } from './testing.js';

let platform: Awaited<ReturnType<typeof platformDatabase>>;
const ids: Record<string, string> = {};
beforeAll(async () => void (platform = await platformDatabase()), 60_000);
afterAll(() => platform.close());

beforeEach(async () => {
  const { database } = platform;
  await database.tenant.deleteMany();
  for (const name of ['acme', 'other']) {
    const { id } = await database.tenant.create({ data: { name } });
    const user = await database.user.create({ data: { tenantId: id, name: `${name}'s user` } });
    const key = { tenantId: id, userId: user.id, name: `${name}'s key`, hash: name };
    const { id: keyId } = await database.apiKey.create({ data: key });
    const token = {
      tenantId: id,
      userId: user.id,
      keyId,
      clusterId: 'c',
      scope: 'use',
      expiresAt: new Date(0),
    } as const;
    await database.accessToken.create({ data: { ...token, subject: name } });
    ids[name] = id;
    ids[`user of ${name}`] = user.id;
  }
});

const tables = (tenant: string) => forTenant(platform.database, ids[tenant] ?? tenant);

describe.each(['acme', 'other'])('as tenant %s', (tenant) => {
  test('queries without a filter see its rows only', async () => {
    expect((await tables(tenant).tenant.findMany()).map(({ name }) => name)).toEqual([tenant]);
    expect((await tables(tenant).user.findMany()).map(({ name }) => name)).toEqual([`${tenant}'s user`]);
    expect((await tables(tenant).apiKey.findMany()).map(({ name }) => name)).toEqual([`${tenant}'s key`]);
    expect((await tables(tenant).accessToken.findMany()).map(({ subject }) => subject)).toEqual([tenant]);
    expect(await tables(tenant).user.count()).toBe(1);
  });

  test('changes without a filter reach its rows only', async () => {
    const other = tenant === 'acme' ? 'other' : 'acme';
    expect(await tables(tenant).apiKey.updateMany({ data: { revokedAt: new Date() } })).toEqual({ count: 1 });
    expect((await tables(other).apiKey.findFirstOrThrow()).revokedAt).toBeNull();
    expect(await tables(tenant).accessToken.deleteMany()).toEqual({ count: 1 });
    expect(await tables(other).accessToken.count()).toBe(1);
  });
});

test('a row of another tenant can be neither made nor given away', async () => {
  const data = { tenantId: ids['other']!, name: 'intruder' };
  await expect(tables('acme').user.create({ data })).rejects.toThrow(/row-level security/);
  const moved = tables('acme').user.updateMany({ data: { tenantId: ids['other'] } });
  await expect(moved).rejects.toThrow(/row-level security/);
  expect(await platform.database.user.count({ where: { tenantId: ids['other'] } })).toBe(1);
});

test('a tenant does not change its own limits, nor see what signs tokens', async () => {
  await expect(tables('acme').tenant.updateMany({ data: { maxClusters: 9 } })).rejects.toThrow(/permission denied/);
  const all = forTenant(platform.database, ids['acme']!) as typeof platform.database;
  await expect(all.signingKey.findMany()).rejects.toThrow(/permission denied/);
  await expect(all.operatorKey.findMany()).rejects.toThrow(/permission denied/);
});

test.each(['00000000-0000-0000-0000-000000000000', ''])('the tenant %j sees nothing', async (id) => {
  const none = forTenant(platform.database, id);
  expect([await none.user.count(), await none.apiKey.count(), await none.accessToken.count()]).toEqual([0, 0, 0]);
});

test('raw SQL in the role of tenants sees nothing when no tenant is named', async () => {
  const [, keys] = await platform.database.$transaction([
    platform.database.$executeRaw`set local role terrarium_tenant`,
    platform.database.$queryRaw`select * from platform.api_key`,
  ]);
  expect(keys).toEqual([]);
});

test('other queries of the process are no tenant’s, also while a tenant’s are under way', async () => {
  const counts = await Promise.all(
    Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? tables('acme').user.count() : platform.database.user.count())),
  );
  expect(counts).toEqual(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 1 : 2)));
});
