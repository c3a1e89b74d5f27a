import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { allowSilence, ignoreError } from './pool.js';

const FOLDER = fileURLToPath(new URL('./migrations', import.meta.url));
/** A number that nothing else in the database locks. */
const ADVISORY_LOCK = 7_365_123;

/** How long one migration, or waiting for another process that migrates, may take: a large log takes minutes. */
const TIMEOUT_MS = 60 * 60_000;

/**
 * Brings the schema `log` up to date: runs every file of migrations/ that has not run, in order of name, each in a
 * transaction. Returns their names. Many processes may call it at once. The schema is separate from Prisma's, which
 * would drop tables that it does not know.
 */
export async function migrate(pool: Pool): Promise<string[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  const client = await pool.connect();
  client.on('error', ignoreError);
  try {
    allowSilence(client, TIMEOUT_MS);
    await client.query(`set statement_timeout = ${TIMEOUT_MS}`);
    await client.query(`select pg_advisory_lock(${ADVISORY_LOCK})`);
    await client.query('create schema if not exists log');
    await client.query(
      'create table if not exists log.migration (name text primary key, applied_at timestamptz not null default now())',
    );
    const applied = new Set(
      (await client.query<{ name: string }>('select name from log.migration')).rows.map((r) => r.name),
    );
    const missing = files.filter((name) => !applied.has(name));
    for (const name of missing) {
      const sql = await readFile(join(FOLDER, name), 'utf8');
      // Several statements in one simple query are one transaction.
      await client.query(`begin; ${sql}\n; insert into log.migration (name) values ('${name}'); commit`);
    }
    return missing;
  } finally {
    client.release(true); // Ends the session, and with it the lock and whatever a failed migration left open.
  }
}
