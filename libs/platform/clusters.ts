import crypto from 'node:crypto';
import type { ClusterHost } from '@terrarium/host';
import type { ClusterRow, LogStore } from '@terrarium/store';
import { LRUCache } from 'lru-cache';
import type { PrismaClient } from './database.js';
import { Refusal, unknownCluster } from './refusal.js';
import type { Caller } from './identity.js';
import type { Cluster, ClusterList, NewCluster, Page } from './nouns.js';
import type { Templates } from './templates.js';
import { workerNodes } from './templates.js';

const ID_BYTES = 8;
const MAX_CACHED_OWNERS = 50_000;
const OWNER_TTL_MS = 60_000;
const MAX_CACHED_QUOTAS = 1_000;
const QUOTA_TTL_MS = 10_000;
/**
 * With so few clusters left to the quota they are counted each time; else a count holds for a while, although other
 * processes may add clusters.
 */
const QUOTA_MARGIN = 1_000;

/** The settings in the log's row of a cluster; the factory of engines reads the seed. */
interface Settings {
  readonly name: string;
  readonly template: string;
  readonly speed: string;
  readonly seed: string;
  readonly nodes: number;
}

/** Clusters as a product. The log's row is the only record of a cluster; another tenant's is refused with 404. */
export class Clusters {
  /** The tenants of clusters that exist, by id: a cluster never changes its tenant. */
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

  async create(caller: Caller, cluster: NewCluster): Promise<Cluster> {
    await this.checkQuota(caller.tenantId);
    const id = generateId();
    const settings: Settings = {
      name: cluster.name,
      template: cluster.template,
      speed: cluster.speed,
      seed: cluster.seed ?? crypto.randomUUID(),
      nodes: workerNodes(cluster.nodes).length,
    };
    const base = await this.templates.ensureBase(cluster);
    const row = await this.store.createCluster({
      id,
      tenantId: caller.tenantId,
      base,
      settings: { ...settings },
      createdAt: Date.now(),
    });
    this.owners.set(id, caller.tenantId);
    return this.toCluster(row);
  }

  async list(caller: Caller, { limit, cursor }: Page): Promise<ClusterList> {
    const rows = await this.store.list(caller.tenantId, { limit: limit + 1, after: cursor });
    const items = rows.slice(0, limit).map((row) => this.toCluster(row));
    return rows.length > limit ? { items, nextCursor: items.at(-1)!.id } : { items };
  }

  async get(caller: Caller, id: string): Promise<Cluster> {
    return this.toCluster(await this.findRow(caller, id));
  }

  async delete(caller: Caller, id: string): Promise<void> {
    await this.findRow(caller, id);
    this.owners.delete(id);
    await this.host.deleteCluster(id);
  }

  /** The cluster exists and is the caller's. Cheap: called for every request to a cluster's API. */
  async owns(caller: Caller, id: string): Promise<boolean> {
    return (await this.tenantOf(id)) === caller.tenantId;
  }

  /** The id of the cluster's tenant; '' when there is no such cluster. */
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

  private async findRow(caller: Caller, id: string): Promise<ClusterRow> {
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

  private toCluster(row: ClusterRow): Cluster {
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

/** Begins with the time (base 36), so that lists are in the order of creation; the rest is random. */
function generateId(): string {
  const chance = BigInt(`0x${crypto.randomBytes(ID_BYTES).toString('hex')}`)
    .toString(36)
    .padStart(13, '0');
  return `c${Date.now().toString(36).padStart(9, '0')}${chance}`;
}
