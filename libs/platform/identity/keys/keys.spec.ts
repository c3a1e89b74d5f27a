import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { NewKey, Page } from '../../nouns.js';
import { createTenant } from '../../tenants/first-tenant.js';
import { Identity } from '../identity.js';
import { Keys } from './keys.js';
import type { KeyPrincipal } from '../principal.js';
import { parse } from '../../refusal.js';
import { platformDatabase } from '../../testing.js';

const HOUR_MS = 60 * 60_000;

let platform: Awaited<ReturnType<typeof platformDatabase>>;
let keys: Keys;
let [alice, bob] = [{} as KeyPrincipal, {} as KeyPrincipal];
const published: (string | undefined)[] = [];
beforeAll(async () => void (platform = await platformDatabase()), 60_000);
afterAll(() => platform.close());
beforeEach(async () => {
  published.length = 0;
  const { database } = platform;
  await database.tenant.deleteMany();
  keys = new Keys(database, { publish: async (tenantId) => void published.push(tenantId) });
  alice = (await identify(await createTenant(database, { tenant: 'a', user: 'alice' })))!;
  bob = (await identify(await createTenant(database, { tenant: 'b', user: 'bob' })))!;
});

const identify = async (key: string): Promise<KeyPrincipal | undefined> =>
  (await new Identity(platform.database).identify(`Bearer ${key}`)) as KeyPrincipal | undefined;
const create = (body: object, caller = alice) => keys.create(caller, parse(NewKey, { name: 'ci', ...body }));
const list = async (caller: KeyPrincipal) => (await keys.list(caller, parse(Page, {}))).items;

describe('a key', () => {
  test('is told once, and listed without itself', async () => {
    const { key, ...described } = await create({ scope: 'read', ttl: '2h' });
    expect(described).toMatchObject({ name: 'ci', scope: 'read', userId: alice.userId });
    expect(Math.abs(Date.parse(described.expiresAt!) - Date.now() - 2 * HOUR_MS)).toBeLessThan(10_000);
    const listed = await list(alice);
    expect(listed.map((k) => [k.name, k.scope])).toEqual([
      ['first', 'manage'],
      ['ci', 'read'],
    ]);
    expect(listed[1]).toEqual(described);
    expect(JSON.stringify([listed, await platform.database.apiKey.findMany()])).not.toContain(key);
    expect(await identify(key)).toMatchObject({ userId: alice.userId, scope: 'read', keyId: described.id });
    expect((await list(alice))[1]).toHaveProperty('lastUsedAt');
  });

  test('may use clusters and has no end by default', async () => {
    const { scope, ...rest } = await create({});
    expect(scope).toBe('use');
    expect(rest).not.toHaveProperty('expiresAt');
  });

  test('can be another user’s of the tenant, and no other', async () => {
    const { id } = await platform.database.user.create({ data: { tenantId: alice.tenantId, name: 'ann' } });
    expect(await identify((await create({ userId: id })).key)).toMatchObject({ userName: 'ann' });
    for (const userId of [bob.userId, 'none'])
      await expect(create({ userId })).rejects.toMatchObject({
        status: 404,
        message: `there is no user "${userId}"`,
      });
  });

  test('is not mightier than the one that makes it', async () => {
    const caller = { ...alice, scope: 'use' } as const;
    await expect(create({ scope: 'manage' }, caller)).rejects.toMatchObject({
      status: 403,
      message: 'a key of the scope "use" cannot make one of the scope "manage"',
    });
    expect(await create({ scope: 'read' }, caller)).toMatchObject({ scope: 'read' });
  });

  test('is revoked at once, by its own tenant only', async () => {
    const { id, key } = await create({});
    const unknown = { status: 404, message: `there is no key "${id}"` };
    await expect(keys.revoke(bob, id)).rejects.toMatchObject(unknown);
    expect(await identify(key)).toBeDefined();
    expect(published).toEqual([]);
    await keys.revoke(alice, id);
    expect(published).toEqual([alice.tenantId]);
    expect(await identify(key)).toBeUndefined();
    expect(await list(alice)).toHaveLength(1);
    await expect(keys.revoke(alice, id)).rejects.toMatchObject(unknown);
    await expect(keys.revoke(alice, 'none')).rejects.toMatchObject({ status: 404 });
  });
});

test.each<[object, string]>([
  [{}, 'name'],
  [{ name: 'a', scope: 'operate' }, 'scope'],
  [{ name: 'a', ttl: '1s' }, 'ttl'],
  [{ name: 'a', key: 'mine' }, 'key'],
])('%j is refused for its %s', (body, field) =>
  expect(JSON.stringify(NewKey.safeParse(body).error?.issues)).toContain(field),
);
