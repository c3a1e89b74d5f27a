import crypto from 'node:crypto';
import { authorityKey, tokenKey } from '@terrarium/engine';
import { LRUCache } from 'lru-cache';
import { COARSE_TTL } from '../../coarse-ttl.js';
import { bearerToken } from '../credentials.js';
import type { PrismaClient } from '../../database.js';
import { CLUSTER_SECRET_ID } from './token-signer.js';

const MAX_TOKEN_CHARACTERS = 16_384;
const MAX_CACHED_CLUSTERS = 2_000;
const MAX_CACHED_SIGNATURES = 20_000;
const TTL_MS = 10 * 60_000;
const SECRET_BYTES = 32;

/** The public keys that belong to a cluster's signing keys. */
interface PublicKeys {
  readonly tokens: crypto.KeyObject;
  readonly authority: crypto.KeyObject;
}

/**
 * The secrets from which clusters derive their own keys: their certificate authority and the key of their service
 * accounts. All come from one secret in the database, which is never replaced: tokens have secrets of their own.
 */
export class ClusterSecrets {
  private readonly keys = new LRUCache<string, PublicKeys>({ max: MAX_CACHED_CLUSTERS, ttl: TTL_MS, ...COARSE_TTL });
  /** Tokens and certificates whose signature has been verified. */
  private readonly signed = new LRUCache<string, true>({ max: MAX_CACHED_SIGNATURES, ttl: TTL_MS, ...COARSE_TTL });
  private root: Promise<Buffer> | undefined;

  constructor(private readonly database: Pick<PrismaClient, 'signingKey'>) {}

  /** The secret of one cluster. */
  async secretOf(clusterId: string): Promise<string> {
    this.root ??= this.loadRoot();
    // The caller is told of the error below; the next one tries again.
    this.root.catch(() => (this.root = undefined));
    return crypto
      .createHmac('sha256', await this.root)
      .update(`service accounts of ${clusterId}`)
      .digest('base64url');
  }

  /** The header has a token that the cluster itself has signed. The cluster checks its user and whether it is valid. */
  async isSignedByCluster(authorization: string | undefined, clusterId: string): Promise<boolean> {
    const token = bearerToken(authorization) ?? '';
    const [header, claims, signature, ...more] = token.length > MAX_TOKEN_CHARACTERS ? [] : token.split('.');
    if (!header || !claims || !signature || more.length > 0) return false;
    return this.isSigned(`${clusterId} ${token}`, clusterId, ({ tokens }) =>
      crypto.verify(
        'sha256',
        Buffer.from(`${header}.${claims}`),
        { key: tokens, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      ),
    );
  }

  /** The cluster's own authority has signed it. The cluster checks its user and whether it is still valid. */
  async isIssuedByCluster(certificate: crypto.X509Certificate, clusterId: string): Promise<boolean> {
    return this.isSigned(`${clusterId} ${certificate.fingerprint512}`, clusterId, ({ authority }) =>
      certificate.verify(authority),
    );
  }

  private async isSigned(key: string, clusterId: string, check: (keys: PublicKeys) => boolean): Promise<boolean> {
    if (this.signed.get(key)) return true;
    if (!check(await this.publicKeys(clusterId))) return false;
    this.signed.set(key, true);
    return true;
  }

  private async publicKeys(clusterId: string): Promise<PublicKeys> {
    const known = this.keys.get(clusterId);
    if (known) return known;
    const secret = await this.secretOf(clusterId);
    const keys = { tokens: publicKeyOf(tokenKey(secret)), authority: publicKeyOf(authorityKey(secret)) };
    this.keys.set(clusterId, keys);
    return keys;
  }

  private async loadRoot(): Promise<Buffer> {
    await this.database.signingKey.createMany({
      data: { id: CLUSTER_SECRET_ID, secret: crypto.randomBytes(SECRET_BYTES) },
      skipDuplicates: true,
    });
    const row = await this.database.signingKey.findUniqueOrThrow({ where: { id: CLUSTER_SECRET_ID } });
    return Buffer.from(row.secret);
  }
}

/** The public key of a P-256 key; by OpenSSL, because clients without a valid key can make us do this often. */
function publicKeyOf(privateKey: Uint8Array): crypto.KeyObject {
  const pair = crypto.createECDH('prime256v1');
  pair.setPrivateKey(privateKey);
  const point = pair.getPublicKey();
  return crypto.createPublicKey({
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
    format: 'jwk',
  });
}
