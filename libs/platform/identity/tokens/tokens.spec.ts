import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { NewToken, Page } from '../../nouns.js';
import { hashKey } from '../credentials.js';
import { createTenant } from '../../tenants/first-tenant.js';
import { Identity } from '../identity.js';
import type { KeyPrincipal, TokenPrincipal } from '../principal.js';
import { parse } from '../../refusal.js';
import { identifyKey, platformDatabase } from '../../testing.js';
import { TokenSigner } from './token-signer.js';
import { Tokens } from './tokens.js';

const DAY_MS = 24 * 60 * 60_000;

let platform: Awaited<ReturnType<typeof platformDatabase>>;
let identity: Identity;
let tokens: Tokens;
const published: (string | undefined)[] = [];
const callers: Record<string, KeyPrincipal> = {};
beforeAll(async () => {
  platform = await platformDatabase();
  const signer = new TokenSigner(platform.database);
  identity = new Identity(platform.database, { signer });
  const publish = async (tenantId?: string): Promise<void> => void published.push(tenantId);
  tokens = new Tokens(platform.database, signer, { publish }, 100 * DAY_MS);
  for (const name of ['alice', 'bob', 'reader', 'user']) {
    const key = await createTenant(platform.database, { tenant: name === 'bob' ? 'b' : 'a', user: name });
    if (name === 'reader' || name === 'user')
      await platform.database.apiKey.update({
        where: { hash: hashKey(key) },
        data: { scope: name === 'reader' ? 'read' : 'use' },
      });
    callers[name] = await identifyKey(platform.database, key);
  }
}, 60_000);
afterAll(() => platform.close());
beforeEach(async () => {
  published.length = 0;
  await platform.database.accessToken.deleteMany();
});

const create = (body: object = {}, caller = callers['alice']!, cluster = 'c1') =>
  tokens.create(caller, cluster, parse(NewToken, body));
const list = (caller = callers['alice']!, cluster = 'c1') => tokens.list(caller, cluster, parse(Page, {}));
const identify = (token: string) => identity.identify(`Bearer ${token}`);

describe('a token', () => {
  test('is described, and told once', async () => {
    const before = Date.now();
    const { token, ...described } = await create({ scope: 'use', ttl: '5m', user: 'jane', groups: ['dev'] });
    const { userId, keyId } = callers['alice']!;
    expect(described).toMatchObject({
      clusterId: 'c1',
      scope: 'use',
      user: 'jane',
      groups: ['dev'],
      createdBy: userId,
      keyId,
    });
    expect(Math.abs(Date.parse(described.expiresAt) - before - 5 * 60_000)).toBeLessThan(5_000);
    expect((await list()).items).toEqual([described]);
    expect(JSON.stringify(await platform.database.accessToken.findMany())).not.toContain(token);
    expect(await identify(token)).toMatchObject({ tokenId: described.id });
  });

  test('reads for an hour by default, as the administrator', async () => {
    const { token, ...described } = await create();
    expect(described).toMatchObject({ scope: 'read', groups: [] });
    expect(Math.round((Date.parse(described.expiresAt) - Date.now()) / 60_000)).toBe(60);
    expect(await identify(token)).not.toHaveProperty('subject');
  });

  test('ends with the key that it is made with', async () => {
    const { keyId } = callers['user']!;
    const expiresAt = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 60_000);
    await platform.database.apiKey.update({ where: { id: keyId }, data: { expiresAt } });
    expect((await create({}, callers['user']!)).expiresAt).toBe(expiresAt.toISOString());
    const kubeconfig = await tokens.ensure(callers['user']!, 'c1');
    expect(await identify(kubeconfig)).toMatchObject({ expiresAt: expiresAt.getTime() });
    expect(await tokens.ensure(callers['user']!, 'c1')).toBe(kubeconfig);
    await platform.database.apiKey.update({ where: { id: keyId }, data: { expiresAt: null } });
  });

  test('is revoked at once, by its own tenant and cluster only', async () => {
    const { id, token } = await create();
    const unknown = { status: 404, message: `there is no token "${id}" of this cluster` };
    await expect(tokens.revoke(callers['bob']!, 'c1', id)).rejects.toMatchObject(unknown);
    await expect(tokens.revoke(callers['alice']!, 'c2', id)).rejects.toMatchObject(unknown);
    expect(await identify(token)).toBeDefined();
    await tokens.revoke(callers['alice']!, 'c1', id);
    expect(published).toEqual([callers['alice']!.tenantId]);
    identity.forget(callers['alice']!.tenantId);
    expect(await identify(token)).toBeUndefined();
    expect((await list()).items).toEqual([]);
    await expect(tokens.revoke(callers['alice']!, 'c1', id)).rejects.toMatchObject(unknown);
    await expect(tokens.revoke(callers['alice']!, 'c1', 'none')).rejects.toMatchObject({ status: 404 });
  });

  test('makes no tokens', async () => {
    const { token } = await create({ scope: 'use' });
    const holder = (await identify(token)) as TokenPrincipal;
    const refusal = { status: 403, message: 'a token cannot make tokens: send a key' };
    await expect(tokens.create(holder, 'c1', parse(NewToken, {}))).rejects.toMatchObject(refusal);
    await expect(tokens.ensure(holder, 'c1')).rejects.toMatchObject(refusal);
  });

  test('of a system’s user takes a key that manages', async () => {
    const system = { user: 'system:admin', groups: [] };
    await expect(create(system, callers['user']!)).rejects.toMatchObject({ status: 403 });
    expect(await create(system)).toMatchObject({ user: 'system:admin' });
  });

  test.each<[string, object, string]>([
    ['a scope that manages', { scope: 'manage' }, 'scope'],
    ['a long life', { ttl: '25h' }, 'ttl'],
    ['a short life', { ttl: '9s' }, 'ttl'],
    ['groups without a user', { groups: ['dev'] }, 'groups'],
    ['an unknown field', { cluster: 'c2' }, 'cluster'],
  ])('with %s is refused', (_, body, field) => {
    const { error } = NewToken.safeParse(body);
    expect(JSON.stringify(error?.issues)).toContain(field);
  });
});

