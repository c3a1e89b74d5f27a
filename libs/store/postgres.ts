import pg from 'pg';
import {
  ClusterNotFound,
  Compacted,
  TemplateNotFound,
  templateOwner,
  type Append,
  type AppendResult,
  type Base,
  type Checkpoint,
  type ClusterRow,
  type LockedCluster,
  type LogStore,
  type NewCluster,
  type Segment,
  type Wake,
} from './log-store.js';

export interface PostgresOptions {
  readonly connectionString: string;
  /** Connections of this process; 10 by default. */
  readonly poolSize?: number;
  /** After this many ms a query counts as failed; 10,000 by default. */
  readonly timeoutMs?: number;
}

/** A bounded pool that survives the server's restarts. */
export function openPool({ connectionString, poolSize = 10, timeoutMs = 10_000 }: PostgresOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    connectionTimeoutMillis: Math.min(timeoutMs, 5_000),
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: timeoutMs,
    keepAlive: true,
  });
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => undefined);
  return pool;
}

const ROW = `id, tenant_id, head, base_template, base_parent, base_revision, settings, created_at, epoch, nullif(next_wake, 'infinity') as next_wake, halted`;
const APPEND = { name: 'log_append', text: 'select ok, head from log.append($1, $2, $3, $4, $5, $6, $7, $8)' };

type Queryable = Pick<pg.ClientBase, 'query'>;

/** The log in Postgres: schema `log`, made by `migrate`. Every statement is prepared once a connection. */
export class PostgresLogStore implements LogStore {
  constructor(private readonly pool: pg.Pool) {}

  async createCluster(cluster: NewCluster): Promise<ClusterRow> {
    const { base } = cluster;
    if (!base) return this.insert(this.pool, cluster);
    if ('template' in base) {
      const found = await this.pool.query({
        name: 'log_template',
        text: 'select 1 from log.checkpoint where owner = $1 and revision = $2',
        values: [templateOwner(base.template), base.revision],
      });
      if (found.rowCount === 0) throw new TemplateNotFound(base.template);
      return this.insert(this.pool, cluster);
    }
    return this.transaction(async (client) => {
      const { rows } = await client.query<{ head: string; oldest: string; epoch: Date }>(
        'select head, oldest, epoch from log.lock_parent($1)',
        [base.parent],
      );
      if (!rows[0]) throw new ClusterNotFound(base.parent);
      if (base.revision < Number(rows[0].oldest) || base.revision > Number(rows[0].head))
        throw new Compacted(Number(rows[0].oldest));
      return this.insert(client, cluster, rows[0].epoch.getTime());
    });
  }

  async cluster(id: string): Promise<ClusterRow | undefined> {
    const { rows } = await this.pool.query<RawRow>({
      name: 'log_cluster',
      text: `select ${ROW} from log.cluster where id = $1 and deleted_at is null`,
      values: [id],
    });
    return rows[0] && toRow(rows[0]);
  }

  async deleteCluster(id: string): Promise<boolean> {
    return this.transaction(async (client) => {
      const { rowCount } = await client.query(
        'update log.cluster set deleted_at = now() where id = $1 and deleted_at is null',
        [id],
      );
      if (rowCount) await client.query('select log.purge($1)', [id]);
      return rowCount === 1;
    });
  }

  async list(tenantId: string, { limit, after = '' }: { limit: number; after?: string }): Promise<ClusterRow[]> {
    const text = `select ${ROW} from log.cluster where tenant_id = $1 and id collate "C" > $2 and deleted_at is null order by id collate "C" limit $3`;
    const { rows } = await this.pool.query<RawRow>({ name: 'log_list', text, values: [tenantId, after, limit] });
    return rows.map(toRow);
  }

  async count(tenantId: string): Promise<number> {
    const { rows } = await this.pool.query<{ n: number }>({
      name: 'log_count',
      text: 'select count(*)::int as n from log.cluster where tenant_id = $1 and deleted_at is null',
      values: [tenantId],
    });
    return rows[0]!.n;
  }

  async updateSettings(id: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
    const { rowCount } = await this.pool.query(
      'update log.cluster set settings = $2 where id = $1 and deleted_at is null',
      [id, settings],
    );
    if (!rowCount) throw new ClusterNotFound(id);
  }

  async heads(ids: readonly string[]): Promise<Map<string, number>> {
    const { rows } = await this.pool.query<{ id: string; head: string }>({
      name: 'log_heads',
      text: 'select id, head from log.cluster where id = any($1) and deleted_at is null',
      values: [ids],
    });
    return new Map(rows.map((r) => [r.id, Number(r.head)]));
  }

