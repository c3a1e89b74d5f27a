import crypto from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { tokenKey } from '@terrarium/engine';
import { selfSignedCertificate } from '../../../testkit/beds/self-signed-certificate.js';
import { ClusterSecrets } from './cluster-secrets.js';
import { platformDatabase } from '../../testing.js';
import { TokenSigner } from './token-signer.js';

let platform: Awaited<ReturnType<typeof platformDatabase>>;
let secrets: ClusterSecrets;
beforeAll(async () => void (platform = await platformDatabase()), 60_000);
afterAll(() => platform.close());
beforeEach(() => void (secrets = new ClusterSecrets(platform.database)));

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
    const secret = await secrets.secretOf('c1');
    const text = 'e30.e30';
    const token = `${text}.${signWith(tokenKey(secret), text)}`;
    expect(await secrets.isSignedByCluster(`Bearer ${token}`, 'c1')).toBe(true);
    expect(await secrets.isSignedByCluster(`Bearer ${token}`, 'c1')).toBe(true);
    expect(await secrets.isSignedByCluster(`Bearer ${token}`, 'c2')).toBe(false);
    expect(await secrets.isSignedByCluster(`Bearer ${token.replace('e30', 'e31')}`, 'c1')).toBe(false);
  });

  test.each([undefined, 'Bearer a.b', 'Bearer a.b.c.d', 'Bearer a.b.c', `Bearer a.b.${'c'.repeat(20_000)}`])(
    '%.30j is no token',
    async (authorization) => expect(await secrets.isSignedByCluster(authorization, 'c1')).toBe(false),
  );

  test('a certificate of another authority is not the cluster’s', async () => {
    const { certificate } = selfSignedCertificate('localhost', Date.now());
    expect(await secrets.isIssuedByCluster(new crypto.X509Certificate(certificate), 'c1')).toBe(false);
  });

  test('the secret is the same in every process, and another for each cluster', async () => {
    const other = new ClusterSecrets(platform.database);
    expect(await other.secretOf('c1')).toBe(await secrets.secretOf('c1'));
    expect(await secrets.secretOf('c2')).not.toBe(await secrets.secretOf('c1'));
  });
});

test('a secret that could not be read is read again', async () => {
  const broken = { signingKey: { createMany: () => Promise.reject(new Error('connection refused')) } };
  const failing = new ClusterSecrets(broken as never);
  await expect(failing.secretOf('c1')).rejects.toThrow('connection refused');
  Object.assign(broken, { signingKey: platform.database.signingKey });
  expect(await failing.secretOf('c1')).toBe(await secrets.secretOf('c1'));
});

test('a new secret of tokens leaves the clusters’ keys as they are', async () => {
  const before = await secrets.secretOf('c1');
  await new TokenSigner(platform.database).rotate(0);
  expect(await new ClusterSecrets(platform.database).secretOf('c1')).toBe(before);
});
