import type { CreatedSignInLink } from './access-nouns.js';
import { credentialOf, generateLink, generateSession, hashKey, LINK_PREFIX, SESSION_PREFIX } from './credentials.js';
import type { PrismaClient } from '../database.js';
import type { Invalidations } from './invalidations.js';
import type { Principal } from './principal.js';
import { Refusal, unauthenticated } from '../refusal.js';

export const SESSION_MS = 7 * 24 * 60 * 60_000;
const LINK_MS = 10 * 60_000;
/** Of one key, that are valid at once. */
const MAX_SESSIONS = 1_000;

/**
 * Browsers that are signed in. A session stands for the key, a tenant's or the operator's, that has signed it in: it
 * ends when that key ends or is revoked, and can be revoked by itself.
 */
export class Sessions {
  constructor(
    private readonly database: Pick<PrismaClient, 'session' | 'signInLink'>,
    private readonly invalidations: Pick<Invalidations, 'publish'>,
  ) {}

  /** A link that signs one browser in, once. The credential must be a valid key. Throws Refusal 403 for others. */
  async createLink(authorization: string | undefined): Promise<CreatedSignInLink> {
    const keyHash = hashKey(requireKey(authorization, [LINK_PREFIX, SESSION_PREFIX]));
    const link = generateLink();
    const expiresAt = new Date(Date.now() + LINK_MS);
    await this.database.signInLink.create({ data: { hash: hashKey(link), keyHash, expiresAt } });
    return { link, expiresAt: expiresAt.toISOString() };
  }

  /** The secret of a new session. A link is used up. Throws Refusal 401 when another browser has used it. */
  async open(authorization: string | undefined): Promise<{ secret: string; expiresAt: Date }> {
    const credential = requireKey(authorization, [SESSION_PREFIX]);
    const keyHash = credential.startsWith(LINK_PREFIX) ? await this.useLink(credential) : hashKey(credential);
    const now = new Date();
    const valid = await this.database.session.count({ where: { keyHash, revokedAt: null, expiresAt: { gt: now } } });
    if (valid >= MAX_SESSIONS)
      throw new Refusal(403, `this key has signed in ${MAX_SESSIONS} browsers already: sign some out`);
    const secret = generateSession();
    const expiresAt = new Date(now.getTime() + SESSION_MS);
    await this.database.session.create({ data: { hash: hashKey(secret), keyHash, expiresAt } });
    return { secret, expiresAt };
  }

  /** Its holder is refused at once, in whatever process. */
  async close({ sessionId, tenantId }: Pick<Principal, 'tenantId'> & { sessionId?: string }): Promise<void> {
    if (sessionId === undefined) return;
    await this.database.session.updateMany({ where: { id: sessionId }, data: { revokedAt: new Date() } });
    await this.invalidations.publish(tenantId);
  }

  /** Deleting is atomic: of two browsers that use a link at once, one finds it. */
  private async useLink(link: string): Promise<string> {
    const [used] = await this.database.signInLink.findMany({
      where: { hash: hashKey(link), expiresAt: { gt: new Date() } },
    });
    const { count } = await this.database.signInLink.deleteMany({ where: { hash: hashKey(link) } });
    if (!used || count === 0) throw unauthenticated();
    return used.keyHash;
  }
}

function requireKey(authorization: string | undefined, others: readonly string[]): string {
  const credential = credentialOf(authorization);
  if (credential === undefined) throw unauthenticated();
  if (others.some((prefix) => credential.startsWith(prefix)))
    throw new Refusal(403, 'a key is needed for this: a session or a link makes no other');
  return credential;
}
