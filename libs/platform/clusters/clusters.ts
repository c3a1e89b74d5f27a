import crypto from 'node:crypto';
import { DEFAULT_VERSION, parseVersion } from '@terrarium/engine';
import type { ClusterHost } from '@terrarium/host';
import {
  ClusterNotFound,
  QuotaExceeded,
  TemplateNotFound,
  type ClusterRow,
  type LogStore,
  type NewCluster as NewRow,
} from '@terrarium/store';
import { LRUCache } from 'lru-cache';
import { COARSE_TTL } from '../coarse-ttl.js';
import { formatDuration } from '../duration.js';
import { parseLabelSelector, patchLabels } from './labels.js';
import type { Cluster, ClusterList, ClusterPatch, ClusterQuery, NewCluster, NewClusterBatch } from '../nouns.js';
import type { Caller, KeyPrincipal } from '../identity/principal.js';
import { Refusal, unknownCluster } from '../refusal.js';
import { forkSettingsOf } from '../snapshots/fork-settings.js';
import type { Templates } from './templates.js';
import { workerNodes } from './templates.js';
import { suspended, type Tenants } from '../tenants/tenants.js';

const ID_BYTES = 8;
const MAX_CACHED_OWNERS = 50_000;
const OWNER_TTL_MS = 60_000;
/** Each kind of cluster needs a template, which is made on this process's thread when it is not known yet. */
const MAX_TEMPLATES_AT_ONCE = 20;
/** Rows that one list looks at when its selector cannot be left to the store. */
const MAX_SCANNED = 5_000;

/** The settings in the log's row of a cluster; the factory of engines reads the seed. */
interface Settings {
  readonly name: string;
  readonly template: string;
  readonly speed: string;
  readonly seed: string;
  readonly nodes: number;
  /** The release that the cluster shows; clusters of earlier releases have the default one. */
  readonly version?: string;
  /** Of the request that created it, when that had an Idempotency-Key. */
  readonly requestHash?: string;
}

/** Clusters that one request has created, or that an earlier one of the same Idempotency-Key has. */
export interface Creation {
  readonly items: Cluster[];
  readonly existed: boolean;
}

/** Clusters as a product. The log's row is the only record of a cluster; another tenant's is refused with 404. */
export class Clusters {
  /** The tenants of clusters that exist, by id: a cluster never changes its tenant. */
  private readonly owners = new LRUCache<string, string>({ max: MAX_CACHED_OWNERS, ttl: OWNER_TTL_MS, ...COARSE_TTL });

  constructor(
    private readonly store: LogStore,
    private readonly host: Pick<ClusterHost, 'deleteCluster'>,
    private readonly templates: Templates,
    private readonly tenants: Pick<Tenants, 'limits'>,
    private readonly publicUrl: string,
  ) {}

  /** Throws Refusal 403 when a quota is used up. */
  async create(caller: Caller, cluster: NewCluster): Promise<Cluster> {
    const { items } = await this.createMany(caller, [cluster]);
    return items[0]!;
  }

  /** Creates clusters of equal settings under names of their own, numbered from 1. All or none. */
  createBatch(caller: Caller, { items }: NewClusterBatch, idempotencyKey?: string): Promise<Creation> {
    const clusters = items.flatMap(({ count, ...cluster }) =>
      count === 1
        ? [cluster]
        : Array.from({ length: count }, (_, i) => ({ ...cluster, name: `${cluster.name}-${i + 1}` })),
    );
    return this.createMany(caller, clusters, idempotencyKey);
  }

  /**
   * Creates all of the clusters or none. A second call with the same Idempotency-Key gives what the first one has
   * created, as long as it exists. Throws Refusal 403 when a quota is used up, and 422 when the key was another
   * request's.
   */
  async createMany(caller: Caller, clusters: readonly NewCluster[], idempotencyKey?: string): Promise<Creation> {
    const { tenantId } = requireKey(caller);
    const limits = await this.tenants.limits(tenantId);
    if (limits.suspended) throw suspended();
    const requestHash = idempotencyKey === undefined ? undefined : hashOf(clusters);
    const ids = generateIds(clusters.length);
    const rows = clusters.map((cluster, i) => ({
      ...toRow(cluster, requestHash),
      id: ids[i]!,
      tenantId,
      idempotencyKey: idempotencyKey && keyOf(idempotencyKey, i),
      quota: { clusters: limits.clusters, nodes: limits.nodes },
    }));
    const created = await this.insert(clusters, rows);
    const isOther = created.some(({ row, existed }) => existed && toSettings(row).requestHash !== requestHash);
    if (isOther) {
      await Promise.all(created.map(({ row, existed }) => (existed ? undefined : this.host.deleteCluster(row.id))));
      throw new Refusal(422, 'this Idempotency-Key was used for another request');
    }
    for (const { row } of created) this.owners.set(row.id, tenantId);
    return {
      items: created.map(({ row }) => this.toCluster(row)),
      existed: created.every(({ existed }) => existed),
    };
  }

