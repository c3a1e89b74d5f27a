// Brings the platform's tables up to date. Asking the database first is much faster than starting prisma.
import fs from 'node:fs';
import path from 'node:path';
import { prisma } from '../prisma.mjs';
import { Plain, root } from './paths.mjs';

const folder = path.join(root, 'prisma/migrations');

async function applied(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select migration_name as name from public._prisma_migrations where finished_at is not null and rolled_back_at is null`,
    );
    return new Set(rows.map((r) => r.name));
  } catch (error) {
    if (error.code === '42P01' || error.code === '3F000') return new Set();
    throw error;
  } finally {
    await client.end();
  }
}

/** Does the database lack a migration? Throws Plain when it cannot be reached. */
export async function isBehind(url) {
  const wanted = fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((e) => e.isDirectory())
    .map((e) => e.name);
  try {
    const done = await applied(url);
    return wanted.some((name) => !done.has(name));
  } catch (error) {
    if (error.code === '3D000') return true;
    const { host } = new URL(url);
    throw new Plain(`The database at ${host} cannot be used: ${error.message || error.code || 'it does not answer'}.`);
  }
}

export async function migratePlatform(url) {
  const { code, output } = await prisma(['migrate', 'deploy'], { env: { DATABASE_URL: url } });
  if (code !== 0)
    throw new Plain(`The database could not be migrated:\n${output.trim().split('\n').slice(-8).join('\n')}`);
}
