import {
  Compacted,
  type Append,
  type AppendResult,
  type Checkpoint,
  type ClusterRow,
  type CreatedCluster,
  type LifeUpdate,
  type ListOptions,
  type LockedCluster,
  type LogStore,
  type NewCluster,
  type Quota,
  type Segment,
  type Usage,
  type Wake,
} from '../log-store.js';
import type { NewSnapshot, Reset, Snapshot, SnapshotLimits } from '../snapshot-store.js';
import { ClusterTable } from './cluster-table.js';
import {
  changeLife,
  checkQuota,
  endOf,
  isOn,
  newStoredCluster,
  noteCheckpoint,
  parentOf,
  touch,
  write,
  type StoredCluster,
} from './memory-cluster.js';
import { MemoryHistory } from './memory-history.js';
import { MemorySnapshots, resetRow } from './memory-snapshots.js';
import { MemoryTemplates } from './memory-templates.js';

/** The log in this process's memory, for tests and benchmarks. Behaves as PostgresLogStore, but is not durable. */
export class MemoryLogStore implements LogStore {
  private readonly clusters = new ClusterTable();
  private readonly history = new MemoryHistory(this.clusters);
  private readonly snapshots = new MemorySnapshots();
  private readonly templates = new MemoryTemplates();
  /** Real ms at which each chore is due. */
  private readonly chores = new Map<string, number>();
  private readonly suspendedTenants = new Set<string>();

  async createCluster(cluster: NewCluster): Promise<ClusterRow> {
    const [created] = await this.createClusters([cluster]);
    return created!.row;
  }

  async createClusters(clusters: readonly NewCluster[]): Promise<CreatedCluster[]> {
    if (clusters.some(({ tenantId }) => tenantId !== clusters[0]!.tenantId))
      throw new Error('clusters that are created together must be of one tenant');
    const fresh = new Set<string>();
    try {
      return clusters.map((cluster) => {
        const { row } = this.clusters.findByKey(cluster) ?? this.insert(cluster, clusters[0]!.quota);
        const existed = row.id !== cluster.id || fresh.has(row.id);
        if (!existed) fresh.add(row.id);
        return { row, existed };
      });
    } catch (error) {
      for (const id of fresh) this.clusters.remove(id);
      throw error;
    }
  }

  async cluster(id: string): Promise<ClusterRow | undefined> {
    return this.clusters.find(id)?.row;
  }

  async deleteCluster(id: string, expiredBefore = Infinity): Promise<boolean> {
    const held = this.clusters.find(id);
    if (!held) return false;
    if (expiredBefore < Infinity && endOf(held.row) >= expiredBefore) return false;
    held.deleted = true;
    return true;
  }

  async list(tenantId: string, { limit, after = '', labels = {} }: ListOptions): Promise<ClusterRow[]> {
    const wanted = Object.entries(labels);
    return this.clusters
      .rowsOf(tenantId)
      .filter((row) => row.id > after && wanted.every(([name, value]) => row.labels[name] === value))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  }

  async usage(tenantId: string): Promise<Usage> {
    return this.usageOf(tenantId);
  }

  async updateSettings(id: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
    const held = this.clusters.mustFind(id);
    held.row = { ...held.row, settings: structuredClone(settings) };
  }

  async updateLife(id: string, update: LifeUpdate): Promise<ClusterRow> {
    const held = this.clusters.mustFind(id);
    held.row = changeLife(held.row, update);
    return held.row;
  }

  async touch(entries: readonly { readonly id: string; readonly at: number }[]): Promise<void> {
    for (const { id, at } of entries) {
      const held = this.clusters.get(id);
      if (held) touch(held, at);
    }
  }

  async suspendTenant(tenantId: string, suspended: boolean): Promise<void> {
    if (suspended) this.suspendedTenants.add(tenantId);
    else this.suspendedTenants.delete(tenantId);
  }

