import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type pg from 'pg';
import { testDatabase } from '../../testkit/postgres.js';
import { migrate } from './migrate.js';
import { openPool } from './pool.js';
import { PostgresLogStore } from './postgres-log-store.js';

const MIGRATIONS = [
  '001-log.sql',
  '002-tenants-and-housekeeping.sql',
  '003-chores.sql',
  '004-row-level-security.sql',
  '005-snapshots.sql',
  '006-cluster-life.sql',
];

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: pg.Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = openPool({ connectionString: database.url });
}, 60_000);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('each migration runs once, however many processes begin at once', async () => {
  const ran = await Promise.all([migrate(pool), migrate(pool), migrate(pool)]);
  expect(ran.flat()).toEqual(MIGRATIONS);
  expect(await migrate(pool)).toEqual([]);
  const { rows } = await pool.query<{ name: string }>('select name from log.migration order by 1');
  expect(rows.map((row) => row.name)).toEqual(MIGRATIONS);
});

test('the tables are in a schema of their own', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'log' order by 1`,
  );
  expect(rows.map((row) => row.name)).toEqual([
    'checkpoint',
    'chore',
    'cluster',
    'migration',
    'segment',
    'snapshot',
    'tenant',
  ]);
});

test('a connection that breaks between two queries does not end the process', async () => {
  const errors: unknown[] = [];
  pool.once('acquire', (client) => {
    const query = client.query.bind(client) as (...parameters: unknown[]) => Promise<unknown>;
    client.query = (async (...parameters: unknown[]) => {
      const result = await query(...parameters);
      try {
        client.emit('error', new Error('read ECONNRESET'));
      } catch (error) {
        errors.push(error);
      }
      return result;
    }) as typeof client.query;
  });
  expect(await migrate(pool)).toEqual([]);
  expect(errors).toEqual([]);
});

test('waiting for another process that migrates is not a failure, however short the timeout of queries is', async () => {
  const hasty = openPool({ connectionString: database.url, timeoutMs: 200 });
  const holder = await pool.connect();
  await holder.query('select pg_advisory_lock(7365123)');
  const migrating = migrate(hasty);
  await new Promise((resolve) => setTimeout(resolve, 500));
  holder.release(true);
  expect(await migrating).toEqual([]);
  await hasty.end();
});

test('clusters that exist are counted, with their nodes and bytes', async () => {
  const old = await testDatabase();
  const oldPool = openPool({ connectionString: old.url });
  await oldPool.query('create schema log');
  await oldPool.query('create table log.migration (name text primary key, applied_at timestamptz default now())');
  const first = await readFile(path.join(import.meta.dirname, 'migrations/001-log.sql'), 'utf8');
  await oldPool.query(first);
  await oldPool.query(`
    insert into log.migration (name) values ('001-log.sql');
    insert into log.cluster (id, tenant_id, head, settings, created_at, epoch, deleted_at, base_template, base_revision) values
      ('a', 'acme', 3, '{"nodes": 2}', now(), now(), null, 'basic', 0),
      ('b', 'acme', 0, '{"nodes": "many"}', now(), now(), null, null, 0),
      ('c', 'acme', 0, '{"nodes": 9}', now(), now(), now(), null, 0),
      ('d', 'other', 0, '{}', now(), now(), null, null, 0);
    insert into log.segment (cluster_id, first_revision, last_revision, at, changes) values
      ('a', 1, 1, '2026-01-01', 'abc'), ('a', 2, 2, '2026-01-02', 'de'), ('a', 3, 3, '2026-01-03', 'f');
    insert into log.checkpoint (owner, revision, state) values ('a', 2, 'state'), ('template:basic', 0, 'template');
  `);
  expect(await migrate(oldPool)).toEqual(MIGRATIONS.slice(1));
  const store = new PostgresLogStore(oldPool);
  expect(await store.usage('acme')).toEqual({ clusters: 2, nodes: 2, bytes: 11 });
  expect(await store.usage('other')).toEqual({ clusters: 1, nodes: 0, bytes: 0 });
  expect(await store.cluster('a')).toMatchObject({ nodes: 2, bytes: 11, labels: {}, pausedAt: undefined });
  expect(await store.compactable(Date.UTC(2026, 0, 2), 10)).toEqual([]);
  expect(await store.compactable(Date.UTC(2026, 0, 2) + 1, 10)).toEqual(['a']);
  expect(await store.compact('a', Date.now())).toBe(2);
  expect((await store.cluster('a'))!.bytes).toBe(6);
  expect(await store.purge(10)).toBe(1);
  expect(await store.dropTemplates(Date.now() + 60_000, 10)).toBe(0);
  await store.deleteCluster('b');
  expect(await store.usage('acme')).toEqual({ clusters: 1, nodes: 2, bytes: 6 });
  await oldPool.end();
  await old.drop();
});
