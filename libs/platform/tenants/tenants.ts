import type { ClusterHost, TenantLimits } from '@terrarium/host';
import type { LogStore } from '@terrarium/store';
import { LRUCache } from 'lru-cache';
import { COARSE_TTL } from '../coarse-ttl.js';
import { generateKey, hashKey } from '../identity/credentials.js';
import type { PrismaClient } from '../database.js';
import type { Tenant as TenantRow } from '../generated/client.js';
import type { Invalidations } from '../identity/invalidations.js';
import type { Page } from '../nouns.js';
import { afterCursor, BY_AGE, isUuid, pageOf } from '../page.js';
import { isDuplicate, Refusal } from '../refusal.js';
import type {
  CreatedTenant,
  Limits,
  LimitsPatch,
  NewTenant,
  Tenant,
  TenantKey,
  TenantList,
  TenantWithUsage,
  Usage,
} from './tenant-nouns.js';

const MAX_CACHED_LIMITS = 20_000;
/** How long other limits may hold in another process when their announcement is lost. */
const LIMITS_TTL_MS = 10_000;
const DELETED_AT_ONCE = 16;

/** Limits of a tenant that does not exist any more: its clusters, if any are left, stand still. */
const NONE: TenantLimits = { suspended: true, clusters: 0, nodes: 0, bytes: 0, clusterBytes: 0 };

export const suspended = (): Refusal =>
  new Refusal(403, 'this tenant is suspended: ask the operator of the service to resume it');

const unknownTenant = (id: string): Refusal => new Refusal(404, `there is no tenant "${id}"`);

/** Tenants as the operator sees them, and the limits that hold for each. */
export class Tenants {
  private readonly cache = new LRUCache<string, TenantLimits>({
    max: MAX_CACHED_LIMITS,
    ttl: LIMITS_TTL_MS,
    ...COARSE_TTL,
  });
  /** Counts the calls of forget(): what was read before one may be out of date. */
  private forgotten = 0;

  constructor(
    private readonly database: PrismaClient,
    private readonly store: Pick<LogStore, 'usage' | 'list' | 'suspendTenant'>,
    private readonly invalidations: Pick<Invalidations, 'publish'>,
  ) {}

  /** The limits that hold for a tenant: at once when they are in the cache, which forget() empties. */
  limits(id: string): TenantLimits | Promise<TenantLimits> {
    return this.cache.get(id) ?? this.readLimits(id);
  }

  private async readLimits(id: string): Promise<TenantLimits> {
    const { forgotten } = this;
    const row = isUuid(id) ? await this.database.tenant.findUnique({ where: { id } }) : null;
    const limits = row ? { suspended: row.suspendedAt !== null, ...toLimits(row) } : NONE;
    if (forgotten === this.forgotten) this.cache.set(id, limits);
    return limits;
  }

  forget(id?: string): void {
    this.forgotten++;
    if (id === undefined) this.cache.clear();
    else this.cache.delete(id);
  }

  /** A tenant with one user, and that user's key. Throws Refusal 409 when there is one of this name. */
  async create({ name, user, limits }: NewTenant): Promise<CreatedTenant> {
    const key = generateKey();
    try {
      const row = await this.database.$transaction(async (transaction) => {
        const tenant = await transaction.tenant.create({ data: { name, ...toColumns(limits) } });
        const { id: userId } = await transaction.user.create({ data: { tenantId: tenant.id, name: user } });
        await transaction.apiKey.create({
          data: { hash: hashKey(key), tenantId: tenant.id, userId, name: 'first', scope: 'manage' },
        });
        return tenant;
      });
      return { ...toTenant(row), key };
    } catch (error) {
      if (isDuplicate(error)) throw new Refusal(409, `there is a tenant "${name}" already`);
      throw error;
    }
  }

  /** Oldest first. */
  async list({ limit, cursor }: Page): Promise<TenantList> {
    const rows = await this.database.tenant.findMany({
      where: afterCursor(cursor),
      orderBy: [...BY_AGE],
      take: limit + 1,
    });
    return pageOf(rows, limit, toTenant);
  }