  /** Creates clusters that begin elsewhere than on a template. Throws Refusal 403 when a quota is used up. */
  async createRows(caller: Caller, rows: readonly Omit<NewRow, 'id' | 'tenantId' | 'quota'>[]): Promise<Cluster[]> {
    const { tenantId } = requireKey(caller);
    const { suspended: isSuspended, clusters, nodes } = await this.tenants.limits(tenantId);
    if (isSuspended) throw suspended();
    const ids = generateIds(rows.length);
    const own = rows.map((row, i) => ({ ...row, id: ids[i]!, tenantId, quota: { clusters, nodes } }));
    const created = await this.store.createClusters(own).catch((error: unknown) => {
      throw error instanceof QuotaExceeded ? quotaRefusal(error) : error;
    });
    for (const id of ids) this.owners.set(id, tenantId);
    return created.map(({ row }) => this.toCluster(row));
  }

  /** In the order of their creation. */
  async list(caller: Caller, { limit, cursor, labelSelector = '' }: ClusterQuery): Promise<ClusterList> {
    const { tenantId } = requireKey(caller);
    const selector = parseLabelSelector(labelSelector);
    const items: Cluster[] = [];
    let after = cursor;
    for (let scanned = 0; ; scanned += limit) {
      const rows = await this.store.list(tenantId, { limit: limit + 1, after, labels: selector.pairs });
      const page = rows.slice(0, limit);
      for (const row of page) {
        if (items.length === limit) return { items, nextCursor: after };
        if (selector.matches(row.labels)) items.push(this.toCluster(row));
        after = row.id;
      }
      if (rows.length <= limit) return { items };
      if (items.length === limit || scanned + limit >= MAX_SCANNED) return { items, nextCursor: after };
    }
  }

  async get(caller: Caller, id: string): Promise<Cluster> {
    return this.toCluster(await this.findRow(caller, id));
  }

  /** Its end, counted from now, its labels and its name. Throws Refusal 404. */
  async update(caller: Caller, id: string, { name, labels, ttl, idleTimeout }: ClusterPatch): Promise<Cluster> {
    requireKey(caller);
    const row = await this.findRow(caller, id);
    const update = {
      name,
      labels: labels && patchLabels(row.labels, labels),
      expiresAt: typeof ttl === 'number' ? Date.now() + ttl : ttl,
      idleTimeoutMs: idleTimeout,
    };
    return this.toCluster(await this.store.updateLife(id, update).catch(rejectAsUnknown(id)));
  }

  async delete(caller: Caller, id: string): Promise<void> {
    requireKey(caller);
    await this.findRow(caller, id);
    this.owners.delete(id);
    await this.host.deleteCluster(id);
  }

