import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type pg from 'pg';
import { testDatabase } from '../../testkit/postgres.js';
import { inTransaction, openPool } from './pool.js';

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: pg.Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = openPool({ connectionString: database.url, poolSize: 1, timeoutMs: 500 });
  await pool.query('create table numbers (n int)');
}, 60_000);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const count = async (): Promise<number> =>
  (await pool.query<{ n: number }>('select count(*)::int as n from numbers')).rows[0]!.n;

test('a transaction commits, and returns its result', async () => {
  const result = await inTransaction(pool, async (client) => {
    await client.query('insert into numbers values (1)');
    return 'done';
  });
  expect([result, await count()]).toEqual(['done', 1]);
});

test('a transaction that throws is rolled back, and its connection is used again', async () => {
  const failing = inTransaction(pool, async (client) => {
    await client.query('insert into numbers values (2)');
    throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
  expect([await count(), pool.totalCount]).toEqual([1, 1]);
});

test('a query that takes too long fails', async () => {
  await expect(pool.query('select pg_sleep(5)')).rejects.toThrow(/timeout/);
});

test('a connection that says nothing for too long is broken, and replaced', async () => {
  const silent = inTransaction(pool, async (client) => {
    await client.query('insert into numbers values (4)');
    await client.query('set local statement_timeout = 0');
    await client.query('select pg_sleep(5)');
  });
  await expect(silent).rejects.toThrow('timeout: no answer of the database in 500 ms');
  expect(await count()).toBe(1);
});

test('a connection that waits for its next query stays', async () => {
  const pidOf = async (): Promise<number> =>
    (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;
  const pid = await pidOf();
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(await pidOf()).toBe(pid);
});

test('a transaction whose connection breaks rejects, and the connection is replaced', async () => {
  const broken = inTransaction(pool, async (client) => {
    await client.query('insert into numbers values (3)');
    await client.query('select pg_terminate_backend(pg_backend_pid())');
  });
  await expect(broken).rejects.toThrow(/terminat/);
  expect(await count()).toBe(1);
});
