import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { testDatabase } from '../testkit/postgres.js';

const FOLDER = path.resolve('prisma/migrations');
const NAMES = readdirSync(FOLDER)
  .filter((name) => !name.includes('.'))
  .sort();
/** The last migration before tenants had limits. */
const BEFORE = '20261121034200_certificate';

let database: Awaited<ReturnType<typeof testDatabase>>;
let client: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
}, 60_000);
afterAll(async () => {
  await client.end();
  await database.drop();
});

const run = async (names: readonly string[]): Promise<void> => {
  for (const name of names) await client.query(readFileSync(path.join(FOLDER, name, 'migration.sql'), 'utf8'));
};

test('tenants that exist keep what they could have, and keys what they could do', async () => {
  const [tenant, user] = ['11111111-1111-1111-1111-111111111111', '22222222-2222-2222-2222-222222222222'];
  await run(NAMES.filter((name) => name <= BEFORE));
  await client.query(`
    insert into platform.tenant (id, name, max_clusters) values ('${tenant}', 'acme', 20000);
    insert into platform."user" (id, tenant_id, name) values ('${user}', '${tenant}', 'jane');
    insert into platform.api_key (hash, tenant_id, user_id, name) values
      ('one', '${tenant}', '${user}', 'first'), ('two', '${tenant}', '${user}', 'second');
    insert into platform.signing_key (id, secret) values (1, 'secret')`);
  await run(NAMES.filter((name) => name > BEFORE));

  const limits = await client.query(
    `select max_nodes, max_bytes, max_cluster_bytes, suspended_at from platform.tenant`,
  );
  expect(limits.rows).toEqual([
    {
      max_nodes: 20_000 * 200,
      max_bytes: String(20_000 * 128 * 1024 ** 2),
      max_cluster_bytes: String(128 * 1024 ** 2),
      suspended_at: null,
    },
  ]);
  const keys = await client.query<{ id: string; hash: string }>(
    `select id, hash, scope, expires_at, revoked_at from platform.api_key order by hash`,
  );
  const unlimited = { scope: 'manage', expires_at: null, revoked_at: null };
  expect(keys.rows).toMatchObject([
    { hash: 'one', ...unlimited },
    { hash: 'two', ...unlimited },
  ]);
  expect(new Set(keys.rows.map(({ id }) => id)).size).toBe(2);
  const added = await client.query(`insert into platform.signing_key (secret) values ('new') returning id, retired_at`);
  expect(added.rows).toEqual([{ id: 2, retired_at: null }]);
});
