import type { NewUser, User, UserList } from './access-nouns.js';
import { forTenant, type PrismaClient } from '../database.js';
import type { User as UserRow } from '../generated/client.js';
import type { Invalidations } from './invalidations.js';
import type { Page } from '../nouns.js';
import { afterCursor, BY_AGE, isUuid, pageOf } from '../page.js';
import type { Caller } from './principal.js';
import { isDuplicate, Refusal } from '../refusal.js';

const MAX_USERS = 10_000;

/** The users of the caller's tenant. */
export class Users {
  constructor(
    private readonly database: PrismaClient,
    private readonly invalidations: Pick<Invalidations, 'publish'>,
  ) {}

  /** Throws Refusal 409 when there is one of this name, 403 when there are too many. */
  async create({ tenantId }: Caller, { name }: NewUser): Promise<User> {
    const { user } = forTenant(this.database, tenantId);
    if ((await user.count({ where: { tenantId } })) >= MAX_USERS)
      throw new Refusal(403, `there are ${MAX_USERS} users already: delete one first`);
    try {
      return toUser(await user.create({ data: { tenantId, name } }));
    } catch (error) {
      if (isDuplicate(error)) throw new Refusal(409, `there is a user "${name}" already`);
      throw error;
    }
  }

  async list({ tenantId }: Caller, { limit, cursor }: Page): Promise<UserList> {
    const where = { tenantId, ...afterCursor(cursor) };
    const rows = await forTenant(this.database, tenantId).user.findMany({
      where,
      orderBy: [...BY_AGE],
      take: limit + 1,
    });
    return pageOf(rows, limit, toUser);
  }

  /** Its keys, and tokens made with them, are refused at once. Throws Refusal 404, and 409 for the caller itself. */
  async disable(caller: Caller, id: string): Promise<User> {
    requireOther(caller, id, 'disable');
    return this.update(caller, id, new Date());
  }

  /** Throws Refusal 404. */
  async enable(caller: Caller, id: string): Promise<User> {
    return this.update(caller, id, null);
  }

  /** Deletes its keys and tokens, too. Throws Refusal 404, and 409 for the caller itself. */
  async delete(caller: Caller, id: string): Promise<void> {
    requireOther(caller, id, 'delete');
    const { tenantId } = caller;
    await this.require(caller, id);
    await forTenant(this.database, tenantId).user.deleteMany({ where: { id, tenantId } });
    await this.invalidations.publish(tenantId);
  }

  private async update(caller: Caller, id: string, disabledAt: Date | null): Promise<User> {
    const { tenantId } = caller;
    const row = await this.require(caller, id);
    await forTenant(this.database, tenantId).user.updateMany({ where: { id, tenantId }, data: { disabledAt } });
    await this.invalidations.publish(tenantId);
    return toUser({ ...row, disabledAt });
  }

  private async require({ tenantId }: Caller, id: string): Promise<UserRow> {
    const { user } = forTenant(this.database, tenantId);
    const row = isUuid(id) ? await user.findFirst({ where: { id, tenantId } }) : null;
    if (!row) throw unknownUser(id);
    return row;
  }
}

export const unknownUser = (id: string): Refusal => new Refusal(404, `there is no user "${id}"`);

/** Without this, a tenant's last user could lock the tenant out. */
function requireOther({ userId }: Caller, id: string, verb: string): void {
  if (id === userId) throw new Refusal(409, `you cannot ${verb} yourself: let another user do it`);
}

const toUser = ({ id, name, disabledAt, createdAt }: UserRow): User => ({
  id,
  name,
  disabled: disabledAt !== null,
  createdAt: createdAt.toISOString(),
});