  append(id: string, append: Append): Promise<AppendResult> {
    return write(this.pool, id, append.expected, append.wake, append);
  }

  setWake(id: string, expected: number, wake: Wake): Promise<AppendResult> {
    return write(this.pool, id, expected, wake, undefined);
  }

  withLock<T>(id: string, run: (cluster: LockedCluster) => Promise<T>): Promise<T> {
    return this.transaction(async (client) => {
      const { rows } = await client.query<{ head: string }>(
        'select head from log.cluster where id = $1 and deleted_at is null for update',
        [id],
      );
      if (!rows[0]) throw new ClusterNotFound(id);
      return run({
        head: Number(rows[0].head),
        // On the same connection: a pool full of lock holders must not wait for itself.
        read: (after, limit) => this.readOn(client, id, after, limit),
        append: (append) => write(client, id, append.expected, append.wake, append),
        setWake: (wake) => write(client, id, Number(rows[0]!.head), wake, undefined),
      });
    });
  }

  read(id: string, after: number, limit: number): Promise<Segment[]> {
    return this.readOn(this.pool, id, after, limit);
  }

  private async readOn(on: Queryable, id: string, after: number, limit: number): Promise<Segment[]> {
    const { rows } = await on.query<RawSegment>({
      name: 'log_read',
      text: 'select first_revision, last_revision, at, changes from log.segment where cluster_id = $1 and last_revision > $2 order by last_revision limit $3',
      values: [id, after, limit],
    });
    const segments = rows.map(toSegment);
    if (segments[0] && segments[0].first <= after + 1) return segments;
    return this.readAcross(on, id, after, limit, segments);
  }

  /** The change after `after` is not among the cluster's own: it is the head, the parent's, or gone. */
  private async readAcross(
    on: Queryable,
    id: string,
    after: number,
    limit: number,
    own: Segment[],
  ): Promise<Segment[]> {
    const { rows } = await on.query<{
      oldest: string;
      base_parent: string | null;
      base_revision: string;
      reads_parent: boolean;
    }>({
      name: 'log_base',
      text: 'select log.oldest(id) as oldest, base_parent, base_revision, reads_parent from log.cluster where id = $1',
      values: [id],
    });
    if (!rows[0]) throw new ClusterNotFound(id);
    const [oldest, base] = [Number(rows[0].oldest), Number(rows[0].base_revision)];
    if (after >= oldest) return own;
    if (!rows[0].reads_parent || after >= base) throw new Compacted(oldest);
    const before = (await this.readOn(on, rows[0].base_parent!, after, limit)).filter((s) => s.first <= base);
    return [...before.map((s) => ({ ...s, last: Math.min(s.last, base) })), ...own].slice(0, limit);
  }

  async oldestRetained(id: string): Promise<number> {
    const { rows } = await this.pool.query<{ oldest: string | null }>({
      name: 'log_oldest',
      text: 'select log.oldest($1) as oldest',
      values: [id],
    });
    if (rows[0]?.oldest == null) throw new ClusterNotFound(id);
    return Number(rows[0].oldest);
  }

  async saveCheckpoint(owner: string, revision: number, state: Uint8Array): Promise<void> {
    await this.pool.query({
      name: 'log_save',
      text: 'select log.save_checkpoint($1, $2, $3)',
      values: [owner, revision, state],
    });
  }

  async loadCheckpoint(id: string, atMost?: number): Promise<Checkpoint | undefined> {
    const { rows } = await this.pool.query<{ revision: string; state: Buffer }>({
      name: 'log_load',
      text: 'select revision, state from log.checkpoint where owner = $1 and revision <= $2 order by revision desc limit 1',
      values: [id, atMost === undefined || atMost === Infinity ? Number.MAX_SAFE_INTEGER : atMost],
    });
    if (rows[0]) return { owner: id, revision: Number(rows[0].revision), state: rows[0].state };
    const found = await this.pool.query<RawBase>({
      name: 'log_lineage',
      text: 'select base_template, base_parent, base_revision from log.cluster where id = $1',
      values: [id],
    });
    if (!found.rows[0]) return id.startsWith('template:') ? undefined : Promise.reject(new ClusterNotFound(id));
    const base = toBase(found.rows[0]);
    if (!base) return undefined;
    return 'template' in base
      ? this.loadTemplate(base)
      : this.loadCheckpoint(base.parent, Math.min(atMost ?? Infinity, base.revision));
  }

  private async loadTemplate({ template, revision }: { template: string; revision: number }): Promise<Checkpoint> {
    const owner = templateOwner(template);
    const { rows } = await this.pool.query<{ state: Buffer }>({
      name: 'log_load_template',
      text: 'select state from log.checkpoint where owner = $1 and revision = $2',
      values: [owner, revision],
    });
    if (!rows[0]) throw new TemplateNotFound(template);
    return { owner, revision, state: rows[0].state };
  }