  /** Throws Refusal 404 unless the cluster is the caller's. Cheap: called for every request to the inside of one. */
  async mustOwn({ tenantId, clusterId = '' }: Caller, id: string): Promise<void> {
    const isNamed = clusterId === '' || clusterId === id;
    if (!isNamed || (await this.tenantOf(id)) !== tenantId) throw unknownCluster(id);
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

  /** The row of a cluster of the caller's. Throws Refusal 404. */
  async findRow({ tenantId, clusterId }: Caller, id: string): Promise<ClusterRow> {
    const row = clusterId === undefined || clusterId === id ? await this.store.cluster(id) : undefined;
    if (!row || row.tenantId !== tenantId) throw unknownCluster(id);
    return row;
  }

  toCluster(row: ClusterRow): Cluster {
    const { name, template, speed, seed, nodes, version = DEFAULT_VERSION } = toSettings(row);
    return {
      id: row.id,
      name,
      template,
      speed,
      seed,
      nodes,
      version,
      labels: row.labels,
      revision: row.head,
      bytes: row.bytes,
      createdAt: timestamp(row.createdAt),
      lastUsedAt: timestamp(row.lastUsedAt),
      ...(row.expiresAt === undefined ? {} : { expiresAt: timestamp(row.expiresAt) }),
      ...(row.idleTimeoutMs === undefined ? {} : { idleTimeout: formatDuration(row.idleTimeoutMs) }),
      state: stateOf(row),
      ...(row.halted === undefined ? {} : { haltedBecause: row.halted }),
      ...forkedFromOf(row),
      server: this.serverUrl(row.id),
    };
  }

  /** A template may have been dropped since it was made: it is made once more. */
  private async insert(clusters: readonly NewCluster[], rows: readonly Omit<NewRow, 'base'>[]) {
    for (let tries = 1; ; tries++) {
      const bases = await this.ensureBases(rows[0]!.tenantId, clusters);
      try {
        return await this.store.createClusters(rows.map((row, i) => ({ ...row, base: bases[i] })));
      } catch (error) {
        if (error instanceof QuotaExceeded) throw quotaRefusal(error);
        if (!(error instanceof TemplateNotFound) || tries > 1) throw error;
        this.templates.forget();
      }
    }
  }

  private async ensureBases(tenantId: string, clusters: readonly NewCluster[]) {
    const kinds = new Map(clusters.map((cluster) => [kindOf(cluster), cluster]));
    if (kinds.size > MAX_TEMPLATES_AT_ONCE)
      throw new Refusal(400, `items: must not be more than ${MAX_TEMPLATES_AT_ONCE} different kinds of clusters`);
    const bases = new Map<string, Awaited<ReturnType<Templates['ensureBase']>>>();
    for (const [kind, cluster] of kinds) bases.set(kind, await this.templates.ensureBase(tenantId, cluster));
    return clusters.map((cluster) => bases.get(kindOf(cluster)));
  }
}

const forkedFromOf = (row: ClusterRow): Pick<Cluster, 'forkedFrom'> => {
  const { forkedFrom } = forkSettingsOf(row);
  return forkedFrom ? { forkedFrom } : {};
};

const stateOf = ({ halted, pausedAt }: ClusterRow): Cluster['state'] =>
  halted !== undefined ? 'halted' : pausedAt !== undefined ? 'paused' : 'running';

const toSettings = ({ settings }: Pick<ClusterRow, 'settings'>): Settings => settings as unknown as Settings;

function toRow(cluster: NewCluster, requestHash: string | undefined) {
  const { name, template, speed, labels, ttl, idleTimeout } = cluster;
  const createdAt = Date.now();
  const nodes = workerNodes(cluster).length;
  const settings: Settings = {
    name,
    template,
    speed,
    seed: cluster.seed ?? crypto.randomUUID(),
    nodes,
    version: parseVersion(cluster.version),
    ...(requestHash === undefined ? {} : { requestHash }),
  };
  return {
    settings: { ...settings },
    labels,
    nodes,
    createdAt,
    expiresAt: ttl === undefined ? undefined : createdAt + ttl,
    idleTimeoutMs: idleTimeout,
  };
}

/** A token's holder works in one cluster, and makes, changes and lists none. */
export function requireKey(caller: Caller): KeyPrincipal {
  if (caller.kind === 'key') return caller;
  throw new Refusal(403, 'a token is for one cluster only: send a key');
}

const quotaRefusal = ({ quota, max }: QuotaExceeded): Refusal =>
  new Refusal(
    403,
    `the quota of ${max} ${quota} is used up: delete ${quota === 'clusters' ? 'one' : 'a cluster'} first`,
  );

const rejectAsUnknown =
  (id: string) =>
  (error: unknown): never => {
    throw error instanceof ClusterNotFound ? unknownCluster(id) : error;
  };

/** Clusters of one kind begin on the same template: they differ in nothing but these fields. */
const kindOf = ({ name: _, seed: __, labels: ___, ttl: ____, idleTimeout: _____, ...kind }: NewCluster): string =>
  JSON.stringify(kind);

const hashOf = (clusters: readonly NewCluster[]): string =>
  crypto.createHash('sha256').update(JSON.stringify(clusters)).digest('base64url');

/** Each cluster of a request has a key of its own. */
const keyOf = (idempotencyKey: string, i: number): string => (i === 0 ? idempotencyKey : `${idempotencyKey}\n${i}`);

const timestamp = (ms: number): string => new Date(ms).toISOString();

/** Ascending, so that clusters that are created together are listed in their order. */
const generateIds = (count: number): string[] => Array.from({ length: count }, generateId).sort();

/** Begins with the time (base 36), so that lists are in the order of creation; the rest is random. */
function generateId(): string {
  const chance = BigInt(`0x${crypto.randomBytes(ID_BYTES).toString('hex')}`)
    .toString(36)
    .padStart(13, '0');
  return `c${Date.now().toString(36).padStart(9, '0')}${chance}`;
}
