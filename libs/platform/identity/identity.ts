import type { X509Certificate } from 'node:crypto';
import { ClusterKeys } from '@terrarium/engine';
import { LRUCache } from 'lru-cache';
import { COARSE_TTL } from '../coarse-ttl.js';
import { ClusterSecrets } from './tokens/cluster-secrets.js';
import {
  credentialOf,
  hashKey,
  isEqualSecret,
  KEY_PREFIX,
  LINK_PREFIX,
  OPERATOR_PREFIX,
  SESSION_PREFIX,
  TOKEN_PREFIX,
} from './credentials.js';
import type { PrismaClient } from '../database.js';
import type { KeyPrincipal, OperatorPrincipal, Principal, TokenPrincipal } from './principal.js';
import { decodeToken } from './tokens/token-codec.js';
import { TokenSigner } from './tokens/token-signer.js';

const MAX_CACHED_PRINCIPALS = 20_000;
/** How long a revoked key may still work in another process when the announcement of its revocation is lost. */
const PRINCIPAL_TTL_MS = 10_000;
/** The last use of a key is recorded no more often than this. */
const LAST_USE_MS = 60 * 60_000;

const OPERATOR: OperatorPrincipal = { kind: 'operator', scope: 'operate' };

interface Recognized {
  readonly principal: Principal;
  /** Real ms since the epoch. */
  readonly expiresAt: number;
}

export interface IdentityOptions {
  readonly signer?: TokenSigner;
  /** The operator's key, in place of those in the database. */
  readonly operatorKey?: string;
}

/**
 * Finds out whose a credential is: a tenant's key, a token of one cluster, or the operator's key. Answers are cached,
 * so that most requests cost a look-up in a map; forget() makes a revocation count at once.
 */
export class Identity {
  private readonly principals = new LRUCache<string, Recognized>({
    max: MAX_CACHED_PRINCIPALS,
    ttl: PRINCIPAL_TTL_MS,
    ...COARSE_TTL,
  });
  private readonly secrets: ClusterSecrets;
  private readonly signer: TokenSigner;
  private readonly operatorKey: string | undefined;
  /** Counts the calls of forget(): what was read before one may be out of date. */
  private forgotten = 0;

  constructor(
    private readonly database: PrismaClient,
    { signer, operatorKey }: IdentityOptions = {},
  ) {
    this.secrets = new ClusterSecrets(database);
    this.signer = signer ?? new TokenSigner(database);
    this.operatorKey = operatorKey;
  }

  /**
   * The principal of an Authorization header ('Bearer …'); undefined without a valid key or token. `door`: the place in
   * a cluster that is asked for by its host; a token that opens one place is nobody's anywhere else.
   */
  async identify(authorization: string | undefined, door?: string): Promise<Principal | undefined> {
    const credential = credentialOf(authorization);
    if (!credential) return undefined;
    const principal = await this.find(credential);
    const isOpened = principal?.kind !== 'token' || principal.door === undefined || principal.door === door;
    return isOpened ? principal : undefined;
  }

  private async find(credential: string): Promise<Principal | undefined> {
    const known = this.principals.get(credential);
    if (known) return known.expiresAt > Date.now() ? known.principal : undefined;
    const { forgotten } = this;
    const recognized = await this.recognize(credential);
    if (!recognized || recognized.expiresAt <= Date.now()) return undefined;
    if (forgotten === this.forgotten) this.principals.set(credential, recognized);
    return recognized.principal;
  }

  /** The principal of what signs a browser in: a key, or a link that a key has made and nobody has used. */
  async identifyNewcomer(authorization: string | undefined): Promise<Principal | undefined> {
    const credential = credentialOf(authorization);
    if (!credential?.startsWith(LINK_PREFIX)) return this.identify(authorization);
    const link = await this.database.signInLink.findUnique({ where: { hash: hashKey(credential) } });
    if (!link || link.expiresAt.getTime() <= Date.now()) return undefined;
    return (await this.recognizeHash(link.keyHash))?.principal;
  }

  /** Forgets what is known of a tenant's keys and tokens; without a tenant, of everybody's. */
  forget(tenantId?: string): void {
    this.forgotten++;
    if (tenantId === undefined) return this.principals.clear();
    for (const [credential, { principal }] of this.principals.entries())
      if (principal.tenantId === tenantId) this.principals.delete(credential);
  }

  /** The secret from which a cluster's own keys are derived. */
  tokenKey(clusterId: string): Promise<string> {
    return this.secrets.secretOf(clusterId);
  }

  /** PEM of the cluster's own authority. */
  async authorityOf(clusterId: string): Promise<string> {
    return new ClusterKeys(await this.tokenKey(clusterId)).authority.pem;
  }

