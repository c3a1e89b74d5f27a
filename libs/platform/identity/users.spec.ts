import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { NewUser, Page } from '../nouns.js';
import { createTenant } from '../tenants/first-tenant.js';
import { Identity } from './identity.js';
import type { KeyPrincipal } from './principal.js';
import { parse } from '../refusal.js';
import { platformDatabase } from '../testing.js';
import { Users } from './users.js';

let platform: Awaited<ReturnType<typeof platformDatabase>>;
let users: Users;
let keys: Record<'alice' | 'ann' | 'bob', string>;
let [alice, bob] = [{} as KeyPrincipal, {} as KeyPrincipal];
const published: (string | undefined)[] = [];
beforeAll(async () => void (platform = await platformDatabase()), 60_000);
afterAll(() => platform.close());
beforeEach(async () => {
  published.length = 0;
  const { database } = platform;
  await database.tenant.deleteMany();
  users = new Users(database, { publish: async (tenantId) => void published.push(tenantId) });
  keys = {
    alice: await createTenant(database, { tenant: 'a', user: 'alice' }),
    ann: await createTenant(database, { tenant: 'a', user: 'ann' }),
    bob: await createTenant(database, { tenant: 'b', user: 'bob' }),
  };
  [alice, bob] = [(await identify('alice'))!, (await identify('bob'))!];
});

const identify = async (name: keyof typeof keys): Promise<KeyPrincipal | undefined> =>
  (await new Identity(platform.database).identify(`Bearer ${keys[name]}`)) as KeyPrincipal | undefined;
const create = (name: string, caller = alice) => users.create(caller, parse(NewUser, { name }));
const list = async (caller: KeyPrincipal, page: object = {}) => users.list(caller, parse(Page, page));
const idOf = async (name: string): Promise<string> =>
  (await platform.database.user.findFirstOrThrow({ where: { name } })).id;

test('a user is made, and is its tenant’s', async () => {
  const jane = await create('jane@example.com');
  expect(jane).toMatchObject({ name: 'jane@example.com', disabled: false });
  expect((await list(alice)).items.map((u) => u.name)).toEqual(['alice', 'ann', 'jane@example.com']);
  expect((await list(alice)).items[2]).toEqual(jane);
  expect((await list(bob)).items.map((u) => u.name)).toEqual(['bob']);
});

test('names are unique in a tenant', async () => {
  await expect(create('ann')).rejects.toMatchObject({ status: 409, message: 'there is a user "ann" already' });
  expect(await create('ann', bob)).toMatchObject({ name: 'ann' });
});

test.each(['', 'a b', '-a', 'x'.repeat(101)])('%.20j is no name', (name) =>
  expect(NewUser.safeParse({ name }).success).toBe(false),
);

test('lists go page by page', async () => {
  const first = await list(alice, { limit: '1' });
  const second = await list(alice, { limit: '1', cursor: first.nextCursor });
  expect([first, second].flatMap(({ items }) => items.map((u) => u.name))).toEqual(['alice', 'ann']);
  expect(second.nextCursor).toBeUndefined();
  await expect(list(alice, { cursor: 'c1' })).rejects.toMatchObject({ status: 400 });
});

describe('a user who is disabled', () => {
  test('is refused until it is enabled', async () => {
    const id = await idOf('ann');
    expect(await users.disable(alice, id)).toMatchObject({ id, disabled: true });
    expect(published).toEqual([alice.tenantId]);
    expect(await identify('ann')).toBeUndefined();
    expect((await list(alice)).items.map((u) => u.disabled)).toEqual([false, true]);
    expect(await users.enable(alice, id)).toMatchObject({ id, disabled: false });
    expect(published).toHaveLength(2);
    expect(await identify('ann')).toMatchObject({ userName: 'ann' });
  });

  test('is not the one who asks', async () => {
    const yourself = { status: 409, message: 'you cannot disable yourself: let another user do it' };
    await expect(users.disable(alice, alice.userId)).rejects.toMatchObject(yourself);
  });
});

describe('a user who is deleted', () => {
  test('is gone with its keys', async () => {
    await users.delete(alice, await idOf('ann'));
    expect(published).toEqual([alice.tenantId]);
    expect(await identify('ann')).toBeUndefined();
    expect((await list(alice)).items.map((u) => u.name)).toEqual(['alice']);
  });

  test('is not the one who asks', async () => {
    const yourself = { status: 409, message: 'you cannot delete yourself: let another user do it' };
    await expect(users.delete(alice, alice.userId)).rejects.toMatchObject(yourself);
  });
});

test.each(['disable', 'enable', 'delete'] as const)('%s: another tenant’s user is not there', async (verb) => {
  for (const id of [await idOf('ann'), 'none', '0c1fa0f5-5f0e-4f9b-9d7b-6a1f6f0c4d11'])
    await expect(users[verb](bob, id)).rejects.toMatchObject({ status: 404, message: `there is no user "${id}"` });
  expect(await identify('ann')).toBeDefined();
  expect(published).toEqual([]);
});
