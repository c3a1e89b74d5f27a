import {
  ClusterNotFound,
  Compacted,
  TemplateNotFound,
  templateOwner,
  type Append,
  type AppendResult,
  type Checkpoint,
  type ClusterRow,
  type LockedCluster,
  type LogStore,
  type NewCluster,
  type Segment,
  type Wake,
} from './log-store.js';

interface StoredCluster {
  row: ClusterRow;
  readonly segments: Segment[];
  readsParent: boolean;
  deleted: boolean;
  /** The row's lock: the last of a chain of promises. */
  lock: Promise<unknown>;
}

/** The log in this process's memory, for tests and benchmarks. Behaves as PostgresLogStore, but is not durable. */
export class MemoryLogStore implements LogStore {
  private readonly clusters = new Map<string, StoredCluster>();
  private readonly checkpoints = new Map<string, Map<number, Uint8Array>>();

  async createCluster(cluster: NewCluster): Promise<ClusterRow> {
    if (this.clusters.has(cluster.id)) throw new Error(`cluster ${cluster.id} exists`);
    const { base } = cluster;
    let epoch = cluster.createdAt;
    if (base && 'template' in base && !this.checkpoints.get(templateOwner(base.template))?.has(base.revision))
      throw new TemplateNotFound(base.template);
    if (base && 'parent' in base) {
      const parent = this.mustFind(base.parent);
      const oldest = this.oldestOf(parent);
      if (base.revision < oldest || base.revision > parent.row.head) throw new Compacted(oldest);
      epoch = parent.row.epoch;
    }
    const row: ClusterRow = {
      ...cluster,
      settings: structuredClone(cluster.settings),
      head: base?.revision ?? 0,
      epoch,
    };
    this.clusters.set(row.id, {
      row,
      segments: [],
      readsParent: !!base && 'parent' in base,
      deleted: false,
      lock: Promise.resolve(),
    });
    return row;
  }

  async cluster(id: string): Promise<ClusterRow | undefined> {
    const held = this.clusters.get(id);
    return held && !held.deleted ? held.row : undefined;
  }

  async deleteCluster(id: string): Promise<boolean> {
    const held = this.clusters.get(id);
    if (!held || held.deleted) return false;
    held.deleted = true;
    this.purge(id);
    return true;
  }

  async list(tenantId: string, { limit, after = '' }: { limit: number; after?: string }): Promise<ClusterRow[]> {
    const rows = [...this.clusters.values()]
      .filter((h) => !h.deleted && h.row.tenantId === tenantId && h.row.id > after)
      .map((h) => h.row);
    return rows.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
  }

  async count(tenantId: string): Promise<number> {
    return [...this.clusters.values()].filter((h) => !h.deleted && h.row.tenantId === tenantId).length;
  }

  async updateSettings(id: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
    const held = this.mustFind(id);
    held.row = { ...held.row, settings: structuredClone(settings) };
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
    return this.runLocked(id, async (held) => this.write(held, append.expected, append.wake, append));
  }

  setWake(id: string, expected: number, wake: Wake): Promise<AppendResult> {
    return this.runLocked(id, async (held) => this.write(held, expected, wake, undefined));
  }

