import crypto from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { tokenKey } from '@terrarium/engine';
import { selfSignedCertificate } from './certificate.js';
import { generateKey, hashKey, Identity } from './identity.js';
import { createTenant } from './tenants.js';
import { platformDatabase } from './testing.js';

const UNAUTHENTICATED = { status: 401, message: 'a valid key is needed: send "Authorization: Bearer <key>"' };

let platform: Awaited<ReturnType<typeof platformDatabase>>;
let identity: Identity;
let key: string;
beforeAll(async () => {
  platform = await platformDatabase();
  key = await createTenant(platform.database, { tenant: 'acme', user: 'jane' });
}, 60_000);
afterAll(() => platform.close());
beforeEach(() => void (identity = new Identity(platform.database)));

describe('keys', () => {
  test('a key names its user, whatever the case of the scheme', async () => {
    const { tenantId, userId } = (await platform.database.apiKey.findUnique({ where: { hash: hashKey(key) } }))!;
    const jane = { tenantId, userId, userName: 'jane' };
    expect(await identity.caller(`Bearer ${key}`)).toEqual(jane);
    expect(await identity.caller(`bearer  ${key} `)).toEqual(jane);
  });

  test.each([undefined, '', 'Bearer', 'Bearer ', `Basic x`, 'Bearer tk_unknown', `Bearer tk_${'x'.repeat(300)}`])(
    '%j is refused',
    async (authorization) => {
      await expect(identity.caller(authorization)).rejects.toMatchObject(UNAUTHENTICATED);
    },
  );

  test('a key that is revoked, or whose user is disabled, is refused', async () => {
    const revoked = await createTenant(platform.database, { tenant: 'acme', user: 'revoked' });
    await platform.database.apiKey.update({ where: { hash: hashKey(revoked) }, data: { revokedAt: new Date() } });
    await expect(identity.caller(`Bearer ${revoked}`)).rejects.toMatchObject(UNAUTHENTICATED);
    const disabled = await createTenant(platform.database, { tenant: 'acme', user: 'disabled' });
    await platform.database.user.updateMany({ where: { name: 'disabled' }, data: { disabledAt: new Date() } });
    await expect(identity.caller(`Bearer ${disabled}`)).rejects.toMatchObject(UNAUTHENTICATED);
  });

  test('each key is another', () => {
    expect(generateKey()).not.toBe(generateKey());
    expect(hashKey('a')).toBe('ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb');
  });
});

describe('tokens of kubeconfig files', () => {
  test('name a user for one cluster', async () => {
    const caller = await identity.caller(`Bearer ${key}`);
    const token = await identity.clusterToken(caller, 'c1');
    expect(await identity.clusterCaller(`Bearer ${token}`, 'c1')).toEqual({ ...caller, clusterId: 'c1' });
    expect(await identity.clusterCaller(`Bearer ${token}`, 'c2')).toBeUndefined();
    expect(await identity.clusterCaller(`Bearer ${key}`, 'c2')).toEqual(caller);
    await expect(identity.caller(`Bearer ${token}`)).rejects.toMatchObject(UNAUTHENTICATED);
  });

  test('are valid in every process', async () => {
    const caller = await identity.caller(`Bearer ${key}`);
    const token = await identity.clusterToken(caller, 'c1');
    const other = new Identity(platform.database);
    expect(await other.clusterCaller(`Bearer ${token}`, 'c1')).toMatchObject({ userName: 'jane' });
  });

  test('are refused when they are changed, cut or none', async () => {
    const caller = await identity.caller(`Bearer ${key}`);
    const [body, signature] = (await identity.clusterToken(caller, 'c1')).split('.');
    const forged = `tc_${Buffer.from(JSON.stringify([caller.tenantId, caller.userId, 'c2'])).toString('base64url')}`;
    for (const token of [`${forged}.${signature}`, `${body}.x${signature}`, `${body}.`, body, 'tc_', '', undefined])
      expect(await identity.clusterCaller(token && `Bearer ${token}`, 'c2')).toBeUndefined();
  });

  test('are refused when their user is disabled', async () => {
    const disabled = await createTenant(platform.database, { tenant: 'acme', user: 'gone' });
    const token = await identity.clusterToken(await identity.caller(`Bearer ${disabled}`), 'c1');
    await platform.database.user.updateMany({ where: { name: 'gone' }, data: { disabledAt: new Date() } });
    expect(await identity.clusterCaller(`Bearer ${token}`, 'c1')).toBeUndefined();
  });
});

describe('what a cluster has signed', () => {
  /** The private key of tokenKey(), as OpenSSL reads it. */
  function signWith(privateKey: Uint8Array, text: string): string {
    const pair = crypto.createECDH('prime256v1');
    pair.setPrivateKey(privateKey);
    const point = pair.getPublicKey();
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      d: Buffer.from(privateKey).toString('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    return crypto
      .sign('sha256', Buffer.from(text), {
        key: crypto.createPrivateKey({ key: jwk, format: 'jwk' }),
        dsaEncoding: 'ieee-p1363',
      })
      .toString('base64url');
  }

  test('a token is known by its signature', async () => {
    const secret = await identity.tokenKey('c1');
    const text = 'e30.e30';
    const token = `${text}.${signWith(tokenKey(secret), text)}`;
    expect(await identity.isSignedByCluster(`Bearer ${token}`, 'c1')).toBe(true);
    expect(await identity.isSignedByCluster(`Bearer ${token}`, 'c1')).toBe(true);
    expect(await identity.isSignedByCluster(`Bearer ${token}`, 'c2')).toBe(false);
    expect(await identity.isSignedByCluster(`Bearer ${token.replace('e30', 'e31')}`, 'c1')).toBe(false);
  });

  test.each([undefined, 'Bearer a.b', 'Bearer a.b.c.d', 'Bearer a.b.c', `Bearer a.b.${'c'.repeat(20_000)}`])(
    '%.30j is no token',
    async (authorization) => expect(await identity.isSignedByCluster(authorization, 'c1')).toBe(false),
  );

  test('a certificate of another authority is not the cluster’s', async () => {
    const { certificate } = selfSignedCertificate('localhost', Date.now());
    expect(await identity.isIssuedByCluster(new crypto.X509Certificate(certificate), 'c1')).toBe(false);
  });

  test('the secret is the same in every process, and another for each cluster', async () => {
    const other = new Identity(platform.database);
    expect(await other.tokenKey('c1')).toBe(await identity.tokenKey('c1'));
    expect(await identity.tokenKey('c2')).not.toBe(await identity.tokenKey('c1'));
  });
});

test('a secret that could not be read is read again', async () => {
  const broken = { signingKey: { createMany: () => Promise.reject(new Error('connection refused')) } };
  const failing = new Identity(broken as never);
  await expect(failing.tokenKey('c1')).rejects.toThrow('connection refused');
  Object.assign(broken, { signingKey: platform.database.signingKey });
  expect(await failing.tokenKey('c1')).toBe(await identity.tokenKey('c1'));
});
