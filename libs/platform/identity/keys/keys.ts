import type { CreatedKey, Key, KeyList, NewKey } from '../access-nouns.js';
import { generateKey, hashKey } from '../credentials.js';
import { forTenant, type PrismaClient } from '../../database.js';
import type { ApiKey } from '../../generated/client.js';
import type { Invalidations } from '../invalidations.js';
import type { Page } from '../../nouns.js';
import { afterCursor, BY_AGE, isUuid, pageOf } from '../../page.js';
import type { Caller } from '../principal.js';
import { Refusal } from '../../refusal.js';
import { includes } from '../scope.js';
import { unknownUser } from '../users.js';

const MAX_KEYS = 10_000;

/** The keys of the caller's tenant. A key itself is told once, when it is made: only its hash is kept. */
export class Keys {
  constructor(
    private readonly database: PrismaClient,
    private readonly invalidations: Pick<Invalidations, 'publish'>,
  ) {}

  /** Throws Refusal 404 for an unknown user; 403 for a scope that is wider than the caller's, and for too many keys. */
  async create(caller: Caller, { name, scope, userId = caller.userId, ttl }: NewKey): Promise<CreatedKey> {
    const { tenantId } = caller;
    if (!includes(caller.scope, scope))
      throw new Refusal(403, `a key of the scope "${caller.scope}" cannot make one of the scope "${scope}"`);
    const { apiKey, user } = forTenant(this.database, tenantId);
    const owner = isUuid(userId) ? await user.findFirst({ where: { id: userId, tenantId } }) : null;
    if (!owner) throw unknownUser(userId);
    if ((await apiKey.count({ where: { tenantId, revokedAt: null } })) >= MAX_KEYS)
      throw new Refusal(403, `there are ${MAX_KEYS} keys already: revoke one first`);
    const key = generateKey();
    const expiresAt = ttl === undefined ? undefined : new Date(Date.now() + ttl);
    const row = await apiKey.create({
      data: { hash: hashKey(key), tenantId, userId, name, scope, expiresAt, createdBy: caller.userId },
    });
    return { ...toKey(row), key };
  }

  /** Those that are not revoked, oldest first. */
  async list({ tenantId }: Caller, { limit, cursor }: Page): Promise<KeyList> {
    const where = { tenantId, revokedAt: null, ...afterCursor(cursor) };
    const rows = await forTenant(this.database, tenantId).apiKey.findMany({
      where,
      orderBy: [...BY_AGE],
      take: limit + 1,
    });
    return pageOf(rows, limit, toKey);
  }

  /** Its holder, and those of the tokens made with it, are refused at once. Throws Refusal 404. */
  async revoke({ tenantId }: Caller, id: string): Promise<void> {
    const { apiKey } = forTenant(this.database, tenantId);
    const { count } = isUuid(id)
      ? await apiKey.updateMany({
          where: { id, tenantId, revokedAt: null },
          data: { revokedAt: new Date() },
        })
      : { count: 0 };
    if (count === 0) throw new Refusal(404, `there is no key "${id}"`);
    await this.invalidations.publish(tenantId);
  }
}

const toKey = ({ id, name, scope, userId, createdAt, expiresAt, lastUsedAt }: ApiKey): Key => ({
  id,
  name,
  scope,
  userId,
  createdAt: createdAt.toISOString(),
  ...(expiresAt ? { expiresAt: expiresAt.toISOString() } : {}),
  ...(lastUsedAt ? { lastUsedAt: lastUsedAt.toISOString() } : {}),
});
