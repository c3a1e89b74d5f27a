import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type pg from 'pg';
import { testDatabase } from '../../testkit/postgres.js';
import { migrate } from './migrate.js';
import { openPool } from './pool.js';

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
  expect(ran.flat()).toEqual(['001-log.sql']);
  expect(await migrate(pool)).toEqual([]);
  const { rows } = await pool.query<{ name: string }>('select name from log.migration');
  expect(rows).toEqual([{ name: '001-log.sql' }]);
});

test('the tables are in a schema of their own', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'log' order by 1`,
  );
  expect(rows.map((row) => row.name)).toEqual(['checkpoint', 'cluster', 'migration', 'segment']);
});