  /** Throws Refusal 404. */
  async get(id: string): Promise<TenantWithUsage> {
    return { ...toTenant(await this.require(id)), used: await this.store.usage(id) };
  }

  /** What a tenant may use, and what it does. */
  async usage(id: string): Promise<Usage> {
    const row = await this.require(id);
    return { limits: toLimits(row), used: await this.store.usage(id) };
  }

  /** Limits below what is used take nothing away. Throws Refusal 404. */
  async limit(id: string, limits: LimitsPatch): Promise<Tenant> {
    return this.update(id, toColumns(limits));
  }

  /** All its requests are refused, and its clusters stand still. Throws Refusal 404. */
  async suspend(id: string): Promise<Tenant> {
    const tenant = await this.update(id, { suspendedAt: new Date() });
    await this.store.suspendTenant(id, true);
    return tenant;
  }

  /** Throws Refusal 404. */
  async resume(id: string): Promise<Tenant> {
    const tenant = await this.update(id, { suspendedAt: null });
    await this.store.suspendTenant(id, false);
    return tenant;
  }

  /**
   * Suspends the tenant, so that nothing new is made, then deletes its clusters, then the tenant with its users, keys
   * and tokens. When it rejects in between, it can be called again. Throws Refusal 404.
   */
  async delete(id: string, host: Pick<ClusterHost, 'deleteCluster'>): Promise<void> {
    await this.suspend(id);
    for (;;) {
      const rows = await this.store.list(id, { limit: DELETED_AT_ONCE });
      if (rows.length === 0) break;
      await Promise.all(rows.map((row) => host.deleteCluster(row.id)));
    }
    await this.database.tenant.deleteMany({ where: { id } });
    await this.invalidations.publish(id);
  }

  /**
   * A key of the tenant's oldest user that is not disabled, for a tenant that has lost its own. Throws Refusal 404, and
   * 409 when there is no such user.
   */
  async createKey(id: string): Promise<TenantKey> {
    await this.require(id);
    const user = await this.database.user.findFirst({
      where: { tenantId: id, disabledAt: null },
      orderBy: [...BY_AGE],
    });
    if (!user) throw new Refusal(409, 'this tenant has no user that is not disabled');
    const key = generateKey();
    await this.database.apiKey.create({
      data: { hash: hashKey(key), tenantId: id, userId: user.id, name: 'from the operator', scope: 'manage' },
    });
    return { key };
  }

  private async update(id: string, data: Partial<TenantRow>): Promise<Tenant> {
    await this.require(id);
    const row = await this.database.tenant.update({ where: { id }, data });
    await this.invalidations.publish(id);
    return toTenant(row);
  }

  private async require(id: string): Promise<TenantRow> {
    const row = isUuid(id) ? await this.database.tenant.findUnique({ where: { id } }) : null;
    if (!row) throw unknownTenant(id);
    return row;
  }
}

const toTenant = (row: TenantRow): Tenant => ({
  id: row.id,
  name: row.name,
  suspended: row.suspendedAt !== null,
  limits: toLimits(row),
  createdAt: row.createdAt.toISOString(),
});

const toLimits = (row: TenantRow): Limits => ({
  clusters: row.maxClusters,
  nodes: row.maxNodes,
  bytes: Number(row.maxBytes),
  clusterBytes: Number(row.maxClusterBytes),
  ...(row.maxRequestsPerSecond === null ? {} : { requestsPerSecond: row.maxRequestsPerSecond }),
});

/** The columns of the limits that are given; the others stay as they are. */
export const toColumns = ({ clusters, nodes, bytes, clusterBytes, requestsPerSecond }: LimitsPatch) => ({
  maxClusters: clusters,
  maxNodes: nodes,
  maxBytes: bytes === undefined ? undefined : BigInt(bytes),
  maxClusterBytes: clusterBytes === undefined ? undefined : BigInt(clusterBytes),
  maxRequestsPerSecond: requestsPerSecond,
});
