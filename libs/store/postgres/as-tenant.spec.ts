import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import { ownServer, testDatabase } from '../../testkit/postgres.js';
import { asTenant } from './as-tenant.js';
import { migrate } from './migrate.js';
import { inTransaction, openPool } from './pool.js';
import { PostgresLogStore } from './postgres-log-store.js';

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: pg.Pool;
beforeAll(async () => {
  database = await testDatabase();
  // One connection, so that what a transaction leaves behind would be seen.
  pool = openPool({ connectionString: database.url, poolSize: 1 });
  await migrate(pool);
  const store = new PostgresLogStore(pool);
  for (const id of ['a1', 'a2', 'b1']) {
    const tenantId = id.startsWith('a') ? 'acme' : 'other';
    await store.createCluster({ id, tenantId, settings: {}, nodes: 1, createdAt: 0 });
  }
}, 60_000);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const select = (tenantId: string, from: string): Promise<string[]> =>
  asTenant(pool, tenantId, async (on) => {
    const { rows } = await on.query<{ x: string }>(`select x from (${from}) q(x) order by 1`);
    return rows.map(({ x }) => x);
  });

test.each([
  ['acme', ['a1', 'a2'], ['acme']],
  ['other', ['b1'], ['other']],
  ['unknown', [], []],
  ['', [], []],
  [`acme' or tenant_id <> '`, [], []],
  [`$1$&acme`, [], []],
])('a query without a filter, as tenant %j, sees %j', async (tenantId, ids, tenants) => {
  expect(await select(tenantId, 'select id from log.cluster')).toEqual(ids);
  expect(
    await select(tenantId, `select id from log.cluster where tenant_id <> current_setting('terrarium.tenant')`),
  ).toEqual([]);
  expect(await select(tenantId, 'select tenant_id from log.tenant')).toEqual(tenants);
});

test('the role sees nothing when no tenant is named', async () => {
  const rows = await inTransaction(pool, async (client) => {
    await client.query('set local role terrarium_tenant');
    return (await client.query('select * from log.cluster')).rows;
  });
  expect(rows).toEqual([]);
});

test.each([
  'select * from log.segment',
  'select * from log.checkpoint',
  'select * from log.chore',
  `update log.cluster set tenant_id = 'acme'`,
  'delete from log.cluster',
  `select log.delete_cluster('a1', null)`,
  `select log.append('b1', 0, 1, 1, now(), 'x', null, null)`,
])('the role may not: %s', async (text) => {
  await expect(asTenant(pool, 'acme', (on) => on.query(text))).rejects.toThrow(/permission denied/);
});

test('the next transaction on the connection is no tenant’s', async () => {
  await select('acme', 'select 1');
  const { rows } = await pool.query<{ role: string; n: number }>(
    'select current_role as role, count(*)::int as n from log.cluster',
  );
  expect(rows).toEqual([{ role: 'postgres', n: 3 }]);
});

test('lists and usage of a tenant are asked as its role', async () => {
  const store = new PostgresLogStore(pool);
  const roles: string[] = [];
  await pool.query(`
    create table roles (role text); grant insert on roles to public;
    create function note_role() returns boolean language plpgsql as
      $$ begin insert into roles values (current_role); return true; end $$;
    create policy noted on log.cluster as restrictive for select to public using (note_role())`);
  expect((await store.list('acme', { limit: 9 })).map(({ id }) => id)).toEqual(['a1', 'a2']);
  expect(await store.usage('acme')).toEqual({ clusters: 2, nodes: 2, bytes: 0 });
  for (const { role } of (await pool.query<{ role: string }>('select distinct role from roles')).rows) roles.push(role);
  expect(roles).toEqual(['terrarium_tenant']);
});

describe('a user who is no superuser', () => {
  let server: Awaited<ReturnType<typeof ownServer>>;
  let admin: pg.Pool;
  beforeAll(async () => {
    server = await ownServer();
    admin = openPool({ connectionString: `${server.url}/postgres` });
  }, 60_000);
  afterAll(async () => {
    await admin.end();
    await server.stop();
  });

  /** A database of this new user's own. */
  const open = async (user: string, attributes: string): Promise<pg.Pool> => {
    await admin.query(`create role ${user} login ${attributes}`);
    await admin.query(`create database ${user} owner ${user}`);
    return openPool({ connectionString: `${server.url.replace('postgres@', `${user}@`)}/${user}` });
  };

  test('is told what an administrator has to do when the role is missing', async () => {
    const own = await open('plain', '');
    await expect(migrate(own)).rejects.toThrow(
      'Ask an administrator to run: create role terrarium_tenant nologin; grant terrarium_tenant to plain;',
    );
    await own.end();
  });

  test('makes the role, becomes it, and sees all rows as the owner', async () => {
    const own = await open('maker', 'createrole');
    await migrate(own);
    const store = new PostgresLogStore(own);
    for (const tenantId of ['acme', 'other'])
      await store.createCluster({ id: `of-${tenantId}`, tenantId, settings: {}, nodes: 1, createdAt: 0 });
    const ids = `select id from log.cluster order by 1`;
    expect((await asTenant(own, 'acme', (on) => on.query(ids))).rows).toEqual([{ id: 'of-acme' }]);
    expect((await own.query(ids)).rows).toHaveLength(2);
    await own.end();
  });

  test('needs no more than to be granted the role that exists', async () => {
    const own = await open('granted', '');
    await expect(migrate(own)).rejects.toThrow('grant terrarium_tenant to granted');
    await admin.query('grant terrarium_tenant to granted');
    await migrate(own);
    expect((await asTenant(own, 'acme', (on) => on.query('select * from log.cluster'))).rows).toEqual([]);
    await own.end();
  });
});