  async heads(ids: readonly string[]): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (const id of ids) {
      const held = this.clusters.find(id);
      if (held) found.set(id, held.row.head);
    }
    return found;
  }

  append(id: string, append: Append): Promise<AppendResult> {
    return this.clusters.runLocked(id, async (held) => write(held, append.expected, append.wake, append));
  }

  setWake(id: string, expected: number, wake: Wake): Promise<AppendResult> {
    return this.clusters.runLocked(id, async (held) => write(held, expected, wake, undefined));
  }

  withLock<T>(id: string, run: (cluster: LockedCluster) => Promise<T>): Promise<T> {
    return this.clusters.runLocked(id, (held) =>
      run({
        head: held.row.head,
        read: (after, limit) => this.read(id, after, limit),
        append: async (append) => write(held, append.expected, append.wake, append),
        setWake: async (wake) => write(held, held.row.head, wake, undefined),
      }),
    );
  }

  async read(id: string, after: number, limit: number): Promise<Segment[]> {
    this.clusters.mustFind(id);
    return this.history.segmentsAfter(id, after).slice(0, limit);
  }

  async oldestRetained(id: string): Promise<number> {
    return this.history.oldestOf(this.clusters.mustFind(id));
  }

  async saveCheckpoint(owner: string, revision: number, state: Uint8Array): Promise<void> {
    const held = this.clusters.get(owner);
    const isTemplate = owner.startsWith('template:');
    if (!isTemplate && (!held || held.deleted)) return;
    const isNew = this.history.keep(owner, revision, state);
    if (isTemplate) this.templates.save(owner, revision);
    if (held) noteCheckpoint(held, revision, isNew ? state.length : 0);
  }

  async loadCheckpoint(id: string, atMost = Infinity): Promise<Checkpoint | undefined> {
    this.clusters.mustFind(id);
    return this.history.latest(id, atMost);
  }

  async compact(id: string, before: number): Promise<number> {
    const held = this.clusters.find(id);
    return held ? this.history.compact(held, before) : 0;
  }

  async compactable(before: number, limit: number): Promise<string[]> {
    return this.clusters.earliest((held) => held.compactAt, before, limit);
  }

  async reviewable(now: number, limit: number): Promise<string[]> {
    return this.clusters.earliest((held) => held.reviewAt, now, limit);
  }

  async review(id: string, at: number | undefined): Promise<void> {
    const held = this.clusters.get(id);
    if (held) held.reviewAt = at ?? Infinity;
  }

  async expired(now: number, limit: number): Promise<string[]> {
    return this.clusters.earliest((held) => endOf(held.row), now, limit);
  }

  async attachedForks(createdBefore: number, parentBytes: number, limit: number): Promise<string[]> {
    const isDue = (held: StoredCluster): boolean => {
      const parent = this.clusters.get(parentOf(held) ?? '');
      return held.row.createdAt < createdBefore || !parent || parent.deleted || parent.row.bytes >= parentBytes;
    };
    return this.clusters
      .earliest(({ row }) => row.createdAt, Infinity, Infinity)
      .filter((id) => {
        const held = this.clusters.get(id)!;
        return held.readsParent && held.row.halted === undefined && isDue(held);
      })
      .slice(0, limit);
  }

  async saveSnapshot(id: string, snapshot: NewSnapshot, limits: SnapshotLimits): Promise<Snapshot> {
    this.clusters.mustFind(id);
    return this.snapshots.save(id, snapshot, limits);
  }

  async listSnapshots(id: string): Promise<Snapshot[]> {
    return this.clusters.find(id) ? this.snapshots.list(id) : [];
  }

  async loadSnapshot(id: string, name: string): Promise<NewSnapshot | undefined> {
    return this.clusters.find(id) ? this.snapshots.load(id, name) : undefined;
  }

  async deleteSnapshot(id: string, name: string): Promise<boolean> {
    return this.clusters.find(id) !== undefined && this.snapshots.delete(id, name);
  }

  reset(id: string, reset: Reset): Promise<AppendResult> {
    return this.clusters.runLocked(id, async (held) => {
      const result = resetRow(held, reset);
      if (result.ok) this.history.keep(id, result.head, reset.state);
      return result;
    });
  }

  async purge(limit: number): Promise<number> {
    let purged = 0;
    for (const held of this.clusters.all()) {
      const { id } = held.row;
      if (!held.deleted || this.clusters.forksOf(id).length > 0) continue;
      if (purged >= limit) break;
      purged += held.segments.length + this.history.dropAll(id) + this.snapshots.deleteAll(id) + 1;
      this.clusters.remove(id);
    }
    return purged;
  }

  async dropTemplates(unusedSince: number, limit: number): Promise<number> {
    const isInUse = (owner: string, revision: number): boolean =>
      this.clusters.all().some(({ row }) => isOn(row, owner, revision));
    return this.templates.dropUnused(unusedSince, limit, isInUse, (owner, at) => this.history.drop(owner, at));
  }

  async takeChore(name: string, leaseMs: number): Promise<boolean> {
    const isDue = (this.chores.get(name) ?? 0) <= Date.now();
    if (isDue) this.chores.set(name, Date.now() + leaseMs);
    return isDue;
  }

  async finishChore(name: string, dueInMs: number): Promise<void> {
    this.chores.set(name, Date.now() + dueInMs);
  }

  async overdue(before: number, limit: number): Promise<string[]> {
    const wakeOf = ({ row }: StoredCluster): number => {
      const canRun = row.halted === undefined && row.pausedAt === undefined && !this.suspendedTenants.has(row.tenantId);
      return canRun ? (row.nextWake ?? Infinity) : Infinity;
    };
    return this.clusters.earliest(wakeOf, before, limit);
  }

  async halt(id: string, reason: string | undefined): Promise<void> {
    const held = this.clusters.mustFind(id);
    held.row = { ...held.row, halted: reason };
  }

  async close(): Promise<void> {}

  private insert(cluster: NewCluster, quota: Quota | undefined): StoredCluster {
    if (this.clusters.get(cluster.id)) throw new Error(`cluster ${cluster.id} exists`);
    if (quota) checkQuota(this.usageOf(cluster.tenantId), cluster.nodes, quota);
    const held = newStoredCluster(cluster, this.findEpoch(cluster));
    this.clusters.add(held);
    if (cluster.start) this.history.keep(cluster.id, cluster.start.revision, cluster.start.state);
    return held;
  }

  /** Where the new cluster's history begins, after a look at its base. */
  private findEpoch({ base, createdAt }: Pick<NewCluster, 'base' | 'createdAt'>): number {
    if (!base) return createdAt;
    if ('template' in base) {
      this.templates.use(base);
      return createdAt;
    }
    const parent = this.clusters.mustFind(base.parent);
    const oldest = this.history.oldestOf(parent);
    if (base.revision < oldest || base.revision > parent.row.head) throw new Compacted(oldest);
    return parent.row.epoch;
  }

  private usageOf(tenantId: string): Usage {
    const rows = this.clusters.rowsOf(tenantId);
    return {
      clusters: rows.length,
      nodes: rows.reduce((sum, { nodes }) => sum + nodes, 0),
      bytes: rows.reduce((sum, { id, bytes }) => sum + bytes + this.snapshots.bytes(id), 0),
    };
  }
}
