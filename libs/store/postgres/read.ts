import { ClusterNotFound, Compacted, type Segment } from '../log-store.js';
import type { Queryable } from './pool.js';
import { toSegment, type RawSegment } from './rows.js';

export async function readHeads(on: Queryable, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await on.query<{ id: string; head: string }>({
    name: 'log_heads',
    text: 'select id, head from log.cluster where id = any($1) and deleted_at is null',
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, Number(row.head)]));
}

/** What a read is asked for. Rows of a deleted cluster are there for its forks only. */
interface ReadOptions {
  readonly after: number;
  readonly limit: number;
  readonly isForFork: boolean;
}

export const readSegments = (on: Queryable, id: string, after: number, limit: number): Promise<Segment[]> =>
  readOwnOrParent(on, id, { after, limit, isForFork: false });

async function readOwnOrParent(on: Queryable, id: string, options: ReadOptions): Promise<Segment[]> {
  const { after, limit, isForFork } = options;
  const { rows } = await on.query<RawSegment>({
    name: 'log_read',
    text: `select first_revision, last_revision, at, changes from log.segment
            where cluster_id = $1 and last_revision > $2
              and ($4 or exists (select from log.cluster where id = $1 and deleted_at is null))
            order by last_revision limit $3`,
    values: [id, after, limit, isForFork],
  });
  const segments = rows.map(toSegment);
  const isComplete = segments[0] !== undefined && segments[0].first <= after + 1;
  return isComplete ? segments : readWithParent(on, id, options, segments);
}

interface RawLineage {
  oldest: string;
  base_parent: string | null;
  base_revision: string;
  reads_parent: boolean;
}

/** The cluster's own segments do not begin with the change after `after`: it is the parent's, or there is none. */
async function readWithParent(
  on: Queryable,
  id: string,
  { after, limit, isForFork }: ReadOptions,
  own: Segment[],
): Promise<Segment[]> {
  const { rows } = await on.query<RawLineage>({
    name: 'log_base',
    text: `select log.oldest(id) as oldest, base_parent, base_revision, reads_parent from log.cluster
            where id = $1 and (deleted_at is null or $2)`,
    values: [id, isForFork],
  });
  if (!rows[0]) throw new ClusterNotFound(id);
  const { base_parent: parent, reads_parent: readsParent } = rows[0];
  const [oldest, base] = [Number(rows[0].oldest), Number(rows[0].base_revision)];
  if (after >= oldest) return own;
  if (!readsParent || after >= base) throw new Compacted(oldest, parent === null && oldest === base);
  const ofParent = await readOwnOrParent(on, parent!, { after, limit, isForFork: true });
  const cutAtBase = ofParent
    .filter((segment) => segment.first <= base)
    .map((segment) => ({ ...segment, last: Math.min(segment.last, base) }));
  return [...cutAtBase, ...own].slice(0, limit);
}

export async function readOldestRetained(on: Queryable, id: string): Promise<number> {
  const { rows } = await on.query<{ oldest: string | null }>({
    name: 'log_oldest',
    text: 'select log.oldest(id) as oldest from log.cluster where id = $1 and deleted_at is null',
    values: [id],
  });
  if (rows[0]?.oldest == null) throw new ClusterNotFound(id);
  return Number(rows[0].oldest);
}
