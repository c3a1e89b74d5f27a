import type { Queryable } from './pool.js';

export async function compact(on: Queryable, id: string, before: number): Promise<number> {
  const { rows } = await on.query<{ n: string }>({
    name: 'log_compact',
    text: 'select log.compact($1, $2) as n',
    values: [id, new Date(before)],
  });
  return Number(rows[0]!.n);
}

export async function listCompactable(on: Queryable, before: number, limit: number): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>({
    name: 'log_compactable',
    text: `select distinct k.owner as id from log.checkpoint k
             join log.segment s on s.cluster_id = k.owner and s.last_revision = k.revision
            where s.at < $1 and not exists (select from log.cluster f where f.base_parent = k.owner and f.reads_parent and f.base_revision < k.revision)
            limit $2`,
    values: [new Date(before), limit],
  });
  return rows.map((row) => row.id);
}

export async function listOverdue(on: Queryable, before: number, limit: number): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>({
    name: 'log_overdue',
    text: `select id from log.cluster where next_wake < $1 and next_wake < 'infinity' and halted is null and deleted_at is null order by next_wake limit $2`,
    values: [new Date(before), limit],
  });
  return rows.map((row) => row.id);
}

export async function setHalted(on: Queryable, id: string, reason: string | undefined): Promise<void> {
  await on.query('update log.cluster set halted = $2 where id = $1', [id, reason ?? null]);
}
