import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { generateOperatorKey, hashKey } from './credentials.js';
import { createTenant } from '../tenants/first-tenant.js';
import { Identity } from './identity.js';
import { ensureOperatorKey } from './keys/operator-key.js';
import type { Caller } from './principal.js';
import { identifyKey, platformDatabase } from '../testing.js';
import { TokenSigner } from './tokens/token-signer.js';
import { Tokens } from './tokens/tokens.js';

const DAY_MS = 24 * 60 * 60_000;

let platform: Awaited<ReturnType<typeof platformDatabase>>;
let identity: Identity;
let key: string;
beforeAll(async () => {
  platform = await platformDatabase();
  key = await createTenant(platform.database, { tenant: 'acme', user: 'jane' });
}, 60_000);
afterAll(() => platform.close());
beforeEach(() => void (identity = new Identity(platform.database)));

const update = (of: string, data: object) =>
  platform.database.apiKey.update({ where: { hash: hashKey(of) }, data, include: { user: true } });
const newKey = (user: string): Promise<string> => createTenant(platform.database, { tenant: 'acme', user });

describe('keys', () => {
  test('a key names its user, whatever the case of the scheme', async () => {
    const row = await platform.database.apiKey.findUniqueOrThrow({ where: { hash: hashKey(key) } });
    const { tenantId, userId, id: keyId } = row;
    const jane = { kind: 'key', tenantId, userId, userName: 'jane', keyId, scope: 'manage' };
    expect(await identity.identify(`Bearer ${key}`)).toEqual(jane);
    expect(await identity.identify(`bearer  ${key} `)).toEqual(jane);
  });

  test('a key has its scope', async () => {
    const reader = await newKey('reader');
    await update(reader, { scope: 'read' });
    expect(await identity.identify(`Bearer ${reader}`)).toMatchObject({ userName: 'reader', scope: 'read' });
  });

  test.each([undefined, '', 'Bearer', 'Bearer ', `Basic x`, 'Bearer tk_unknown', `Bearer tk_${'x'.repeat(600)}`])(
    '%.30j is nobody’s',
    async (authorization) => {
      expect(await identity.identify(authorization)).toBeUndefined();
    },
  );

  test('a key that is revoked, has ended, or whose user is disabled, is nobody’s', async () => {
    const [revoked, ended, disabled] = [await newKey('revoked'), await newKey('ended'), await newKey('disabled')];
    await update(revoked, { revokedAt: new Date() });
    await update(ended, { expiresAt: new Date(Date.now() - 1) });
    await update(disabled, { user: { update: { disabledAt: new Date() } } });
    for (const refused of [revoked, ended, disabled])
      expect(await identity.identify(`Bearer ${refused}`)).toBeUndefined();
  });

  test('what is known is forgotten for one tenant, or for all', async () => {
    const revoked = await newKey('forgotten');
    const principal = await identity.identify(`Bearer ${revoked}`);
    await update(revoked, { revokedAt: new Date() });
    expect(await identity.identify(`Bearer ${revoked}`)).toEqual(principal);
    identity.forget('another tenant');
    expect(await identity.identify(`Bearer ${revoked}`)).toEqual(principal);
    identity.forget(principal!.tenantId);
    expect(await identity.identify(`Bearer ${revoked}`)).toBeUndefined();
    await identity.identify(`Bearer ${key}`);
    await platform.database.user.updateMany({ where: { name: 'jane' }, data: { disabledAt: new Date() } });
    identity.forget();
    expect(await identity.identify(`Bearer ${key}`)).toBeUndefined();
    await platform.database.user.updateMany({ where: { name: 'jane' }, data: { disabledAt: null } });
  });

  test('what was read before a revocation, and came after it, is not kept', async () => {
    const revoked = await newKey('raced');
    const reading = identity.identify(`Bearer ${revoked}`);
    identity.forget();
    expect(await reading).toMatchObject({ userName: 'raced' });
    await update(revoked, { revokedAt: new Date() });
    expect(await identity.identify(`Bearer ${revoked}`)).toBeUndefined();
  });

  test('a key that ends while it is known is refused from then on', async () => {
    const short = await newKey('short');
    await update(short, { expiresAt: new Date(Date.now() + 300) });
    expect(await identity.identify(`Bearer ${short}`)).toMatchObject({ userName: 'short' });
    await new Promise((resolve) => setTimeout(resolve, 310));
    expect(await identity.identify(`Bearer ${short}`)).toBeUndefined();
  });

  test('the last use is recorded, at most once an hour', async () => {
    const used = await newKey('used');
    const lastUse = async (): Promise<number | undefined> =>
      (await platform.database.apiKey.findUniqueOrThrow({ where: { hash: hashKey(used) } })).lastUsedAt?.getTime();
    expect(await lastUse()).toBeUndefined();
    await identity.identify(`Bearer ${used}`);
    const first = await lastUse();
    expect(Date.now() - first!).toBeLessThan(60_000);
    await new Identity(platform.database).identify(`Bearer ${used}`);
    expect(await lastUse()).toBe(first);
  });
});

