import {
  ClusterNotFound,
  Compacted,
  TemplateNotFound,
  TOUCH_MS,
  templateOwner,
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
} from './log-store.js';
import { MemorySnapshots, resetRow } from './memory-snapshots.js';
import type { NewSnapshot, Reset, Snapshot, SnapshotLimits } from './snapshot-store.js';
import {
  changeLife,
  checkQuota,
  countStep,
  endOf,
  isOn,
  parentOf,
  sumBytes,
  write,
  type StoredCluster,
} from './memory-cluster.js';

const HOUR_MS = 60 * 60_000;

/** The log in this process's memory, for tests and benchmarks. Behaves as PostgresLogStore, but is not durable. */
export class MemoryLogStore implements LogStore {
  private readonly clusters = new Map<string, StoredCluster>();
  private readonly checkpoints = new Map<string, Map<number, Uint8Array>>();
  private readonly snapshots = new MemorySnapshots();
  /** Templates by owner and revision, with the real ms at which a cluster was last created on them. */
  private readonly templates = new Map<string, { owner: string; revision: number; usedAt: number }>();
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
        const { row } = this.findByKey(cluster) ?? this.insert(cluster, clusters[0]!.quota);
        const existed = row.id !== cluster.id || fresh.has(row.id);
        if (!existed) fresh.add(row.id);
        return { row, existed };
      });
    } catch (error) {
      for (const id of fresh) this.clusters.delete(id);
      throw error;
    }
  }

  async cluster(id: string): Promise<ClusterRow | undefined> {
    const held = this.clusters.get(id);
    return held && !held.deleted ? held.row : undefined;
  }

  async deleteCluster(id: string, expiredBefore = Infinity): Promise<boolean> {
    const held = this.clusters.get(id);
    if (!held || held.deleted) return false;
    if (expiredBefore < Infinity && endOf(held.row) >= expiredBefore) return false;
    held.deleted = true;
    return true;
  }

  async list(tenantId: string, { limit, after = '', labels = {} }: ListOptions): Promise<ClusterRow[]> {
    const wanted = Object.entries(labels);
    return this.rowsOf(tenantId)
      .filter((row) => row.id > after && wanted.every(([name, value]) => row.labels[name] === value))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  }

  async usage(tenantId: string): Promise<Usage> {
    return this.usageOf(tenantId);
  }

  async updateSettings(id: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
    const held = this.mustFind(id);
    held.row = { ...held.row, settings: structuredClone(settings) };
  }

  async updateLife(id: string, update: LifeUpdate): Promise<ClusterRow> {
    const held = this.mustFind(id);
    held.row = changeLife(held.row, update);
    return held.row;
  }

  async touch(entries: readonly { readonly id: string; readonly at: number }[]): Promise<void> {
    for (const { id, at } of entries) {
      const held = this.clusters.get(id);
      if (!held) continue;
      const { lastUsedAt, idleTimeoutMs } = held.row;
      const isDue = at > lastUsedAt + (idleTimeoutMs === undefined ? TOUCH_MS : 0);
      if (isDue) held.row = { ...held.row, lastUsedAt: at };
    }
  }

  async suspendTenant(tenantId: string, suspended: boolean): Promise<void> {
    if (suspended) this.suspendedTenants.add(tenantId);
    else this.suspendedTenants.delete(tenantId);
  }

  async heads(ids: readonly string[]): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (const id of ids) {
      const held = this.clusters.get(id);
      if (held && !held.deleted) found.set(id, held.row.head);
    }
    return found;
  }

  append(id: string, append: Append): Promise<AppendResult> {
    return this.runLocked(id, async (held) => write(held, append.expected, append.wake, append));
  }

  setWake(id: string, expected: number, wake: Wake): Promise<AppendResult> {
    return this.runLocked(id, async (held) => write(held, expected, wake, undefined));
  }

  withLock<T>(id: string, run: (cluster: LockedCluster) => Promise<T>): Promise<T> {
    return this.runLocked(id, (held) =>
      run({
        head: held.row.head,
        read: (after, limit) => this.read(id, after, limit),
        append: async (append) => write(held, append.expected, append.wake, append),
        setWake: async (wake) => write(held, held.row.head, wake, undefined),
      }),
    );
  }

  async read(id: string, after: number, limit: number): Promise<Segment[]> {
    this.mustFind(id);
    return this.segmentsAfter(id, after).slice(0, limit);
  }

  async oldestRetained(id: string): Promise<number> {
    return this.oldestOf(this.mustFind(id));
  }

  async saveCheckpoint(owner: string, revision: number, state: Uint8Array): Promise<void> {
    const held = this.clusters.get(owner);
    const isTemplate = owner.startsWith('template:');
    if (!isTemplate && (!held || held.deleted)) return;
    const own = this.checkpointsOf(owner);
    const isNew = !own.has(revision);
    if (isNew) own.set(revision, Uint8Array.from(state));
    if (isTemplate) this.templates.set(`${owner}@${revision}`, { owner, revision, usedAt: Date.now() });
    if (!held) return;
    held.readsParent = false;
    const { readsParent: _, ...row } = held.row;
    held.row = { ...row, bytes: row.bytes + (isNew ? state.length : 0) };
    held.tailBytes = sumBytes(held.segments.filter((s) => s.last > revision));
    held.compactAt = Math.min(held.compactAt, held.segments.find((s) => s.last === revision)?.at ?? Infinity);
  }

  async loadCheckpoint(id: string, atMost = Infinity): Promise<Checkpoint | undefined> {
    this.mustFind(id);
    return this.latestCheckpoint(id, atMost);
  }

  async compact(id: string, before: number): Promise<number> {
    const held = this.clusters.get(id);
    if (!held || held.deleted) return 0;
    const cut = this.findCut(held, before) ?? 0;
    const states = this.checkpoints.get(id) ?? new Map<number, Uint8Array>();
    let freed = 0;
    for (const [revision, state] of states) {
      if (revision >= cut) continue;
      freed += state.length;
      states.delete(revision);
    }
    const dropped = held.segments.splice(0, countStep(held.segments.filter((s) => s.last <= cut)));
    held.row = { ...held.row, bytes: held.row.bytes - freed - sumBytes(dropped) };
    const next = held.segments.find((s) => states.has(s.last))?.at ?? Infinity;
    held.compactAt = dropped.length === 0 && next < before ? before + HOUR_MS : next;
    return dropped.length;
  }

  async compactable(before: number, limit: number): Promise<string[]> {
    return this.earliest((held) => held.compactAt, before, limit);
  }

  async reviewable(now: number, limit: number): Promise<string[]> {
    return this.earliest((held) => held.reviewAt, now, limit);
  }

  async review(id: string, at: number | undefined): Promise<void> {
    const held = this.clusters.get(id);
    if (held) held.reviewAt = at ?? Infinity;
  }

  async expired(now: number, limit: number): Promise<string[]> {
    return this.earliest((held) => endOf(held.row), now, limit);
  }

  async attachedForks(createdBefore: number, parentBytes: number, limit: number): Promise<string[]> {
    const isDue = (held: StoredCluster): boolean => {
      const parent = this.clusters.get(parentOf(held) ?? '');
      return held.row.createdAt < createdBefore || !parent || parent.deleted || parent.row.bytes >= parentBytes;
    };
    return this.earliest(({ row }) => row.createdAt, Infinity, Infinity)
      .filter((id) => {
        const held = this.clusters.get(id)!;
        return held.readsParent && held.row.halted === undefined && isDue(held);
      })
      .slice(0, limit);
  }

  async saveSnapshot(id: string, snapshot: NewSnapshot, limits: SnapshotLimits): Promise<Snapshot> {
    this.mustFind(id);
    return this.snapshots.save(id, snapshot, limits);
  }

  async listSnapshots(id: string): Promise<Snapshot[]> {
    return this.exists(id) ? this.snapshots.list(id) : [];
  }

  async loadSnapshot(id: string, name: string): Promise<NewSnapshot | undefined> {
    return this.exists(id) ? this.snapshots.load(id, name) : undefined;
  }

  async deleteSnapshot(id: string, name: string): Promise<boolean> {
    return this.exists(id) && this.snapshots.delete(id, name);
  }

  reset(id: string, reset: Reset): Promise<AppendResult> {
    return this.runLocked(id, async (held) => {
      const result = resetRow(held, reset);
      if (result.ok) this.checkpointsOf(id).set(result.head, Uint8Array.from(reset.state));
      return result;
    });
  }

  async purge(limit: number): Promise<number> {
    let purged = 0;
    for (const [id, held] of this.clusters) {
      if (!held.deleted || this.forksOf(id).length > 0) continue;
      if (purged >= limit) break;
      purged += held.segments.length + (this.checkpoints.get(id)?.size ?? 0) + this.snapshots.deleteAll(id) + 1;
      this.clusters.delete(id);
      this.checkpoints.delete(id);
    }
    return purged;
  }

  async dropTemplates(unusedSince: number, limit: number): Promise<number> {
    const unused = [...this.templates].filter(([, { usedAt }]) => usedAt < unusedSince).slice(0, limit);
    let dropped = 0;
    for (const [key, template] of unused) {
      const { owner, revision } = template;
      if ([...this.clusters.values()].some(({ row }) => isOn(row, owner, revision))) {
        template.usedAt = Date.now();
        continue;
      }
      this.templates.delete(key);
      this.checkpoints.get(owner)?.delete(revision);
      dropped++;
    }
    return dropped;
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
    return this.earliest(wakeOf, before, limit);
  }

  async halt(id: string, reason: string | undefined): Promise<void> {
    const held = this.mustFind(id);
    held.row = { ...held.row, halted: reason };
  }

  async close(): Promise<void> {}

  /** The cluster that stands for a new one with the same idempotency key. */
  private findByKey({ tenantId, idempotencyKey }: NewCluster): StoredCluster | undefined {
    if (idempotencyKey === undefined) return undefined;
    return [...this.clusters.values()].find(
      (held) => !held.deleted && held.row.tenantId === tenantId && held.idempotencyKey === idempotencyKey,
    );
  }

  private insert(
    { quota: _quota, idempotencyKey, start, ...cluster }: NewCluster,
    quota: Quota | undefined,
  ): StoredCluster {
    if (this.clusters.has(cluster.id)) throw new Error(`cluster ${cluster.id} exists`);
    if (quota) checkQuota(this.usageOf(cluster.tenantId), cluster.nodes, quota);
    const { base, createdAt } = cluster;
    const readsParent = !!base && 'parent' in base;
    const row: ClusterRow = {
      ...cluster,
      labels: { ...cluster.labels },
      settings: structuredClone(cluster.settings),
      head: base?.revision ?? start?.revision ?? 0,
      epoch: this.findEpoch(cluster),
      bytes: 0,
      lastUsedAt: createdAt,
      ...(readsParent ? { readsParent } : {}),
    };
    const held: StoredCluster = {
      row,
      idempotencyKey,
      segments: [],
      readsParent,
      deleted: false,
      compactAt: Infinity,
      reviewAt: Infinity,
      tailBytes: 0,
      lock: Promise.resolve(),
    };
    this.clusters.set(row.id, held);
    if (start) this.beginOn(held, start);
    return held;
  }

  private beginOn(held: StoredCluster, { revision, state }: NonNullable<NewCluster['start']>): void {
    held.start = revision;
    held.row = { ...held.row, bytes: state.length };
    this.checkpointsOf(held.row.id).set(revision, Uint8Array.from(state));
  }

  /** Where the new cluster's history begins, after a look at its base. */
  private findEpoch({ base, createdAt }: Pick<NewCluster, 'base' | 'createdAt'>): number {
    if (!base) return createdAt;
    if ('template' in base) {
      const template = this.templates.get(`${templateOwner(base.template)}@${base.revision}`);
      if (!template) throw new TemplateNotFound(base.template);
      template.usedAt = Date.now();
      return createdAt;
    }
    const parent = this.mustFind(base.parent);
    const oldest = this.oldestOf(parent);
    if (base.revision < oldest || base.revision > parent.row.head) throw new Compacted(oldest);
    return parent.row.epoch;
  }

  private rowsOf(tenantId: string): ClusterRow[] {
    return [...this.clusters.values()].filter((h) => !h.deleted && h.row.tenantId === tenantId).map((h) => h.row);
  }

  private usageOf(tenantId: string): Usage {
    const rows = this.rowsOf(tenantId);
    return {
      clusters: rows.length,
      nodes: rows.reduce((sum, { nodes }) => sum + nodes, 0),
      bytes: rows.reduce((sum, { id, bytes }) => sum + bytes + this.snapshots.bytes(id), 0),
    };
  }

  /** Clusters whose time is before `before`, the earliest first. */
  private earliest(timeOf: (held: StoredCluster) => number, before: number, limit: number): string[] {
    return [...this.clusters.values()]
      .filter((held) => !held.deleted && timeOf(held) < before)
      .sort((a, b) => timeOf(a) - timeOf(b))
      .slice(0, limit)
      .map((held) => held.row.id);
  }

  /** The forks that still read this cluster's rows. */
  private forksOf(id: string): StoredCluster[] {
    return [...this.clusters.values()].filter((held) => held.readsParent && parentOf(held) === id);
  }

  private mustFind(id: string): StoredCluster {
    const held = this.clusters.get(id);
    if (!held || held.deleted) throw new ClusterNotFound(id);
    return held;
  }

  private async runLocked<T>(id: string, run: (held: StoredCluster) => Promise<T>): Promise<T> {
    const held = this.mustFind(id);
    const turn = held.lock.then(() => run(held));
    // The caller is told of the error; the lock is free again.
    held.lock = turn.catch(() => undefined);
    return turn;
  }

  private exists(id: string): boolean {
    return this.clusters.get(id)?.deleted === false;
  }

  private checkpointsOf(owner: string): Map<number, Uint8Array> {
    let own = this.checkpoints.get(owner);
    if (!own) this.checkpoints.set(owner, (own = new Map<number, Uint8Array>()));
    return own;
  }

  private revisions(owner: string): number[] {
    return [...(this.checkpoints.get(owner)?.keys() ?? [])].sort((a, b) => a - b);
  }

  private oldestOf(held: StoredCluster): number {
    const base = held.row.base?.revision ?? held.start ?? 0;
    const [first] = this.revisions(held.row.id);
    if (first === undefined) return base;
    const isComplete = (parentOf(held) === undefined || held.readsParent) && held.segments[0]?.first === base + 1;
    return isComplete ? base : first;
  }

  /** The newest checkpoint that is old enough and that no fork needs to be older. */
  private findCut({ row: { id }, segments }: StoredCluster, before: number): number | undefined {
    const forked = Math.min(...this.forksOf(id).map((fork) => fork.row.base!.revision));
    return segments.findLast((s) => s.at < before && s.last <= forked && this.checkpoints.get(id)?.has(s.last))?.last;
  }

  /** Segments after a revision, the parent's too, as long as the fork reads them. */
  private segmentsAfter(id: string, after: number): Segment[] {
    const held = this.clusters.get(id)!;
    const oldest = this.oldestOf(held);
    if (after >= oldest) return held.segments.filter((s) => s.last > after);
    const parent = parentOf(held);
    const base = held.row.base?.revision ?? 0;
    if (!held.readsParent || parent === undefined || after >= base)
      throw new Compacted(oldest, parent === undefined && oldest === (held.row.base?.revision ?? held.start ?? 0));
    const before = this.segmentsAfter(parent, after).filter((s) => s.first <= base);
    return [...before.map((s) => ({ ...s, last: Math.min(s.last, base) })), ...held.segments];
  }

  private latestCheckpoint(id: string, atMost: number): Checkpoint | undefined {
    const revision = this.revisions(id).findLast((r) => r <= atMost);
    if (revision !== undefined) return { owner: id, revision, state: this.checkpoints.get(id)!.get(revision)! };
    const base = this.clusters.get(id)!.row.base;
    if (!base) return undefined;
    if ('parent' in base)
      return this.clusters.has(base.parent)
        ? this.latestCheckpoint(base.parent, Math.min(atMost, base.revision))
        : undefined;
    const owner = templateOwner(base.template);
    return { owner, revision: base.revision, state: this.checkpoints.get(owner)!.get(base.revision)! };
  }
}
