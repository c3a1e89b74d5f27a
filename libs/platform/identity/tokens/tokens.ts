import type { CreatedToken, NewToken, Token, TokenList } from '../access-nouns.js';
import { TOKEN_PREFIX } from '../credentials.js';
import { forTenant, type PrismaClient } from '../../database.js';
import type { AccessToken, ApiKey } from '../../generated/client.js';
import type { Invalidations } from '../invalidations.js';
import type { Page } from '../../nouns.js';
import { afterCursor, BY_AGE, isUuid, pageOf } from '../../page.js';
import type { Caller, KeyPrincipal, Subject } from '../principal.js';
import { Refusal } from '../../refusal.js';
import { checkSubject } from '../subject.js';
import { encodeToken } from './token-codec.js';
import type { TokenSigner } from './token-signer.js';

/** How many tokens of one cluster may be valid at once. */
const MAX_TOKENS = 1_000;
const SECOND_MS = 1_000;

export interface TokenOptions {
  /** None for the cluster's administrator. */
  readonly subject?: Subject;
  readonly ttlMs?: number;
}

interface NewRow {
  readonly scope: 'read' | 'use';
  readonly subject: Subject | undefined;
  readonly door?: string;
  /** Real ms since the epoch. */
  readonly until: number;
}

/**
 * Tokens of one cluster. A token is signed, so that a forged one costs no query; its row names who has made it, and can
 * be revoked. It ends at the latest with the key that it was made with.
 */
export class Tokens {
  constructor(
    private readonly database: PrismaClient,
    private readonly signer: TokenSigner,
    private readonly invalidations: Pick<Invalidations, 'publish'>,
    private readonly kubeconfigTtlMs: number,
  ) {}

  /**
   * The caller must own the cluster. `door`: it opens this one place, and nothing else. Throws Refusal 403 for a
   * token's holder, and when there are too many.
   */
  async create(
    caller: Caller,
    clusterId: string,
    { scope, ttl, user, groups }: NewToken,
    door?: string,
  ): Promise<CreatedToken> {
    const subject = user === undefined ? undefined : { user, groups };
    const until = Date.now() + ttl;
    const row = await this.insert(requireKey(caller), clusterId, { scope, subject, until, ...(door ? { door } : {}) });
    return { ...toToken(row), token: await this.sign(row) };
  }

  /**
   * A token for a kubeconfig file, of the scope of the caller's key and at most `use`. The one that the same key was
   * given before is given again while it has more than half of its time left, so that a file may be fetched as often as
   * one likes.
   */
  async ensure(
    caller: Caller,
    clusterId: string,
    { subject, ttlMs = this.kubeconfigTtlMs }: TokenOptions = {},
  ): Promise<string> {
    const principal = requireKey(caller);
    const { tenantId, keyId } = principal;
    const scope = principal.scope === 'read' ? 'read' : 'use';
    const now = Date.now();
    const until = now + ttlMs;
    const { accessToken, apiKey } = forTenant(this.database, tenantId);
    const end = endOf(await apiKey.findUniqueOrThrow({ where: { id: keyId } }), until);
    const known = await accessToken.findFirst({
      where: {
        tenantId,
        clusterId,
        keyId,
        scope,
        subject: subject?.user ?? null,
        groups: { equals: [...(subject?.groups ?? [])] },
        door: null,
        revokedAt: null,
        expiresAt: { gt: new Date((now + end.getTime()) / 2), lte: end },
      },
      orderBy: { expiresAt: 'desc' },
    });
    return this.sign(known ?? (await this.insert(principal, clusterId, { scope, subject, until })));
  }

  /** Those of the cluster that are valid, oldest first. */
  async list({ tenantId }: Caller, clusterId: string, { limit, cursor }: Page): Promise<TokenList> {
    const rows = await forTenant(this.database, tenantId).accessToken.findMany({
      where: { ...this.valid(tenantId, clusterId), ...afterCursor(cursor) },
      orderBy: [...BY_AGE],
      take: limit + 1,
    });
    return pageOf(rows, limit, toToken);
  }

  /** Its holder is refused at once. Throws Refusal 404. */
  async revoke({ tenantId }: Caller, clusterId: string, id: string): Promise<void> {
    const { accessToken } = forTenant(this.database, tenantId);
    const { count } = isUuid(id)
      ? await accessToken.updateMany({
          where: { ...this.valid(tenantId, clusterId), id },
          data: { revokedAt: new Date() },
        })
      : { count: 0 };
    if (count === 0) throw new Refusal(404, `there is no token "${id}" of this cluster`);
    await this.invalidations.publish(tenantId);
  }

  private valid(tenantId: string, clusterId: string) {
    return { tenantId, clusterId, revokedAt: null, expiresAt: { gt: new Date() } };
  }

  private async insert(
    { tenantId, userId, keyId, scope: ownScope }: KeyPrincipal,
    clusterId: string,
    { scope, subject, door, until }: NewRow,
  ): Promise<AccessToken> {
    if (subject) checkSubject(ownScope, subject);
    const { accessToken, apiKey } = forTenant(this.database, tenantId);
    await accessToken.deleteMany({ where: { tenantId, clusterId, expiresAt: { lte: new Date() } } });
    if ((await accessToken.count({ where: this.valid(tenantId, clusterId) })) >= MAX_TOKENS)
      throw new Refusal(403, `this cluster has ${MAX_TOKENS} tokens already: revoke some, or wait until they end`);
    const key = await apiKey.findUniqueOrThrow({ where: { id: keyId } });
    return accessToken.create({
      data: {
        tenantId,
        userId,
        keyId,
        clusterId,
        scope,
        subject: subject?.user,
        groups: [...(subject?.groups ?? [])],
        door,
        expiresAt: endOf(key, until),
      },
    });
  }

  private async sign({ id, expiresAt }: AccessToken): Promise<string> {
    return TOKEN_PREFIX + (await this.signer.sign(encodeToken({ id, expiresAt: expiresAt.getTime() })));
  }
}

/** A token's holder makes no tokens: one that was given away would never end. */
function requireKey(caller: Caller): KeyPrincipal {
  if (caller.kind === 'key') return caller;
  throw new Refusal(403, 'a token cannot make tokens: send a key');
}

/** The time `at` or the key's own end, whichever is earlier, in whole seconds. */
function endOf({ expiresAt }: Pick<ApiKey, 'expiresAt'>, at: number): Date {
  const end = Math.min(at, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
  return new Date(Math.floor(end / SECOND_MS) * SECOND_MS);
}

const toToken = (row: AccessToken): Token => ({
  id: row.id,
  clusterId: row.clusterId,
  scope: row.scope === 'read' ? 'read' : 'use',
  ...(row.subject === null ? {} : { user: row.subject }),
  groups: row.groups,
  ...(row.door === null ? {} : { opens: row.door }),
  createdBy: row.userId,
  ...(row.keyId === null ? {} : { keyId: row.keyId }),
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});
