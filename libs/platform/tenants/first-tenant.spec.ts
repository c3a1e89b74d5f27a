import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { hashKey } from '../identity/credentials.js';
import { createTenant, ensureFirstTenant } from './first-tenant.js';
import { platformDatabase } from '../testing.js';

let platform: Awaited<ReturnType<typeof platformDatabase>>;
beforeAll(async () => void (platform = await platformDatabase()), 60_000);
afterAll(() => platform.close());
beforeEach(() => platform.database.tenant.deleteMany());

const findKey = (key: string) =>
  platform.database.apiKey.findUnique({ where: { hash: hashKey(key) }, include: { tenant: true, user: true } });

test('a tenant has a user, and a key of which only the hash is kept', async () => {
  const key = await createTenant(platform.database, { tenant: 'acme', user: 'jane', maxClusters: 3 });
  expect(key).toMatch(/^tk_[\w-]{32}$/);
  expect(await findKey(key)).toMatchObject({
    name: 'first',
    revokedAt: null,
    tenant: { name: 'acme', maxClusters: 3 },
    user: { name: 'jane', disabledAt: null },
  });
  const rows = JSON.stringify(await platform.database.apiKey.findMany());
  expect(rows).not.toContain(key);
});

test('a tenant that exists keeps its quota and gets one more key', async () => {
  const first = await createTenant(platform.database, { tenant: 'acme', user: 'jane', maxClusters: 3 });
  const second = await createTenant(platform.database, { tenant: 'acme', user: 'joe', maxClusters: 9 });
  expect((await findKey(second))!.tenant).toMatchObject({ id: (await findKey(first))!.tenantId, maxClusters: 3 });
  expect(await platform.database.user.count()).toBe(2);
});

test('without a quota a tenant may have 100 clusters', async () => {
  const key = await createTenant(platform.database, { tenant: 'acme', user: 'jane' });
  expect((await findKey(key))!.tenant.maxClusters).toBe(100);
});

test('the first tenant gets a key once, and another when the caller has none', async () => {
  const key = await ensureFirstTenant(platform.database, undefined);
  expect(key).toMatch(/^tk_/);
  expect((await findKey(key!))!.tenant.name).toBe('local');
  expect(await ensureFirstTenant(platform.database, undefined)).toBeUndefined();
  expect(await ensureFirstTenant(platform.database, key)).toBe(key);
  expect(await ensureFirstTenant(platform.database, '')).not.toBe(key);
});

test('a key that works is kept; one that is unknown or revoked is replaced', async () => {
  const key = (await ensureFirstTenant(platform.database, ''))!;
  expect(await ensureFirstTenant(platform.database, key)).toBe(key);
  expect(await ensureFirstTenant(platform.database, 'tk_unknown')).not.toBe('tk_unknown');
  await platform.database.apiKey.updateMany({ data: { revokedAt: new Date() } });
  const replaced = await ensureFirstTenant(platform.database, key);
  expect(replaced).not.toBe(key);
  expect((await findKey(replaced!))!.revokedAt).toBeNull();
});
