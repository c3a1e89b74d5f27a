import pg from 'pg';

export interface PostgresOptions {
  readonly connectionString: string;
  /** Connections of this process; 10 by default. */
  readonly poolSize?: number;
  /** After this many ms a query counts as failed; 10,000 by default. */
  readonly timeoutMs?: number;
}

/** The pool, or the one connection of a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** A connection that breaks rejects its query, or the next one; without a listener its error would end the process. */
export const ignoreError = (): void => undefined;

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
  pool.on('error', ignoreError);
  return pool;
}

/** Commits what `run` does on one connection; rolls back when it rejects. `begin` is the first query. */
export async function inTransaction<T>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  const client = await pool.connect();
  client.on('error', ignoreError);
  let isBroken = true;
  try {
    await client.query(begin);
    try {
      const result = await run(client);
      await client.query('commit');
      isBroken = false;
      return result;
    } catch (error) {
      await client.query('rollback');
      isBroken = false;
      throw error;
    }
  } finally {
    client.off('error', ignoreError);
    client.release(isBroken);
  }
}