describe('tokens', () => {
  const publish = async (): Promise<void> => undefined;
  const tokens = (): Tokens =>
    new Tokens(platform.database, new TokenSigner(platform.database), { publish }, 365 * DAY_MS);
  const jane = async (): Promise<Caller> => identifyKey(platform.database, key);

  test('name their user, for one cluster', async () => {
    const { tenantId, userId } = await jane();
    const token = await tokens().ensure(await jane(), 'c1');
    const principal = await identity.identify(`Bearer ${token}`);
    expect(principal).toEqual({
      kind: 'token',
      tenantId,
      userId,
      userName: 'jane',
      tokenId: expect.any(String),
      scope: 'use',
      clusterId: 'c1',
      expiresAt: expect.any(Number),
    });
  });

  test('carry a subject', async () => {
    const { token } = await tokens().create(await jane(), 'c1', {
      scope: 'read',
      ttl: DAY_MS,
      user: 'ann',
      groups: ['dev'],
    });
    expect(await identity.identify(`Bearer ${token}`)).toMatchObject({
      scope: 'read',
      subject: { user: 'ann', groups: ['dev'] },
    });
  });

  test('of one place are nobody’s anywhere else, and are not given again as others', async () => {
    const caller = await jane();
    const where = '80.web.shop.svc';
    const { token, opens } = await tokens().create(caller, 'c1', { scope: 'use', ttl: DAY_MS, groups: [] }, where);
    expect(opens).toBe(where);
    for (const other of [undefined, '', '81.web.shop.svc', '80.web.shop.pod', '30080'])
      expect(await identity.identify(`Bearer ${token}`, other)).toBeUndefined();
    expect(await identity.identify(`Bearer ${token}`, where)).toMatchObject({ clusterId: 'c1', door: where });
    // It is known by now, and still nobody's elsewhere.
    expect(await identity.identify(`Bearer ${token}`)).toBeUndefined();
    expect(await identity.identifyNewcomer(`Bearer ${token}`)).toBeUndefined();
    const wide = await tokens().ensure(caller, 'c1', { ttlMs: DAY_MS });
    expect(await identity.identify(`Bearer ${wide}`, where)).not.toHaveProperty('door');
  });

  test('are refused when they are changed, cut or none', async () => {
    const [token, other] = [await tokens().ensure(await jane(), 'c1'), await tokens().ensure(await jane(), 'c2')];
    const [body, id, signature] = token.split('.') as [string, string, string];
    const forgeries = [
      `${other.split('.')[0]}.${id}.${signature}`,
      `${body}.${id}.x${signature}`,
      `${body}.${id}.`,
      `${body}.x${id}.${signature}`,
      `${body}.${signature}`,
      `${token}.x`,
      body,
      'tc_',
      'tc_..',
    ];
    for (const forged of forgeries) expect(await identity.identify(`Bearer ${forged}`)).toBeUndefined();
  });

  test('are refused when they have ended or are revoked, and with their user and key', async () => {
    const spare = await newKey('spare');
    const caller = await identifyKey(platform.database, spare);
    const ended = await tokens().create(caller, 'c1', { scope: 'use', ttl: -1, groups: [] });
    const revoked = await tokens().create(caller, 'c1', { scope: 'use', ttl: DAY_MS, groups: [] });
    await tokens().revoke(caller, 'c1', revoked.id);
    const ofKey = await tokens().ensure(caller, 'c1');
    expect(await identity.identify(`Bearer ${ofKey}`)).toBeDefined();
    for (const { token } of [ended, revoked]) expect(await identity.identify(`Bearer ${token}`)).toBeUndefined();
    await update(spare, { revokedAt: new Date() });
    expect(await new Identity(platform.database).identify(`Bearer ${ofKey}`)).toBeUndefined();
    await update(spare, { revokedAt: null, user: { update: { disabledAt: new Date() } } });
    expect(await new Identity(platform.database).identify(`Bearer ${ofKey}`)).toBeUndefined();
  });
});

describe('the operator', () => {
  const OPERATOR = { kind: 'operator', scope: 'operate' };

  test('has a key in the database', async () => {
    const operatorKey = (await ensureOperatorKey(platform.database, undefined))!;
    expect(await identity.identify(`Bearer ${operatorKey}`)).toEqual(OPERATOR);
    await platform.database.operatorKey.updateMany({ data: { revokedAt: new Date() } });
    expect(await new Identity(platform.database).identify(`Bearer ${operatorKey}`)).toBeUndefined();
    expect(await identity.identify(`Bearer ${generateOperatorKey()}`)).toBeUndefined();
  });

  test('or one from the environment, and then no other', async () => {
    const other = (await ensureOperatorKey(platform.database, ''))!;
    const own = new Identity(platform.database, { operatorKey: 'a key of 32 characters and more…' });
    expect(await own.identify('Bearer a key of 32 characters and more…')).toEqual(OPERATOR);
    expect(await own.identify('Bearer a key of 32 characters and more')).toBeUndefined();
    expect(await own.identify(`Bearer ${other}`)).toBeUndefined();
  });
});
