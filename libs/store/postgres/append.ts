import type pg from 'pg';
import {
  ClusterNotFound,
  type Append,
  type AppendResult,
  type LockedCluster,
  type Segment,
  type Wake,
} from '../log-store.js';
import { inTransaction, type Queryable } from './pool.js';
import { readSegments } from './read.js';
import { instant } from './rows.js';

export const append = (on: Queryable, id: string, segment: Append): Promise<AppendResult> =>
  write(on, id, segment.expected, segment.wake, segment);

export const setWake = (on: Queryable, id: string, expected: number, wake: Wake): Promise<AppendResult> =>
  write(on, id, expected, wake, undefined);

export function withLock<T>(pool: pg.Pool, id: string, run: (cluster: LockedCluster) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ head: string }>(
      'select head from log.cluster where id = $1 and deleted_at is null for update',
      [id],
    );
    if (!rows[0]) throw new ClusterNotFound(id);
    const head = Number(rows[0].head);
    return run({
      head,
      // On the same connection: a pool full of lock holders must not wait for itself.
      read: (after, limit) => readSegments(client, id, after, limit),
      append: (segment) => append(client, id, segment),
      setWake: (wake) => setWake(client, id, head, wake),
    });
  });
}

/** One call of log.append: locks the row, compares the head, appends the segment if there is one, sets the wake. */
async function write(
  on: Queryable,
  id: string,
  expected: number,
  wake: Wake | undefined,
  segment: Segment | undefined,
): Promise<AppendResult> {
  const wakeBy = wake && 'by' in wake ? new Date(wake.by) : null;
  const wakeAt = wake && 'exactly' in wake ? instant(wake.exactly) : null;
  const { rows } = await on.query<{ ok: boolean; head: string; bytes: string }>({
    name: 'log_append',
    text: 'select ok, head, bytes from log.append($1, $2, $3, $4, $5, $6, $7, $8)',
    values: [
      id,
      expected,
      segment?.first,
      segment?.last,
      segment && new Date(segment.at).toISOString(),
      segment?.changes,
      wakeBy,
      wakeAt,
    ],
  });
  if (!rows[0]) throw new ClusterNotFound(id);
  return { ok: rows[0].ok, head: Number(rows[0].head), bytes: Number(rows[0].bytes) };
}
