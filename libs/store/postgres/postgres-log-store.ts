import type pg from 'pg';
import type {
  Append,
  AppendResult,
  Checkpoint,
  ClusterRow,
  CreatedCluster,
  LifeUpdate,
  ListOptions,
  LockedCluster,
  LogStore,
  NewCluster,
  Segment,
  Usage,
  Wake,
} from '../log-store.js';
import type { NewSnapshot, Reset, Snapshot, SnapshotLimits } from '../snapshot-store.js';
import { asTenant } from './as-tenant.js';
import { append, setWake, withLock } from './append.js';
import { loadCheckpoint, saveCheckpoint } from './checkpoints.js';
import {
  deleteCluster,
  findCluster,
  listClusters,
  readUsage,
  suspendTenant,
  touchClusters,
  updateLife,
  updateSettings,
} from './clusters.js';
import { createClusters } from './create.js';
import {
  compact,
  dropTemplates,
  finishChore,
  listAttachedForks,
  listCompactable,
  listExpired,
  listOverdue,
  listReviewable,
  purge,
  setHalted,
  setReview,
  takeChore,
} from './housekeeping.js';
import { deleteSnapshot, listSnapshots, loadSnapshot, resetCluster, saveSnapshot } from './snapshots.js';
import { readHeads, readOldestRetained, readSegments } from './read.js';

/** The log in Postgres: schema `log`, made by `migrate`. Statements of the hot path are prepared once a connection. */
export class PostgresLogStore implements LogStore {
  constructor(private readonly pool: pg.Pool) {}

  async createCluster(cluster: NewCluster): Promise<ClusterRow> {
    const [created] = await this.createClusters([cluster]);
    return created!.row;
  }

  createClusters(clusters: readonly NewCluster[]): Promise<CreatedCluster[]> {
    return createClusters(this.pool, clusters);
  }

  cluster(id: string): Promise<ClusterRow | undefined> {
    return findCluster(this.pool, id);
  }

  deleteCluster(id: string, expiredBefore?: number): Promise<boolean> {
    return deleteCluster(this.pool, id, expiredBefore);
  }

  list(tenantId: string, options: ListOptions): Promise<ClusterRow[]> {
    return asTenant(this.pool, tenantId, (on) => listClusters(on, tenantId, options));
  }

  usage(tenantId: string): Promise<Usage> {
    return asTenant(this.pool, tenantId, (on) => readUsage(on, tenantId));
  }

  updateSettings(id: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
    return updateSettings(this.pool, id, settings);
  }

  updateLife(id: string, update: LifeUpdate): Promise<ClusterRow> {
    return updateLife(this.pool, id, update);
  }

  touch(entries: readonly { readonly id: string; readonly at: number }[]): Promise<void> {
    return touchClusters(this.pool, entries);
  }

  suspendTenant(tenantId: string, suspended: boolean): Promise<void> {
    return suspendTenant(this.pool, tenantId, suspended);
  }

  heads(ids: readonly string[]): Promise<Map<string, number>> {
    return readHeads(this.pool, ids);
  }

  append(id: string, segment: Append): Promise<AppendResult> {
    return append(this.pool, id, segment);
  }

  setWake(id: string, expected: number, wake: Wake): Promise<AppendResult> {
    return setWake(this.pool, id, expected, wake);
  }

  withLock<T>(id: string, run: (cluster: LockedCluster) => Promise<T>): Promise<T> {
    return withLock(this.pool, id, run);
  }

  read(id: string, after: number, limit: number): Promise<Segment[]> {
    return readSegments(this.pool, id, after, limit);
  }

  oldestRetained(id: string): Promise<number> {
    return readOldestRetained(this.pool, id);
  }

  saveCheckpoint(owner: string, revision: number, state: Uint8Array): Promise<void> {
    return saveCheckpoint(this.pool, owner, revision, state);
  }

  loadCheckpoint(id: string, atMost?: number): Promise<Checkpoint | undefined> {
    return loadCheckpoint(this.pool, id, atMost);
  }

  compact(id: string, before: number): Promise<number> {
    return compact(this.pool, id, before);
  }

  compactable(before: number, limit: number): Promise<string[]> {
    return listCompactable(this.pool, before, limit);
  }

  reviewable(now: number, limit: number): Promise<string[]> {
    return listReviewable(this.pool, now, limit);
  }

  review(id: string, at: number | undefined): Promise<void> {
    return setReview(this.pool, id, at);
  }

  expired(now: number, limit: number): Promise<string[]> {
    return listExpired(this.pool, now, limit);
  }

  attachedForks(createdBefore: number, parentBytes: number, limit: number): Promise<string[]> {
    return listAttachedForks(this.pool, createdBefore, parentBytes, limit);
  }

  saveSnapshot(id: string, snapshot: NewSnapshot, limits: SnapshotLimits): Promise<Snapshot> {
    return saveSnapshot(this.pool, id, snapshot, limits);
  }

  listSnapshots(id: string): Promise<Snapshot[]> {
    return listSnapshots(this.pool, id);
  }

  loadSnapshot(id: string, name: string): Promise<NewSnapshot | undefined> {
    return loadSnapshot(this.pool, id, name);
  }

  deleteSnapshot(id: string, name: string): Promise<boolean> {
    return deleteSnapshot(this.pool, id, name);
  }

  reset(id: string, reset: Reset): Promise<AppendResult> {
    return resetCluster(this.pool, id, reset);
  }

  purge(limit: number): Promise<number> {
    return purge(this.pool, limit);
  }

  dropTemplates(unusedSince: number, limit: number): Promise<number> {
    return dropTemplates(this.pool, unusedSince, limit);
  }

  takeChore(name: string, leaseMs: number): Promise<boolean> {
    return takeChore(this.pool, name, leaseMs);
  }

  finishChore(name: string, dueInMs: number): Promise<void> {
    return finishChore(this.pool, name, dueInMs);
  }

  overdue(before: number, limit: number): Promise<string[]> {
    return listOverdue(this.pool, before, limit);
  }

  halt(id: string, reason: string | undefined): Promise<void> {
    return setHalted(this.pool, id, reason);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
