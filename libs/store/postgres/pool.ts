import type { Socket } from 'node:net';
import pg from 'pg';

export interface PostgresOptions {
  readonly connectionString: string;
  /** Connections of this process; 10 by default. */
  readonly poolSize?: number;
  /** After this many ms a query counts as failed, and a connection that says nothing as broken; 10,000 by default. */
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
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: timeoutMs,
    keepAlive: true,
  });
  pool.on('error', ignoreError);
  endSilentConnections(pool, timeoutMs);
  return pool;
}

/**
 * Breaks connections that are in use and on which nothing has come or gone for so long: their queries reject. The
 * `query_timeout` of `pg` would do; but it sets a timer for each query, and V8 keeps a timer that was cleared, and the
 * whole request on it, until it collects the whole heap: 9 KB of each write, a collection every two minutes.
 */
function endSilentConnections(pool: pg.Pool, timeoutMs: number): void {
  const inUse = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_error, client) => inUse.delete(client));
  pool.on('connect', (client) => {
    const socket = socketOf(client);
    socket.setTimeout(timeoutMs, () => {
      if (inUse.has(client)) socket.destroy(new Error(`timeout: no answer of the database in ${socket.timeout} ms`));
    });
  });
}

/** For a query that takes longer than others may: for as long as the connection is open. */
export const allowSilence = (client: pg.PoolClient, ms: number): void => void socketOf(client).setTimeout(ms);

/** It has no type in `pg`. */
const socketOf = (client: pg.PoolClient): Socket =>
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;

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
      // What has broken the connection says more than that nothing can be rolled back on it.
      isBroken = await client.query('rollback').then(
        () => false,
        () => true,
      );
      throw error;
    }
  } finally {
    client.off('error', ignoreError);
    client.release(isBroken);
  }
}