test('those that have ended are not listed, and make room', async () => {
  const [{ tenantId, userId, keyId }, expiresAt] = [callers['alice']!, new Date(Date.now() + DAY_MS)];
  const data = Array.from({ length: 1_000 }, () => ({
    ...{ tenantId, userId, keyId, clusterId: 'c1', expiresAt },
    scope: 'read' as const,
  }));
  await platform.database.accessToken.createMany({ data });
  const full = {
    status: 403,
    message: 'this cluster has 1000 tokens already: revoke some, or wait until they end',
  };
  await expect(create()).rejects.toMatchObject(full);
  await create({}, callers['alice']!, 'c2');
  await platform.database.accessToken.updateMany({ where: { clusterId: 'c1' }, data: { expiresAt: new Date() } });
  expect((await list()).items).toEqual([]);
  await create();
  expect(await platform.database.accessToken.count({ where: { clusterId: 'c1' } })).toBe(1);
});

describe('the token of a kubeconfig file', () => {
  test('is given again, while more than half of its time is left', async () => {
    const token = await tokens.ensure(callers['alice']!, 'c1');
    expect(await tokens.ensure(callers['alice']!, 'c1')).toBe(token);
    const soon = new Date(Date.now() + 49 * DAY_MS);
    await platform.database.accessToken.updateMany({ data: { expiresAt: soon } });
    expect(await tokens.ensure(callers['alice']!, 'c1')).not.toBe(token);
  });

  test('is another for each cluster, key, subject and life, and after it was revoked', async () => {
    const of = (...[caller, cluster, options]: Parameters<Tokens['ensure']>) => tokens.ensure(caller, cluster, options);
    const [alice, user] = [callers['alice']!, callers['user']!];
    const jane = { user: 'jane', groups: ['dev'] };
    const all = [
      await of(alice, 'c1'),
      await of(alice, 'c2'),
      await of(user, 'c1'),
      await of(alice, 'c1', { subject: jane }),
      await of(alice, 'c1', { subject: { ...jane, groups: [] } }),
      await of(alice, 'c1', { ttlMs: DAY_MS }),
    ];
    const first = (await identify(all[0]!)) as TokenPrincipal;
    await tokens.revoke(alice, 'c1', first.tokenId);
    all.push(await of(alice, 'c1'));
    expect(new Set(all).size).toBe(all.length);
  });

  test('has at most the scope of its key, and never manages', async () => {
    const scopes = await Promise.all(
      ['alice', 'user', 'reader'].map(async (name) => {
        const principal = await identify(await tokens.ensure(callers[name]!, 'c1'));
        return principal?.scope;
      }),
    );
    expect(scopes).toEqual(['use', 'use', 'read']);
  });
});
