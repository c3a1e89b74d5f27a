import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type pg from 'pg';
import { testDatabase } from '../../testkit/postgres.js';
import { migrate } from './migrate.js';
import { openPool } from './pool.js';
import { PostgresLogStore } from './postgres-log-store.js';

const CLUSTERS = 100_000;
/** A page is 8 KiB: what a query of an index with nothing due reads. */
const MAX_PAGES = 50;

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: pg.Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = openPool({ connectionString: database.url, poolSize: 1, timeoutMs: 60_000 });
  await migrate(pool);
  await pool.query(`
    insert into log.cluster (id, tenant_id, head, settings, created_at, epoch, next_wake)
    select 'c' || i, 't' || i % 100, 0, '{}', now(), now(), now() + interval '1 day' from generate_series(1, ${CLUSTERS}) i`);
  await pool.query('vacuum analyze log.cluster');
}, 120_000);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): string[] => [plan['Node Type'], ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The statements that `run` sends are explained instead of run. */
async function explain(run: (store: PostgresLogStore) => Promise<unknown>): Promise<Plan[]> {
  const plans: Plan[] = [];
  const query = async ({ text, values }: { text: string; values: unknown[] }): Promise<{ rows: unknown[] }> => {
    const explained = `explain (analyze, buffers, format json) ${text}`;
    // The first call of a function reads the catalogue, too.
    await pool.query(explained, values);
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explained, values);
    plans.push(rows[0]!['QUERY PLAN'][0].Plan);
    return { rows: [{ n: '0' }] };
  };
  await run(new PostgresLogStore({ query } as unknown as pg.Pool));
  return plans;
}

test.each<[string, (store: PostgresLogStore) => Promise<unknown>]>([
  ['overdue', (store) => store.overdue(Date.now(), 500)],
  ['expired', (store) => store.expired(Date.now(), 50)],
  ['compactable', (store) => store.compactable(Date.now(), 50)],
  ['reviewable', (store) => store.reviewable(Date.now(), 20)],
  ['purge', (store) => store.purge(2_000)],
  ['dropTemplates', (store) => store.dropTemplates(Date.now(), 100)],
])(`%s reads no more than an index when nothing is due, however many clusters there are`, async (_, run) => {
  const plans = await explain(run);
  expect(plans).toHaveLength(1);
  expect(nodesOf(plans[0]!)).not.toContain('Seq Scan');
  expect(plans[0]!['Shared Hit Blocks'] + plans[0]!['Shared Read Blocks']).toBeLessThan(MAX_PAGES);
});

test('each index holds what is due only', async () => {
  const { rows } = await pool.query<{ name: string; pages: number }>(`
    select relname as name, relpages as pages from pg_class
     where relname in ('cluster_ends', 'cluster_compact', 'cluster_review', 'cluster_deleted', 'cluster_idempotency')
     order by 1`);
  expect(rows).toHaveLength(5);
  for (const { name, pages } of rows) expect([name, pages]).toEqual([name, 1]);
});

test('appends change no index', async () => {
  const store = new PostgresLogStore(pool);
  const updates = async (): Promise<{ all: number; hot: number }> => {
    await pool.query('select pg_stat_force_next_flush()');
    const { rows } = await pool.query<{ all: number; hot: number }>(
      `select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = 'cluster'`,
    );
    return rows[0]!;
  };
  // The first rewrite of a page that is full moves the row to another page.
  for (let i = 0; i < 3; i++)
    await store.append('c1', { expected: i, first: i + 1, last: i + 1, at: 0, changes: new Uint8Array(100) });
  const before = await updates();
  for (let i = 3; i < 43; i++)
    await store.append('c1', { expected: i, first: i + 1, last: i + 1, at: 0, changes: new Uint8Array(100) });
  const after = await updates();
  expect(after.all - before.all).toBe(40);
  expect(after.hot - before.hot).toBeGreaterThanOrEqual(38);
});