  async compact(id: string, before: number): Promise<number> {
    const { rows } = await this.pool.query<{ n: string }>({
      name: 'log_compact',
      text: 'select log.compact($1, $2) as n',
      values: [id, new Date(before)],
    });
    return Number(rows[0]!.n);
  }

  async compactable(before: number, limit: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'log_compactable',
      text: `select distinct k.owner as id from log.checkpoint k
               join log.segment s on s.cluster_id = k.owner and s.last_revision = k.revision
              where s.at < $1 and not exists (select from log.cluster f where f.base_parent = k.owner and f.reads_parent and f.base_revision < k.revision)
              limit $2`,
      values: [new Date(before), limit],
    });
    return rows.map((r) => r.id);
  }

  async overdue(before: number, limit: number): Promise<string[]> {
    const text = `select id from log.cluster where next_wake < $1 and next_wake < 'infinity' and halted is null and deleted_at is null order by next_wake limit $2`;
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'log_overdue',
      text,
      values: [new Date(before), limit],
    });
    return rows.map((r) => r.id);
  }

  async halt(id: string, reason: string | undefined): Promise<void> {
    await this.pool.query('update log.cluster set halted = $2 where id = $1', [id, reason ?? null]);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async insert(on: Queryable, c: NewCluster, epoch = c.createdAt): Promise<ClusterRow> {
    const { base } = c;
    const revision = base?.revision ?? 0;
    await on.query({
      name: 'log_insert',
      text: `insert into log.cluster (id, tenant_id, head, base_template, base_parent, base_revision, reads_parent, settings, created_at, next_wake, epoch)
             values ($1, $2, $3, $4, $5, $3, $6, $7, $8, $9, $10)`,
      values: [
        c.id,
        c.tenantId,
        revision,
        base && 'template' in base ? base.template : null,
        base && 'parent' in base ? base.parent : null,
        !!base && 'parent' in base,
        c.settings,
        new Date(c.createdAt),
        instant(c.nextWake),
        new Date(epoch),
      ],
    });
    return { ...c, head: revision, epoch };
  }

  private async transaction<T>(run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken = true;
    try {
      await client.query('begin');
      try {
        const result = await run(client);
        await client.query('commit');
        broken = false;
        return result;
      } catch (error) {
        await client.query('rollback');
        broken = false;
        throw error;
      }
    } finally {
      client.release(broken);
    }
  }
}

async function write(
  on: Queryable,
  id: string,
  expected: number,
  wake: Wake | undefined,
  segment: Segment | undefined,
): Promise<AppendResult> {
  const by = wake && 'by' in wake ? new Date(wake.by) : null;
  const at = wake && 'exactly' in wake ? instant(wake.exactly) : null;
  const { rows } = await on.query<{ ok: boolean; head: string }>({
    ...APPEND,
    values: [id, expected, segment?.first, segment?.last, segment && new Date(segment.at), segment?.changes, by, at],
  });
  if (!rows[0]) throw new ClusterNotFound(id);
  return { ok: rows[0].ok, head: Number(rows[0].head) };
}

/** A timestamptz parameter; 'infinity' stands for never. */
const instant = (at: number | undefined): Date | 'infinity' => (at === undefined ? 'infinity' : new Date(at));

interface RawBase {
  base_template: string | null;
  base_parent: string | null;
  base_revision: string;
}
interface RawRow extends RawBase {
  id: string;
  tenant_id: string;
  head: string;
  settings: Record<string, unknown>;
  created_at: Date;
  epoch: Date;
  next_wake: Date | null;
  halted: string | null;
}
interface RawSegment {
  first_revision: string;
  last_revision: string;
  at: Date;
  changes: Buffer;
}

function toBase(raw: RawBase): Base | undefined {
  const revision = Number(raw.base_revision);
  if (raw.base_template !== null) return { template: raw.base_template, revision };
  return raw.base_parent === null ? undefined : { parent: raw.base_parent, revision };
}

const toRow = (raw: RawRow): ClusterRow => ({
  id: raw.id,
  tenantId: raw.tenant_id,
  head: Number(raw.head),
  base: toBase(raw),
  settings: raw.settings,
  createdAt: raw.created_at.getTime(),
  epoch: raw.epoch.getTime(),
  nextWake: raw.next_wake?.getTime(),
  halted: raw.halted ?? undefined,
});

const toSegment = (raw: RawSegment): Segment => ({
  first: Number(raw.first_revision),
  last: Number(raw.last_revision),
  at: raw.at.getTime(),
  changes: raw.changes,
});
