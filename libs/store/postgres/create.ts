import pg from 'pg';
import {
  ClusterNotFound,
  Compacted,
  QuotaExceeded,
  TemplateNotFound,
  type CreatedCluster,
  type NewCluster,
  type Quota,
} from '../log-store.js';
import { saveCheckpoint } from './checkpoints.js';
import { inTransaction, type Queryable } from './pool.js';
import { CLUSTER_COLUMNS, instant, toClusterRow, type RawCluster } from './rows.js';

/**
 * One call of log.create_clusters, however many clusters there are; a state that one begins on is saved in the same
 * commit. They are of one tenant and share its quota.
 */
export function createClusters(pool: pg.Pool, clusters: readonly NewCluster[]): Promise<CreatedCluster[]> {
  if (clusters.every(({ start }) => !start)) return insertClusters(pool, clusters);
  return inTransaction(pool, async (on) => {
    const created = await insertClusters(on, clusters);
    for (const [i, { row, existed }] of created.entries()) {
      const { start } = clusters[i]!;
      if (start && !existed) await saveCheckpoint(on, row.id, start.revision, start.state);
    }
    return created;
  });
}

async function insertClusters(on: Queryable, clusters: readonly NewCluster[]): Promise<CreatedCluster[]> {
  const [first] = clusters;
  if (!first) return [];
  const { tenantId, quota } = first;
  if (clusters.some((cluster) => cluster.tenantId !== tenantId))
    throw new Error('clusters that are created together must be of one tenant');
  try {
    const { rows } = await on.query<RawCluster & { existed: boolean }>({
      name: 'log_create',
      text: `select existed, ${CLUSTER_COLUMNS}
               from log.create_clusters($1, $2, $3, $4) created cross join lateral (select (created.cluster).*) c`,
      values: [tenantId, quota?.clusters, quota?.nodes, JSON.stringify(clusters.map(toItem))],
    });
    return rows.map((row) => ({ row: toClusterRow(row), existed: row.existed }));
  } catch (error) {
    throw error instanceof pg.DatabaseError ? toRefusal(error, quota) : error;
  }
}

/** An item of log.create_clusters' array. */
function toItem({ base, start, ...cluster }: NewCluster): Record<string, unknown> {
  const { id, settings, labels = {}, nodes, createdAt, nextWake, expiresAt, idleTimeoutMs, idempotencyKey } = cluster;
  return {
    id,
    base_template: base && 'template' in base ? base.template : undefined,
    base_parent: base && 'parent' in base ? base.parent : undefined,
    base_revision: base?.revision ?? start?.revision ?? 0,
    settings,
    labels,
    nodes,
    created_at: new Date(createdAt),
    next_wake: instant(nextWake),
    expires_at: expiresAt === undefined ? undefined : new Date(expiresAt),
    idle_timeout_ms: idleTimeoutMs,
    idempotency_key: idempotencyKey,
  };
}

/** The error codes of 002-tenants-and-housekeeping.sql. */
function toRefusal(error: pg.DatabaseError, quota: Quota | undefined): Error {
  const { code, detail = '' } = error;
  if (code === 'TRB01') return new TemplateNotFound(detail);
  if (code === 'TRB02') return new ClusterNotFound(detail);
  if (code === 'TRB03') return new Compacted(Number(detail));
  if (code !== 'TRQ01' || !quota) return error;
  const exceeded = detail as keyof Quota;
  return new QuotaExceeded(exceeded, quota[exceeded]);
}
