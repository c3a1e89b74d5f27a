import {
  ClusterNotFound,
  TOUCH_MS,
  type ClusterRow,
  type LifeUpdate,
  type ListOptions,
  type Usage,
} from '../log-store.js';
import type { Queryable } from './pool.js';
import { CLUSTER_COLUMNS, toClusterRow, type RawCluster } from './rows.js';

export async function findCluster(on: Queryable, id: string): Promise<ClusterRow | undefined> {
  const { rows } = await on.query<RawCluster>({
    name: 'log_cluster',
    text: `select ${CLUSTER_COLUMNS} from log.cluster where id = $1 and deleted_at is null`,
    values: [id],
  });
  return rows[0] && toClusterRow(rows[0]);
}

export async function deleteCluster(on: Queryable, id: string, expiredBefore?: number): Promise<boolean> {
  const { rows } = await on.query<{ deleted: boolean }>({
    name: 'log_delete',
    text: 'select log.delete_cluster($1, $2) as deleted',
    values: [id, expiredBefore === undefined ? null : new Date(expiredBefore)],
  });
  return rows[0]!.deleted;
}

export async function listClusters(
  on: Queryable,
  tenantId: string,
  { limit, after = '', labels = {} }: ListOptions,
): Promise<ClusterRow[]> {
  const { rows } = await on.query<RawCluster>({
    name: 'log_list',
    text: `select ${CLUSTER_COLUMNS} from log.cluster
            where tenant_id = $1 and id collate "C" > $2 and deleted_at is null and labels @> $4
            order by id collate "C" limit $3`,
    values: [tenantId, after, limit, labels],
  });
  return rows.map(toClusterRow);
}

/** The counters that creation and deletion move, and the sum of what the tenant's clusters store. */
export async function readUsage(on: Queryable, tenantId: string): Promise<Usage> {
  const { rows } = await on.query<{ clusters: string | null; nodes: string | null; bytes: string }>({
    name: 'log_usage',
    text: `select t.clusters, t.nodes, c.bytes
             from (select coalesce(sum(bytes + snapshot_bytes), 0) as bytes from log.cluster where tenant_id = $1 and deleted_at is null) c
             left join log.tenant t on t.tenant_id = $1`,
    values: [tenantId],
  });
  const { clusters, nodes, bytes } = rows[0]!;
  return { clusters: Number(clusters), nodes: Number(nodes), bytes: Number(bytes) };
}

export async function updateSettings(
  on: Queryable,
  id: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { rowCount } = await on.query('update log.cluster set settings = $2 where id = $1 and deleted_at is null', [
    id,
    settings,
  ]);
  if (!rowCount) throw new ClusterNotFound(id);
}

export async function updateLife(on: Queryable, id: string, update: LifeUpdate): Promise<ClusterRow> {
  const { expiresAt, idleTimeoutMs, pausedAt, labels, name } = update;
  const columns: [assignment: (parameter: string) => string, value: unknown][] = [];
  if (expiresAt !== undefined) columns.push([(p) => `expires_at = ${p}`, toDate(expiresAt)]);
  if (idleTimeoutMs !== undefined) columns.push([(p) => `idle_timeout_ms = ${p}`, idleTimeoutMs]);
  if (pausedAt !== undefined) columns.push([(p) => `paused_at = ${p}`, toDate(pausedAt)]);
  if (labels !== undefined) columns.push([(p) => `labels = ${p}`, labels]);
  if (name !== undefined) columns.push([(p) => `settings = settings || jsonb_build_object('name', ${p}::text)`, name]);
  const assignments = ['id = id', ...columns.map(([assignment], i) => assignment(`$${i + 2}`))];
  const { rows } = await on.query<RawCluster>(
    `update log.cluster set ${assignments.join(', ')} where id = $1 and deleted_at is null returning ${CLUSTER_COLUMNS}`,
    [id, ...columns.map(([, value]) => value)],
  );
  if (!rows[0]) throw new ClusterNotFound(id);
  return toClusterRow(rows[0]);
}

const toDate = (at: number | null): Date | null => (at === null ? null : new Date(at));

type Touch = { readonly id: string; readonly at: number };

/**
 * One statement for all rows that nothing else locks: to wait for one row would hold up the writers of all others.
 * Those rows follow one by one.
 */
export async function touchClusters(on: Queryable, entries: readonly Touch[]): Promise<void> {
  if (entries.length === 0) return;
  const { rows } = await on.query<{ id: string }>({
    name: 'log_touch_free',
    text: `with due as materialized (
             select c.id, e.at from log.cluster c join unnest($1::text[], $2::timestamptz[]) e(id, at) using (id)
              where c.deleted_at is null
                and e.at > c.last_used_at + case when c.idle_timeout_ms is null then $3 else 0 end * interval '1 millisecond'
           ), free as materialized (
             select id from log.cluster where id in (select id from due) for no key update skip locked
           ), touched as (
             update log.cluster c set last_used_at = due.at from due join free using (id) where c.id = due.id
           )
           select id from due where id not in (select id from free)`,
    values: [entries.map(({ id }) => id), entries.map(({ at }) => new Date(at)), TOUCH_MS],
  });
  const locked = new Set(rows.map(({ id }) => id));
  for (const { id, at } of entries) if (locked.has(id)) await touchCluster(on, id, at);
}

async function touchCluster(on: Queryable, id: string, at: number): Promise<void> {
  await on.query({
    name: 'log_touch',
    text: 'update log.cluster set last_used_at = greatest(last_used_at, $2) where id = $1 and deleted_at is null',
    values: [id, new Date(at)],
  });
}

export async function suspendTenant(on: Queryable, tenantId: string, suspended: boolean): Promise<void> {
  await on.query('select log.suspend_tenant($1, $2)', [tenantId, suspended]);
}