  isSignedByCluster(authorization: string | undefined, clusterId: string): Promise<boolean> {
    return this.secrets.isSignedByCluster(authorization, clusterId);
  }

  isIssuedByCluster(certificate: X509Certificate, clusterId: string): Promise<boolean> {
    return this.secrets.isIssuedByCluster(certificate, clusterId);
  }

  private async recognize(credential: string): Promise<Recognized | undefined> {
    if (credential.startsWith(KEY_PREFIX)) return this.recognizeKey(hashKey(credential));
    if (credential.startsWith(SESSION_PREFIX)) return this.recognizeSession(credential);
    if (credential.startsWith(TOKEN_PREFIX)) return this.recognizeToken(credential);
    return this.recognizeOperator(credential);
  }

  /** A session is as good as the key that it stands for, until it ends. */
  private async recognizeSession(secret: string): Promise<Recognized | undefined> {
    const row = await this.database.session.findUnique({ where: { hash: hashKey(secret) } });
    if (!row || row.revokedAt || row.expiresAt.getTime() <= Date.now()) return undefined;
    const recognized = await this.recognizeHash(row.keyHash);
    if (!recognized || recognized.principal.kind === 'token') return undefined;
    const expiresAt = Math.min(row.expiresAt.getTime(), recognized.expiresAt);
    return { principal: { ...recognized.principal, sessionId: row.id, expiresAt }, expiresAt };
  }

  /** The holder of the key, a tenant's or the operator's, of this hash. */
  private async recognizeHash(hash: string): Promise<Recognized | undefined> {
    return (await this.recognizeKey(hash)) ?? (await this.recognizeOperatorHash(hash));
  }

  private async recognizeKey(hash: string): Promise<Recognized | undefined> {
    const row = await this.database.apiKey.findUnique({ where: { hash }, include: { user: true } });
    if (!row || row.revokedAt || row.user.disabledAt) return undefined;
    const principal: KeyPrincipal = {
      kind: 'key',
      tenantId: row.tenantId,
      userId: row.userId,
      userName: row.user.name,
      keyId: row.id,
      scope: row.scope,
      expiresAt: row.expiresAt?.getTime(),
    };
    const recognized = { principal, expiresAt: principal.expiresAt ?? Number.POSITIVE_INFINITY };
    if (recognized.expiresAt > Date.now()) await this.recordUse(row.id, row.lastUsedAt);
    return recognized;
  }

  private async recordUse(keyId: string, lastUsedAt: Date | null): Promise<void> {
    const now = Date.now();
    if (lastUsedAt && lastUsedAt.getTime() > now - LAST_USE_MS) return;
    await this.database.apiKey.updateMany({ where: { id: keyId }, data: { lastUsedAt: new Date(now) } });
  }

  private async recognizeToken(token: string): Promise<Recognized | undefined> {
    const body = await this.signer.verify(token.slice(TOKEN_PREFIX.length));
    const claims = body && decodeToken(body);
    if (!claims || claims.expiresAt <= Date.now()) return undefined;
    const row = await this.database.accessToken.findUnique({
      where: { id: claims.id },
      include: { user: true, key: true },
    });
    if (!row || row.revokedAt || row.user.disabledAt || row.key?.revokedAt) return undefined;
    const principal: TokenPrincipal = {
      kind: 'token',
      tenantId: row.tenantId,
      userId: row.userId,
      userName: row.user.name,
      tokenId: row.id,
      scope: row.scope === 'read' ? 'read' : 'use',
      clusterId: row.clusterId,
      expiresAt: row.expiresAt.getTime(),
      ...(row.subject === null ? {} : { subject: { user: row.subject, groups: row.groups } }),
      ...(row.door === null ? {} : { door: row.door }),
    };
    return { principal, expiresAt: principal.expiresAt };
  }

  private async recognizeOperator(credential: string): Promise<Recognized | undefined> {
    if (this.operatorKey !== undefined) {
      if (!isEqualSecret(credential, this.operatorKey)) return undefined;
      return { principal: OPERATOR, expiresAt: Number.POSITIVE_INFINITY };
    }
    if (!credential.startsWith(OPERATOR_PREFIX)) return undefined;
    return this.recognizeOperatorHash(hashKey(credential));
  }

  private async recognizeOperatorHash(hash: string): Promise<Recognized | undefined> {
    if (this.operatorKey !== undefined) {
      if (!isEqualSecret(hash, hashKey(this.operatorKey))) return undefined;
      return { principal: OPERATOR, expiresAt: Number.POSITIVE_INFINITY };
    }
    const row = await this.database.operatorKey.findUnique({ where: { hash } });
    if (!row || row.revokedAt) return undefined;
    return { principal: OPERATOR, expiresAt: row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY };
  }
}