  withLock<T>(id: string, run: (cluster: LockedCluster) => Promise<T>): Promise<T> {
    return this.runLocked(id, (held) =>
      run({
        head: held.row.head,
        read: (after, limit) => this.read(id, after, limit),
        append: async (append) => this.write(held, append.expected, append.wake, append),
        setWake: async (wake) => this.write(held, held.row.head, wake, undefined),
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
    if (!owner.startsWith('template:') && (!held || held.deleted)) return;
    let own = this.checkpoints.get(owner);
    if (!own) this.checkpoints.set(owner, (own = new Map()));
    own.set(revision, Uint8Array.from(state));
    if (!held?.readsParent) return;
    held.readsParent = false;
    this.purge((held.row.base as { parent: string }).parent);
  }

  async loadCheckpoint(id: string, atMost = Infinity): Promise<Checkpoint | undefined> {
    this.mustFind(id);
    return this.latestCheckpoint(id, atMost);
  }

  async compact(id: string, before: number): Promise<number> {
    const held = this.mustFind(id);
    const cut = this.findCut(held, before);
    if (cut === undefined) return 0;
    for (const revision of this.revisions(id)) if (revision < cut) this.checkpoints.get(id)!.delete(revision);
    const dropped = held.segments.findLastIndex((s) => s.last <= cut) + 1;
    held.segments.splice(0, dropped);
    return dropped;
  }

  async compactable(before: number, limit: number): Promise<string[]> {
    return [...this.clusters.values()]
      .filter((h) => !h.deleted && this.findCut(h, before) !== undefined)
      .slice(0, limit)
      .map((h) => h.row.id);
  }

  async overdue(before: number, limit: number): Promise<string[]> {
    const due = [...this.clusters.values()].filter(
      (h) => !h.deleted && h.row.halted === undefined && (h.row.nextWake ?? Infinity) < before,
    );
    return due
      .sort((a, b) => a.row.nextWake! - b.row.nextWake!)
      .slice(0, limit)
      .map((h) => h.row.id);
  }

  async halt(id: string, reason: string | undefined): Promise<void> {
    const held = this.mustFind(id);
    held.row = { ...held.row, halted: reason };
  }

  async close(): Promise<void> {}

  private mustFind(id: string): StoredCluster {
    const held = this.clusters.get(id);
    if (!held || held.deleted) throw new ClusterNotFound(id);
    return held;
  }

  private async runLocked<T>(id: string, run: (held: StoredCluster) => Promise<T>): Promise<T> {
    const held = this.mustFind(id);
    const turn = held.lock.then(() => run(held));
    held.lock = turn.catch(() => undefined);
    return turn;
  }

  private write(
    held: StoredCluster,
    expected: number,
    wake: Wake | undefined,
    segment: Segment | undefined,
  ): AppendResult {
    if (held.row.head !== expected) return { ok: false, head: held.row.head };
    if (segment)
      held.segments.push({
        first: segment.first,
        last: segment.last,
        at: segment.at,
        changes: Uint8Array.from(segment.changes),
      });
    const head = segment?.last ?? expected;
    held.row = { ...held.row, head, nextWake: wakeAfter(held.row.nextWake, wake) };
    return { ok: true, head };
  }

  private revisions(owner: string): number[] {
    return [...(this.checkpoints.get(owner)?.keys() ?? [])].sort((a, b) => a - b);
  }

  private oldestOf(held: StoredCluster): number {
    const base = held.row.base?.revision ?? 0;
    const [first] = this.revisions(held.row.id);
    if (first === undefined) return base;
    const isComplete = (parentOf(held) === undefined || held.readsParent) && held.segments[0]?.first === base + 1;
    return isComplete ? base : first;
  }

  /** The newest checkpoint that is old enough and that no fork needs to be older. */
  private findCut({ row: { id }, segments }: StoredCluster, before: number): number | undefined {
    const forked = Math.min(
      ...[...this.clusters.values()]
        .filter((h) => h.readsParent && parentOf(h) === id)
        .map((h) => h.row.base!.revision),
    );
    return segments.findLast((s) => s.at < before && s.last <= forked && this.checkpoints.get(id)?.has(s.last))?.last;
  }

  /** Segments after a revision, the parent's too, as long as the fork reads them. */
  private segmentsAfter(id: string, after: number): Segment[] {
    const held = this.clusters.get(id)!;
    const oldest = this.oldestOf(held);
    if (after >= oldest) return held.segments.filter((s) => s.last > after);
    const parent = parentOf(held);
    const base = held.row.base?.revision ?? 0;
    if (!held.readsParent || parent === undefined || after >= base) throw new Compacted(oldest);
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

  private purge(id: string): void {
    const held = this.clusters.get(id);
    if (!held?.deleted || [...this.clusters.values()].some((h) => h.readsParent && parentOf(h) === id)) return;
    this.clusters.delete(id);
    this.checkpoints.delete(id);
    const parent = parentOf(held);
    if (parent !== undefined) this.purge(parent);
  }
}

const parentOf = (held: StoredCluster): string | undefined =>
  held.row.base && 'parent' in held.row.base ? held.row.base.parent : undefined;

function wakeAfter(now: number | undefined, wake: Wake | undefined): number | undefined {
  if (!wake) return now;
  return 'by' in wake ? Math.min(now ?? Infinity, wake.by) : wake.exactly;
}
