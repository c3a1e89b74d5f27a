import type pg from 'pg';
import type {
  Append,
  AppendResult,
  Checkpoint,
  ClusterRow,
  LockedCluster,
  LogStore,
  NewCluster,
  Segment,
  Wake,
} from '../log-store.js';
import { append, setWake, withLock } from './append.js';
import { loadCheckpoint, saveCheckpoint } from './checkpoints.js';
import { countClusters, createCluster, deleteCluster, findCluster, listClusters, updateSettings } from './clusters.js';
import { compact, listCompactable, listOverdue, setHalted } from './housekeeping.js';
import { readHeads, readOldestRetained, readSegments } from './read.js';

/** The log in Postgres: schema `log`, made by `migrate`. Statements of the hot path are prepared once a connection. */
export class PostgresLogStore implements LogStore {
  constructor(private readonly pool: pg.Pool) {}

  createCluster(cluster: NewCluster): Promise<ClusterRow> {
    return createCluster(this.pool, cluster);
  }

  cluster(id: string): Promise<ClusterRow | undefined> {
    return findCluster(this.pool, id);
  }

  deleteCluster(id: string): Promise<boolean> {
    return deleteCluster(this.pool, id);
  }

  list(tenantId: string, options: { readonly limit: number; readonly after?: string }): Promise<ClusterRow[]> {
    return listClusters(this.pool, tenantId, options);
  }

  count(tenantId: string): Promise<number> {
    return countClusters(this.pool, tenantId);
  }

  updateSettings(id: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
    return updateSettings(this.pool, id, settings);
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
