import crypto from 'node:crypto';
import { authorityKey, tokenKey } from '@terrarium/engine';
import { LRUCache } from 'lru-cache';
import type { PrismaClient } from './database.js';
import { unauthenticated } from './refusal.js';

/** The holder of a key: a user of one tenant. */
export interface Caller {
  readonly tenantId: string;
  readonly userId: string;
  readonly userName: string;
}

/** The holder of a kubeconfig's token: a caller for one cluster only. */
export interface ClusterCaller extends Caller {
  readonly clusterId: string;
}

const KEY_PREFIX = 'tk_';
const TOKEN_PREFIX = 'tc_';
const MAX_TOKEN_CHARACTERS = 16_384;
const MAX_CACHED_CALLERS = 20_000;
const MAX_CACHED_CLUSTERS = 2_000;
/** How long a revoked key may still work. */
const CALLER_TTL_MS = 30_000;
const KEYS_TTL_MS = 10 * 60_000;

/** The public keys that belong to a cluster's signing keys. */
interface PublicKeys {
  readonly tokens: crypto.KeyObject;
  readonly authority: crypto.KeyObject;
}

export const hashKey = (key: string): string => crypto.createHash('sha256').update(key).digest('hex');
export const generateKey = (): string => KEY_PREFIX + crypto.randomBytes(24).toString('base64url');

const bearerToken = (header: string | undefined): string | undefined =>
  header && /^bearer /i.test(header) ? header.slice(7).trim() : undefined;

const isEqualSignature = (expected: string, given: string): boolean => {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && crypto.timingSafeEqual(a, b);
};

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

/** Authenticates callers by keys and clusters' tokens. Answers are cached: most requests cost a look-up in a map. */
export class Identity {
  private readonly callers = new LRUCache<string, Caller>({ max: MAX_CACHED_CALLERS, ttl: CALLER_TTL_MS });
  private readonly tokens = new LRUCache<string, ClusterCaller>({ max: MAX_CACHED_CALLERS, ttl: CALLER_TTL_MS });
  private readonly keys = new LRUCache<string, PublicKeys>({ max: MAX_CACHED_CLUSTERS, ttl: KEYS_TTL_MS });
  /** Tokens and certificates whose signature has been verified. */
  private readonly signed = new LRUCache<string, true>({ max: MAX_CACHED_CALLERS, ttl: KEYS_TTL_MS });
  private secret: Promise<Buffer> | undefined;

  constructor(private readonly database: PrismaClient) {}

  /** Throws Refusal 401 without a valid key. */
  async caller(authorization: string | undefined): Promise<Caller> {
    const key = bearerToken(authorization);
    const found = key ? await this.callerOfKey(key) : undefined;
    if (!found) throw unauthenticated();
    return found;
  }

  /**
   * The user of this cluster's token, or the holder of a key, whose tenant is not compared with the cluster's here.
   * Undefined when there is neither.
   */
  async clusterCaller(authorization: string | undefined, clusterId: string): Promise<Caller | undefined> {
    const token = bearerToken(authorization);
    if (!token) return undefined;
    if (!token.startsWith(TOKEN_PREFIX)) return this.callerOfKey(token);
    const caller = this.tokens.get(token) ?? (await this.callerOfToken(token));
    return caller?.clusterId === clusterId ? caller : undefined;
  }

  /** A token that names tenant, user and cluster, signed: nothing is stored for it. */
  async clusterToken(caller: Caller, clusterId: string): Promise<string> {
    const body = Buffer.from(JSON.stringify([caller.tenantId, caller.userId, clusterId])).toString('base64url');
    return `${TOKEN_PREFIX}${body}.${await this.signature(body)}`;
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
    const secret = await this.tokenKey(clusterId);
    const keys = { tokens: publicKeyOf(tokenKey(secret)), authority: publicKeyOf(authorityKey(secret)) };
    this.keys.set(clusterId, keys);
    return keys;
  }

  /** The secret from which a cluster's own keys are derived. */
  async tokenKey(clusterId: string): Promise<string> {
    return this.signature(`service accounts of ${clusterId}`);
  }

  private async callerOfKey(key: string): Promise<Caller | undefined> {
    if (!key.startsWith(KEY_PREFIX) || key.length > 200) return undefined;
    const known = this.callers.get(key);
    if (known) return known;
    const row = await this.database.apiKey.findUnique({ where: { hash: hashKey(key) }, include: { user: true } });
    if (!row || row.revokedAt || row.user.disabledAt) return undefined;
    const caller = { tenantId: row.tenantId, userId: row.userId, userName: row.user.name };
    this.callers.set(key, caller);
    return caller;
  }

  private async callerOfToken(token: string): Promise<ClusterCaller | undefined> {
    const [body = '', signature = ''] = token.slice(TOKEN_PREFIX.length, 1_000).split('.');
    if (!isEqualSignature(await this.signature(body), signature)) return undefined;
    const [tenantId, userId, clusterId] = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as [
      string,
      string,
      string,
    ];
    const user = await this.database.user.findFirst({ where: { id: userId, tenantId, disabledAt: null } });
    if (!user) return undefined;
    const caller = { tenantId, userId, userName: user.name, clusterId };
    this.tokens.set(token, caller);
    return caller;
  }

  private async signature(body: string): Promise<string> {
    this.secret ??= this.loadSecret();
    this.secret.catch(() => (this.secret = undefined));
    return crypto
      .createHmac('sha256', await this.secret)
      .update(body)
      .digest('base64url');
  }

  private async loadSecret(): Promise<Buffer> {
    await this.database.signingKey.createMany({
      data: { id: 1, secret: crypto.randomBytes(32) },
      skipDuplicates: true,
    });
    const row = await this.database.signingKey.findUniqueOrThrow({ where: { id: 1 } });
    return Buffer.from(row.secret);
  }
}
