import { STEP_BYTES, STEP_SEGMENTS } from '../log-store.js';
import type { Queryable } from './pool.js';
import { instant } from './rows.js';

export async function compact(on: Queryable, id: string, before: number): Promise<number> {
  const { rows } = await on.query<{ n: string }>({
    name: 'log_compact',
    text: 'select log.compact($1, $2, $3, $4) as n',
    values: [id, new Date(before), STEP_SEGMENTS, STEP_BYTES],
  });
  return Number(rows[0]!.n);
}

export const listCompactable = (on: Queryable, before: number, limit: number): Promise<string[]> =>
  listIds(on, 'compact_at', before, limit);

export const listReviewable = (on: Queryable, now: number, limit: number): Promise<string[]> =>
  listIds(on, 'review_at', now, limit);

export const listExpired = (on: Queryable, now: number, limit: number): Promise<string[]> =>
  listIds(on, 'ends_at', now, limit);

export async function listAttachedForks(
  on: Queryable,
  createdBefore: number,
  parentBytes: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>({
    name: 'log_attached',
    text: `select f.id from log.cluster f left join log.cluster p on p.id = f.base_parent
            where f.reads_parent and f.deleted_at is null and f.halted is null
              and (f.created_at < $1 or p.deleted_at is not null or p.bytes >= $2)
            order by f.created_at limit $3`,
    values: [new Date(createdBefore), parentBytes, limit],
  });
  return rows.map((row) => row.id);
}

/** Clusters whose time in a column with an index of its own is before `before`, the earliest first. */
async function listIds(
  on: Queryable,
  column: 'compact_at' | 'review_at' | 'ends_at',
  before: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>({
    name: `log_${column}`,
    text: `select id from log.cluster
            where ${column} < $1 and ${column} < 'infinity' and deleted_at is null order by ${column} limit $2`,
    values: [new Date(before), limit],
  });
  return rows.map((row) => row.id);
}

export async function setReview(on: Queryable, id: string, at: number | undefined): Promise<void> {
  await on.query('update log.cluster set review_at = $2 where id = $1', [id, instant(at)]);
}

/** So many steps are one call: about half a GB at most. */
const PURGE_STEPS = 32;

export async function purge(on: Queryable, limit: number): Promise<number> {
  let purged = 0;
  for (let i = 0; i < PURGE_STEPS && purged < limit; i++) {
    const { rows } = await on.query<{ n: string }>({
      name: 'log_purge',
      text: 'select log.purge_step($1, $2) as n',
      values: [Math.min(STEP_SEGMENTS, limit - purged), STEP_BYTES],
    });
    const step = Number(rows[0]!.n);
    if (step === 0) break;
    purged += step;
  }
  return purged;
}

export async function dropTemplates(on: Queryable, unusedSince: number, limit: number): Promise<number> {
  const { rows } = await on.query<{ n: string }>({
    name: 'log_drop_templates',
    text: 'select log.drop_templates($1, $2) as n',
    values: [new Date(unusedSince), limit],
  });
  return Number(rows[0]!.n);
}

export async function takeChore(on: Queryable, name: string, leaseMs: number): Promise<boolean> {
  const { rows } = await on.query<{ taken: boolean }>({
    name: 'log_take_chore',
    text: `select log.take_chore($1, $2 * interval '1 millisecond') as taken`,
    values: [name, leaseMs],
  });
  return rows[0]!.taken;
}

export async function finishChore(on: Queryable, name: string, dueInMs: number): Promise<void> {
  await on.query({
    name: 'log_finish_chore',
    text: `update log.chore set due_at = now() + $2 * interval '1 millisecond' where name = $1`,
    values: [name, dueInMs],
  });
}

export async function listOverdue(on: Queryable, before: number, limit: number): Promise<string[]> {
  const { rows } = await on.query<{ id: string }>({
    name: 'log_overdue',
    text: `select id from log.cluster
            where next_wake < $1 and next_wake < 'infinity'
              and halted is null and deleted_at is null and paused_at is null and not suspended
            order by next_wake limit $2`,
    values: [new Date(before), limit],
  });
  return rows.map((row) => row.id);
}

export async function setHalted(on: Queryable, id: string, reason: string | undefined): Promise<void> {
  await on.query('update log.cluster set halted = $2 where id = $1', [id, reason ?? null]);
}
