import pg from 'pg';
import { RESET } from '../codec.js';
import { ClusterNotFound, type AppendResult } from '../log-store.js';
import {
  SnapshotExists,
  SnapshotLimitExceeded,
  type NewSnapshot,
  type Reset,
  type Snapshot,
  type SnapshotLimits,
} from '../snapshot-store.js';
import type { Queryable } from './pool.js';

interface RawSnapshot {
  name: string;
  revision: string;
  at: Date;
  created_at: Date;
  bytes: string;
}

const COLUMNS = 'name, revision, at, created_at';

const toSnapshot = (raw: RawSnapshot): Snapshot => ({
  name: raw.name,
  revision: Number(raw.revision),
  at: raw.at.getTime(),
  createdAt: raw.created_at.getTime(),
  bytes: Number(raw.bytes),
});

export async function saveSnapshot(
  on: Queryable,
  id: string,
  { state, ...snapshot }: NewSnapshot,
  limits: SnapshotLimits,
): Promise<Snapshot> {
  const { name, revision, at, createdAt } = snapshot;
  try {
    await on.query('select log.save_snapshot($1, $2, $3, $4, $5, $6, $7, $8)', [
      id,
      name,
      revision,
      new Date(at),
      new Date(createdAt),
      state,
      limits.count,
      limits.bytes,
    ]);
  } catch (error) {
    throw error instanceof pg.DatabaseError ? toRefusal(error, limits) : error;
  }
  return { ...snapshot, bytes: state.length };
}

export async function listSnapshots(on: Queryable, id: string): Promise<Snapshot[]> {
  const { rows } = await on.query<RawSnapshot>(
    `select ${COLUMNS}, octet_length(state) as bytes from log.snapshot
      where cluster_id = $1 and exists (select from log.cluster where id = $1 and deleted_at is null)
      order by name collate "C"`,
    [id],
  );
  return rows.map(toSnapshot);
}

export async function loadSnapshot(on: Queryable, id: string, name: string): Promise<NewSnapshot | undefined> {
  const { rows } = await on.query<RawSnapshot & { state: Buffer }>(
    `select ${COLUMNS}, octet_length(state) as bytes, state from log.snapshot
      where cluster_id = $1 and name = $2 and exists (select from log.cluster where id = $1 and deleted_at is null)`,
    [id, name],
  );
  if (!rows[0]) return undefined;
  const { bytes: _, ...snapshot } = toSnapshot(rows[0]);
  return { ...snapshot, state: rows[0].state };
}

export async function deleteSnapshot(on: Queryable, id: string, name: string): Promise<boolean> {
  const { rows } = await on.query<{ deleted: boolean }>('select log.delete_snapshot($1, $2) as deleted', [id, name]);
  return rows[0]!.deleted;
}

export async function resetCluster(on: Queryable, id: string, reset: Reset): Promise<AppendResult> {
  const { rows } = await on.query<{ ok: boolean; head: string; bytes: string }>(
    'select ok, head, bytes from log.reset_cluster($1, $2, $3, $4, $5, $6)',
    [id, reset.expected, new Date(reset.at), Buffer.from(RESET), reset.state, reset.settings],
  );
  if (!rows[0]) throw new ClusterNotFound(id);
  return { ok: rows[0].ok, head: Number(rows[0].head), bytes: Number(rows[0].bytes) };
}

/** The error codes of 005-snapshots.sql. */
function toRefusal(error: pg.DatabaseError, limits: SnapshotLimits): Error {
  const { code, detail = '' } = error;
  if (code === 'TRS01') return new SnapshotExists(detail);
  if (code === 'TRB02') return new ClusterNotFound(detail);
  if (code !== 'TRS02') return error;
  const limit = detail as keyof SnapshotLimits;
  return new SnapshotLimitExceeded(limit, limits[limit]);
}
