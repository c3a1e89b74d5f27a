import { RESET } from '../codec.js';
import type { AppendResult } from '../log-store.js';
import type { StoredCluster } from './memory-cluster.js';
import {
  SnapshotExists,
  SnapshotLimitExceeded,
  type NewSnapshot,
  type Reset,
  type Snapshot,
  type SnapshotLimits,
} from '../snapshot-store.js';

const withBytes = ({ state, ...snapshot }: NewSnapshot): Snapshot => ({ ...snapshot, bytes: state.length });

/** The snapshots of all clusters of MemoryLogStore: the twin of log.snapshot. */
export class MemorySnapshots {
  private readonly byCluster = new Map<string, Map<string, NewSnapshot>>();

  save(id: string, snapshot: NewSnapshot, limits: SnapshotLimits): Snapshot {
    const own = this.byCluster.get(id) ?? new Map<string, NewSnapshot>();
    if (own.has(snapshot.name)) throw new SnapshotExists(snapshot.name);
    if (own.size + 1 > limits.count) throw new SnapshotLimitExceeded('count', limits.count);
    if (this.bytes(id) + snapshot.state.length > limits.bytes) throw new SnapshotLimitExceeded('bytes', limits.bytes);
    own.set(snapshot.name, { ...snapshot, state: Uint8Array.from(snapshot.state) });
    this.byCluster.set(id, own);
    return withBytes(snapshot);
  }

  list(id: string): Snapshot[] {
    const own = [...(this.byCluster.get(id)?.values() ?? [])];
    return own.map(withBytes).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  load(id: string, name: string): NewSnapshot | undefined {
    return this.byCluster.get(id)?.get(name);
  }

  delete(id: string, name: string): boolean {
    return this.byCluster.get(id)?.delete(name) ?? false;
  }

  deleteAll(id: string): number {
    const count = this.byCluster.get(id)?.size ?? 0;
    this.byCluster.delete(id);
    return count;
  }

  bytes(id: string): number {
    return [...(this.byCluster.get(id)?.values() ?? [])].reduce((sum, { state }) => sum + state.length, 0);
  }
}

/** The rows of log.reset_cluster, but for the checkpoint, which is the caller's to keep. */
export function resetRow(held: StoredCluster, { expected, at, state, settings }: Reset): AppendResult {
  const { readsParent: _, ...row } = held.row;
  if (row.head !== expected) return { ok: false, head: row.head, bytes: row.bytes };
  const revision = expected + 1;
  held.segments.push({ first: revision, last: revision, at, changes: RESET });
  const merged = Object.entries({ ...row.settings, ...settings }).filter(([, value]) => value !== null);
  const bytes = row.bytes + RESET.length + state.length;
  held.row = { ...row, head: revision, nextWake: at, halted: undefined, bytes, settings: Object.fromEntries(merged) };
  held.readsParent = false;
  held.tailBytes = 0;
  held.compactAt = Math.min(held.compactAt, at);
  return { ok: true, head: revision, bytes };
}
