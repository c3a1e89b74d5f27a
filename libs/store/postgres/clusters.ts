import type pg from 'pg';
import {
  ClusterNotFound,
  Compacted,
  TemplateNotFound,
  templateOwner,
  type ClusterRow,
  type NewCluster,
} from '../log-store.js';
import { inTransaction, type Queryable } from './pool.js';
import { CLUSTER_COLUMNS, instant, toClusterRow, type RawCluster } from './rows.js';

export async function createCluster(pool: pg.Pool, cluster: NewCluster): Promise<ClusterRow> {
  const { base } = cluster;
  if (!base) return insertCluster(pool, cluster);
  if ('parent' in base) return forkCluster(pool, cluster, base);
  const { rowCount } = await pool.query({
    name: 'log_template',
    text: 'select 1 from log.checkpoint where owner = $1 and revision = $2',
    values: [templateOwner(base.template), base.revision],
  });
  if (rowCount === 0) throw new TemplateNotFound(base.template);
  return insertCluster(pool, cluster);
}

/** The parent's lock keeps compaction away until the fork's row is there. */
async function forkCluster(
  pool: pg.Pool,
  cluster: NewCluster,
  { parent, revision }: { readonly parent: string; readonly revision: number },
): Promise<ClusterRow> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ head: string; oldest: string; epoch: Date }>(
      'select head, oldest, epoch from log.lock_parent($1)',
      [parent],
    );
    if (!rows[0]) throw new ClusterNotFound(parent);
    const { head, oldest, epoch } = rows[0];
    if (revision < Number(oldest) || revision > Number(head)) throw new Compacted(Number(oldest));
    return insertCluster(client, cluster, epoch.getTime());
  });
}

async function insertCluster(on: Queryable, cluster: NewCluster, epoch = cluster.createdAt): Promise<ClusterRow> {
  const { base } = cluster;
  const revision = base?.revision ?? 0;
  const template = base && 'template' in base ? base.template : null;
  const parent = base && 'parent' in base ? base.parent : null;
  await on.query({
    name: 'log_insert',
    text: `insert into log.cluster (id, tenant_id, head, base_template, base_parent, base_revision, reads_parent, settings, created_at, next_wake, epoch)
           values ($1, $2, $3, $4, $5, $3, $6, $7, $8, $9, $10)`,
    values: [
      cluster.id,
      cluster.tenantId,
      revision,
      template,
      parent,
      parent !== null,
      cluster.settings,
      new Date(cluster.createdAt),
      instant(cluster.nextWake),
      new Date(epoch),
    ],
  });
  return { ...cluster, head: revision, epoch };
}

export async function findCluster(on: Queryable, id: string): Promise<ClusterRow | undefined> {
  const { rows } = await on.query<RawCluster>({
    name: 'log_cluster',
    text: `select ${CLUSTER_COLUMNS} from log.cluster where id = $1 and deleted_at is null`,
    values: [id],
  });
  return rows[0] && toClusterRow(rows[0]);
}

export async function deleteCluster(pool: pg.Pool, id: string): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      'update log.cluster set deleted_at = now() where id = $1 and deleted_at is null',
      [id],
    );
    if (rowCount) await client.query('select log.purge($1)', [id]);
    return rowCount === 1;
  });
}

export async function listClusters(
  on: Queryable,
  tenantId: string,
  { limit, after = '' }: { readonly limit: number; readonly after?: string },
): Promise<ClusterRow[]> {
  const { rows } = await on.query<RawCluster>({
    name: 'log_list',
    text: `select ${CLUSTER_COLUMNS} from log.cluster
            where tenant_id = $1 and id collate "C" > $2 and deleted_at is null order by id collate "C" limit $3`,
    values: [tenantId, after, limit],
  });
  return rows.map(toClusterRow);
}

export async function countClusters(on: Queryable, tenantId: string): Promise<number> {
  const { rows } = await on.query<{ n: number }>({
    name: 'log_count',
    text: 'select count(*)::int as n from log.cluster where tenant_id = $1 and deleted_at is null',
    values: [tenantId],
  });
  return rows[0]!.n;
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
