import crypto from 'node:crypto';
import type { ClusterHost } from '@terrarium/host';
import type { ClusterRow, LogStore } from '@terrarium/store';
import { LRUCache } from 'lru-cache';
import type { PrismaClient } from './database.js';
import { Refusal, unknownCluster } from './failures.js';
import type { Caller } from './identity.js';
import type { Cluster, ClusterList, NewCluster, Page } from './nouns.js';
import type { Templates } from './templates.js';
import { workersOf } from './templates.js';

const ID_BYTES = 8;
const MAX_CACHED_OWNERS = 50_000;
const OWNER_TTL_MS = 60_000;
const MAX_CACHED_QUOTAS = 1_000;
const QUOTA_TTL_MS = 10_000;
/**
 * So close to the quota the clusters are counted each time; further away a count holds for a while, whatever other
 * processes add.
 */
const QUOTA_MARGIN = 1_000;

/** What the log's row keeps of a cluster's making; the engine's factory reads seed and speed. */
interface Settings {
  readonly name: string;
  readonly template: string;
  readonly speed: string;
  readonly seed: string;
  readonly nodes: number;
}

/**
 * Clusters of one tenant. The log's row is the one record of a cluster; every method answers 404 for another tenant's.
 */
export class Clusters {
  /** id -> tenant, of clusters that exist: a cluster never changes hands. */
  private readonly owners = new LRUCache<string, string>({ max: MAX_CACHED_OWNERS, ttl: OWNER_TTL_MS });
  private readonly quotas = new LRUCache<string, { readonly max: number; used: number }>({
    max: MAX_CACHED_QUOTAS,
    ttl: QUOTA_TTL_MS,
  });

  constructor(
    private readonly store: LogStore,
    private readonly host: Pick<ClusterHost, 'deleteCluster'>,
    private readonly templates: Templates,
    private readonly database: Pick<PrismaClient, 'tenant'>,
    private readonly publicUrl: string,
  ) {}

  async create(caller: Caller, wanted: NewCluster): Promise<Cluster> {
    await this.checkQuota(caller.tenantId);
    const id = newId();
    const settings: Settings = {
      name: wanted.name,
      template: wanted.template,
      speed: wanted.speed,
      seed: wanted.seed ?? crypto.randomUUID(),
      nodes: workersOf(wanted.nodes).length,
    };
    const base = await this.templates.base(wanted);
    const row = await this.store.createCluster({
      id,
      tenantId: caller.tenantId,
      base,
      settings: { ...settings },
      createdAt: Date.now(),
    });
    this.owners.set(id, caller.tenantId);
    return this.view(row);
  }

  async list(caller: Caller, { limit, cursor }: Page): Promise<ClusterList> {
    const rows = await this.store.list(caller.tenantId, { limit: limit + 1, after: cursor });
    const items = rows.slice(0, limit).map((row) => this.view(row));
    return rows.length > limit ? { items, nextCursor: items.at(-1)!.id } : { items };
  }

  async get(caller: Caller, id: string): Promise<Cluster> {
    return this.view(await this.row(caller, id));
  }

  async delete(caller: Caller, id: string): Promise<void> {
    await this.row(caller, id);
    this.owners.delete(id);
    await this.host.deleteCluster(id);
  }

  /** Does the cluster exist, and is it this caller's? Cheap: for every request to a cluster's API. */
  async owns(caller: Caller, id: string): Promise<boolean> {
    return (await this.tenantOf(id)) === caller.tenantId;
  }

  /** '' when there is no such cluster. */
  async tenantOf(id: string): Promise<string> {
    const known = this.owners.get(id);
    if (known) return known;
    const owner = (await this.store.cluster(id))?.tenantId ?? '';
    if (owner) this.owners.set(id, owner);
    return owner;
  }

  serverUrl(id: string): string {
    return `${this.publicUrl}/clusters/${id}`;
  }

  private async row(caller: Caller, id: string): Promise<ClusterRow> {
    const row = await this.store.cluster(id);
    if (row?.tenantId !== caller.tenantId) throw unknownCluster(id);
    return row;
  }

  private async checkQuota(tenantId: string): Promise<void> {
    let quota = this.quotas.get(tenantId);
    if (!quota) {
      const { maxClusters } = await this.database.tenant.findUniqueOrThrow({ where: { id: tenantId } });
      this.quotas.set(tenantId, (quota = { max: maxClusters, used: Number.MAX_SAFE_INTEGER }));
    }
    if (quota.used + QUOTA_MARGIN > quota.max) quota.used = await this.store.count(tenantId);
    if (quota.used >= quota.max)
      throw new Refusal(403, `the quota of ${quota.max} clusters is used up: delete one first`);
    quota.used++;
  }

  private view(row: ClusterRow): Cluster {
    const settings = row.settings as unknown as Settings;
    return {
      id: row.id,
      name: settings.name,
      template: settings.template,
      speed: settings.speed,
      seed: settings.seed,
      nodes: settings.nodes,
      revision: row.head,
      createdAt: new Date(row.createdAt).toISOString(),
      state: row.halted === undefined ? 'running' : 'halted',
      ...(row.halted === undefined ? {} : { haltedBecause: row.halted }),
      server: this.serverUrl(row.id),
    };
  }
}

/** Begins with the time of its making (base 36), so that lists are in that order; the rest is chance. */
function newId(): string {
  const chance = BigInt(`0x${crypto.randomBytes(ID_BYTES).toString('hex')}`)
    .toString(36)
    .padStart(13, '0');
  return `c${Date.now().toString(36).padStart(9, '0')}${chance}`;
}
