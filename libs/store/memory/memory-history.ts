import { Compacted, templateOwner, type Checkpoint, type Segment } from '../log-store.js';
import type { ClusterTable } from './cluster-table.js';
import { countStep, parentOf, sumBytes, type StoredCluster } from './memory-cluster.js';

const HOUR_MS = 60 * 60_000;

/** What MemoryLogStore remembers of the past: checkpoints by owner, and the segments that clusters hold. */
export class MemoryHistory {
  private readonly checkpoints = new Map<string, Map<number, Uint8Array>>();

  constructor(private readonly clusters: ClusterTable) {}

  /** Keeps a state, unless there is one of that revision; whether it is new. */
  keep(owner: string, revision: number, state: Uint8Array): boolean {
    const own = this.checkpoints.get(owner) ?? new Map<number, Uint8Array>();
    this.checkpoints.set(owner, own);
    if (own.has(revision)) return false;
    own.set(revision, Uint8Array.from(state));
    return true;
  }

  drop(owner: string, revision: number): void {
    this.checkpoints.get(owner)?.delete(revision);
  }

  /** Forgets all checkpoints of an owner; how many there were. */
  dropAll(owner: string): number {
    const count = this.checkpoints.get(owner)?.size ?? 0;
    this.checkpoints.delete(owner);
    return count;
  }

  /** The newest state that is not after `atMost`: the cluster's own, its parent's or its template's. */
  latest(id: string, atMost: number): Checkpoint | undefined {
    const revision = this.revisions(id).findLast((r) => r <= atMost);
    if (revision !== undefined) return { owner: id, revision, state: this.checkpoints.get(id)!.get(revision)! };
    const base = this.clusters.get(id)!.row.base;
    if (!base) return undefined;
    if ('parent' in base) {
      const { parent } = base;
      return this.clusters.get(parent) && this.latest(parent, Math.min(atMost, base.revision));
    }
    const owner = templateOwner(base.template);
    return { owner, revision: base.revision, state: this.checkpoints.get(owner)!.get(base.revision)! };
  }

  /** Segments after a revision, the parent's too, as long as the fork reads them. Throws Compacted. */
  segmentsAfter(id: string, after: number): Segment[] {
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

  /** The oldest revision whose state can be made. */
  oldestOf(held: StoredCluster): number {
    const base = held.row.base?.revision ?? held.start ?? 0;
    const [first] = this.revisions(held.row.id);
    if (first === undefined) return base;
    const isComplete = (parentOf(held) === undefined || held.readsParent) && held.segments[0]?.first === base + 1;
    return isComplete ? base : first;
  }

  /** One step of LogStore.compact; how many segments it has dropped. */
  compact(held: StoredCluster, before: number): number {
    const { id } = held.row;
    const cut = this.findCut(held, before) ?? 0;
    const freed = this.dropBefore(id, cut);
    const dropped = held.segments.splice(0, countStep(held.segments.filter((s) => s.last <= cut)));
    held.row = { ...held.row, bytes: held.row.bytes - freed - sumBytes(dropped) };
    const next = held.segments.find((s) => this.has(id, s.last))?.at ?? Infinity;
    held.compactAt = dropped.length === 0 && next < before ? before + HOUR_MS : next;
    return dropped.length;
  }

  /** The newest checkpoint that is old enough and that no fork needs to be older. */
  private findCut({ row: { id }, segments }: StoredCluster, before: number): number | undefined {
    const forked = Math.min(...this.clusters.forksOf(id).map((fork) => fork.row.base!.revision));
    return segments.findLast((s) => s.at < before && s.last <= forked && this.has(id, s.last))?.last;
  }

  /** Forgets the checkpoints before a revision; their bytes. */
  private dropBefore(owner: string, cut: number): number {
    const old = [...(this.checkpoints.get(owner) ?? [])].filter(([revision]) => revision < cut);
    for (const [revision] of old) this.drop(owner, revision);
    return old.reduce((sum, [, state]) => sum + state.length, 0);
  }

  private has(owner: string, revision: number): boolean {
    return this.checkpoints.get(owner)?.has(revision) === true;
  }

  private revisions(owner: string): number[] {
    return [...(this.checkpoints.get(owner)?.keys() ?? [])].sort((a, b) => a - b);
  }
}
