import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Machine } from '../../../../engine/kernel/machine.js';
import { image } from '../../../catalog/postgres/image.js';
import { programs } from '../../../programs/index.js';
import { BOOT, execute, logOf, runTo, startImage } from '../../testing.js';

const IMAGE = image.variant!('17.7');
const ENV = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...IMAGE.config.env };
const SECRET = { ...ENV, POSTGRES_PASSWORD: 'secret' };

function serve(env: Record<string, string> = SECRET): Machine {
  const machine = startImage(IMAGE, programs, { env });
  runTo(machine, BOOT + 20_000);
  return machine;
}
const psql = (machine: Machine, ...args: string[]) => execute(machine, ['psql', '-U', 'postgres', ...args]);

let machine: Machine;
beforeAll(() => {
  machine = serve();
  const made = psql(
    machine,
    '-c',
    `CREATE TABLE users (id SERIAL PRIMARY KEY, name VARCHAR(10) NOT NULL, email text UNIQUE, is_on boolean DEFAULT true, born date);
     CREATE TABLE orders (id bigserial primary key, user_id int REFERENCES users(id) ON DELETE CASCADE, price numeric(10,2) CHECK (price > 0), at timestamptz DEFAULT now());
     INSERT INTO users (name, email, born) VALUES ('Ann', 'a@x', '1990-01-02'), ('Bob', NULL, NULL);
     INSERT INTO orders (user_id, price, at) VALUES (1, 9.5, '2026-01-01 10:00:00+02'), (1, 0.255, '2026-01-02'), (2, 3, '2026-01-03')`,
  );
  expect(made).toMatchObject({ stderr: '', code: 0 });
});

test.each([
  ['select name, is_on, born from users order by id', 'Ann|t|1990-01-02\nBob|t|'],
  ['select at from orders order by id limit 1', '2026-01-01 08:00:00+00'],
  [
    'select u.name, count(*), sum(o.price) from users u join orders o on o.user_id = u.id group by u.name order by 1',
    'Ann|2|9.76\nBob|1|3.00',
  ],
  ["select count(*) filter (where name like 'A%'), count(*) filter (where name ilike 'a%') from users", '1|1'],
  ["select name ilike 'ann', name ~ '^A', name || '!' from users where id = 1", 't|t|Ann!'],
  ["select '5'::int + 1, cast('7' as bigint), 1.5::text, 3/2, null is null", '6|7|1.5|1|t'],
  [
    "select extract(year from at), date_trunc('month', at), at + interval '1 day' from orders where id = 1",
    '2026|2026-01-01 00:00:00+00|2026-01-02 08:00:00+00',
  ],
  ['with t as (select 1 as a union all select 2) select avg(a), max(a) from t', '1.5000000000000000|2'],
  ['values (1, 2), (3, 4)', '1|2\n3|4'],
  ['select * from generate_series(1, 3)', '1\n2\n3'],
  ['select i * 2 from generate_series(2, 1 + 5, 2) as s(i) where i > 2', '8\n12'],
  ['select generate_series(3, 1, -1)', '3\n2\n1'],
  ["select g, 'u' || g from generate_series(1, 2) g order by g desc", '2|u2\n1|u1'],
  ['select count(*) from users u, generate_series(1, 5)', '10'],
  ['select u.name, generate_series(1, 2) from users u where u.id = 1', 'Ann|1\nAnn|2'],
  ['with t as (select generate_series(1, 4) as n) select sum(n) from t', '10'],
  ['select count(*) from generate_series(1, 0)', '0'],
  ['select coalesce(email, $$none$$) from users order by id offset 1', 'none'],
  ['select current_user, current_database()', 'postgres|postgres'],
  ["select to_char(at, 'YYYY-MM-DD') from orders where id = 2", '2026-01-02'],
  ['select case when is_on then 1 else 0 end from users limit 1', '1'],
  ['select row_number() over (order by id desc), id from users order by id limit 1', '2|1'],
  ['select 7 / 2, 7 / 2.0 > 3.4, 7 % (1 + 2), 8 / -2 / length(name), 6 / id::int from users limit 1', '3|t|1|-1|6'],
  ['select 1 / nullif(id, id) is null from users limit 1', 't'],
  ['show max_connections', '100'],
  ["select table_name from information_schema.tables where table_schema = 'public' order by 1", 'orders\nusers'],
])('%s', (sql, expected) => {
  expect(psql(machine, '-Atc', sql)).toEqual({ stdout: `${expected}\n`, stderr: '', code: 0 });
});

test.each([
  [
    'select * from nope',
    'ERROR:  relation "nope" does not exist\nLINE 1: select * from nope\n                      ^\n',
  ],
  [
    'select nope from users',
    'ERROR:  column "nope" does not exist\nLINE 1: select nope from users\n               ^\n',
  ],
  ['select 1 / 0', 'ERROR:  division by zero\n'],
  ['select id % (id - id) from users', 'ERROR:  division by zero\n'],
  ['update users set id = 4 / (id - 1) where id = 1', 'ERROR:  division by zero\n'],
  ['selec 1', 'ERROR:  syntax error at or near "selec"\nLINE 1: selec 1\n        ^\n'],
  ['select 1 from', 'ERROR:  syntax error at end of input\n'],
  [
    "insert into users (id, name) values (1, 'x')",
    'ERROR:  duplicate key value violates unique constraint "users_pkey"\nDETAIL:  Key (id)=(1) already exists.\n',
  ],
  [
    "insert into users (id, email) values (9, 'x')",
    'ERROR:  null value in column "name" of relation "users" violates not-null constraint\nDETAIL:  Failing row contains (9, null, x, t, null).\n',
  ],
  ["insert into users (name) values ('much too long')", 'ERROR:  value too long for type character varying(10)\n'],
  [
    'insert into orders (user_id, price) values (99, 1)',
    'ERROR:  insert or update on table "orders" violates foreign key constraint "orders_user_id_fkey"\nDETAIL:  Key (user_id)=(99) is not present in table "users".\n',
  ],
  [
    'insert into orders (id, user_id, price) values (50, 1, -1)',
    'ERROR:  new row for relation "orders" violates check constraint "orders_price_check"\nDETAIL:  Failing row contains (50, 1, -1.00, 2026-11-22 ',
  ],
  ["select 'x'::int", 'ERROR:  invalid input syntax for type integer: "x"\n'],
  [
    'select nosuch(1)',
    'ERROR:  function nosuch(integer) does not exist\nLINE 1: select nosuch(1)\n               ^\nHINT:  No function matches the given name and argument types. You might need to add explicit type casts.\n',
  ],
  ['create table users (a int)', 'ERROR:  relation "users" already exists\n'],
  [
    'create table x (a nosuch)',
    'ERROR:  type "nosuch" does not exist\nLINE 1: create table x (a nosuch)\n                          ^\n',
  ],
  [
    'drop table users',
    'ERROR:  cannot drop table users because other objects depend on it\nDETAIL:  constraint orders_user_id_fkey on table orders depends on table users\nHINT:  Use DROP ... CASCADE to drop the dependent objects too.\n',
  ],
  [
    'with recursive t(n) as (select 1 union all select n + 1 from t) select count(*) from t',
    'ERROR:  canceling statement due to statement timeout\n',
  ],
  ['create function f() returns int as $$ select 1 $$ language sql', 'ERROR:  CREATE FUNCTION is not supported\n'],
  ['listen news', 'ERROR:  LISTEN NEWS is not supported\n'],
  ['select pg_sleep(5)', 'ERROR:  pg_sleep is not supported\n'],
])('%s is refused', (sql, expected) => {
  const { stdout, stderr, code } = psql(machine, '-c', sql);
  expect({ stdout, stderr: stderr.slice(0, expected.length), code }).toEqual({ stdout: '', stderr: expected, code: 1 });
});

test('what is passed over says so', () => {
  expect(psql(machine, '-c', "comment on table users is 'people'")).toEqual({
    stdout: 'COMMENT\n',
    stderr: 'NOTICE:  COMMENT is not simulated and has no effect\n',
    code: 0,
  });
});

test('\\d prints columns, keys and references', () => {
  expect(psql(machine, '-c', '\\d orders').stdout).toBe(
    `                                     Table "public.orders"
 Column  |           Type           | Collation | Nullable |              Default               
---------+--------------------------+-----------+----------+------------------------------------
 id      | bigint                   |           | not null | nextval('orders_id_seq'::regclass)
 user_id | integer                  |           |          | 
 price   | numeric(10,2)            |           |          | 
 at      | timestamp with time zone |           |          | now()
Indexes:
    "orders_pkey" PRIMARY KEY, btree (id)
Check constraints:
    "orders_price_check" CHECK (price > 0)
Foreign-key constraints:
    "orders_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE

`,
  );
});

describe('what changes', () => {
  const run = (sql: string): string => {
    const { stdout, stderr } = psql(machine, '-Atc', sql);
    return stdout + stderr;
  };
  test.each([
    [
      [
        'create table a (x int, y text)',
        'alter table a add column z int default 5',
        "insert into a values (1, 'b')",
        'select * from a',
      ],
      '1|b|5\n',
    ],
    [['alter table a rename column y to w', 'alter table a drop column z', 'select w from a'], 'b\n'],
    [['update a set x = 2 where x = 1 returning x', 'delete from a'], 'DELETE 1\n'],
    [
      ['create unique index on a (x)', 'insert into a values (7), (7)'],
      'ERROR:  duplicate key value violates unique constraint "a_x_idx"\nDETAIL:  Key (x)=(7) already exists.\n',
    ],
    [["insert into a values (1, 'q') on conflict (x) do update set w = excluded.w", 'select w from a'], 'q\n'],
    [['begin; insert into a values (3); rollback', 'select count(*) from a'], '1\n'],
    [['insert into a values (4); select 1/0 from nope', 'select count(*) from a'], '1\n'],
    [['begin; insert into a values (5); commit', 'truncate a', 'select count(*) from a'], '0\n'],
    [['create view v as select id from users', 'select count(*) from v', 'drop view v'], 'DROP VIEW\n'],
    [['create schema s', 'create table s.t (a int)', 'insert into s.t values (1)', 'select a from s.t'], '1\n'],
    [['create database shop', 'drop database shop'], 'DROP DATABASE\n'],
    [["create role ann login password 'x'", 'grant select on a to ann', 'drop role ann'], 'DROP ROLE\n'],
    [['select nextval($$users_id_seq$$) > 2'], 't\n'],
  ])('%j', (statements, expected) => {
    expect(statements.map(run).at(-1)).toBe(expected);
  });
});

test('a script on standard input, and a block that has failed', () => {
  const script = "psql -U postgres <<'EOF'\nbegin;\nselect 1/0 from nope;\nselect 1;\nrollback;\nEOF\n";
  expect(execute(machine, ['sh', '-c', script])).toEqual({
    stdout: 'BEGIN\nROLLBACK\n',
    stderr:
      'ERROR:  relation "nope" does not exist\nLINE 1: select 1/0 from nope;\n                        ^\nERROR:  current transaction is aborted, commands ignored until end of transaction block\n',
    code: 0,
  });
});

test('readiness, and a server that is not there', () => {
  expect(execute(machine, ['pg_isready', '-U', 'nobody'])).toMatchObject({
    stdout: '/var/run/postgresql:5432 - accepting connections\n',
    code: 0,
  });
  expect(execute(machine, ['pg_isready', '-p', '9'])).toMatchObject({
    stdout: '/var/run/postgresql:9 - no response\n',
    code: 2,
  });
  expect(psql(machine, '-d', 'none', '-c', 'select 1')).toEqual({
    stdout: '',
    stderr:
      'psql: error: connection to server on socket "/var/run/postgresql/.s.PGSQL.5432" failed: FATAL:  database "none" does not exist\n',
    code: 2,
  });
});

test('no password: the entrypoint says so and ends with 1', () => {
  const failed = serve(ENV);
  expect(failed.container('c1').exit?.code).toBe(1);
  expect(logOf(failed, 'stderr')).toMatch(
    /^Error: Database is uninitialized and superuser password is not specified\.\n/,
  );
});

test('its background processes show, and end with it', () => {
  const own = serve();
  const list = 'for one in /proc/[1-9]*; do cat $one/cmdline; echo; done';
  const { stdout } = execute(own, ['bash', '-c', list]);
  for (const name of ['checkpointer', 'background writer', 'walwriter', 'autovacuum launcher'])
    expect(stdout).toContain(`postgres: ${name} \0`);
  expect(stdout).not.toContain('io worker');
  own.signal('c1', 'INT', own.now);
  runTo(own, own.now + 1_000);
  expect(own.container('c1').exit).toMatchObject({ code: 0 });
});

describe('COPY', () => {
  const shell = (script: string) => execute(machine, ['bash', '-c', script]);

  test.each([
    ["COPY (SELECT 1, 'a b', NULL) TO STDOUT", '1\ta b\t\\N\n'],
    ["COPY (SELECT 1 AS n, 'a,\"b' AS t, NULL AS e) TO STDOUT WITH (FORMAT csv, HEADER)", 'n,t,e\n1,"a,""b",\n'],
    ["COPY (SELECT 1, 2) TO STDOUT DELIMITER ';'", '1;2\n'],
    ["COPY (SELECT E'a\\tb') TO STDOUT", 'a\\tb\n'],
  ])('%s', (sql, stdout) => expect(psql(machine, '-c', sql)).toEqual({ stdout, stderr: '', code: 0 }));

  test('from a script with its data, a file of the client, and standard input', () => {
    psql(machine, '-c', 'CREATE TABLE c (id int, t text)');
    const script = `cat > /tmp/c.sql <<'E'\nCOPY c (id, t) FROM stdin;\n1\tone\n2\t\\N\n\\.\n\nSELECT count(*) FROM c;\nE\npsql -U postgres -tA -f /tmp/c.sql`;
    expect(shell(script)).toEqual({ stdout: 'COPY 2\n2\n', stderr: '', code: 0 });
    expect(shell(`echo '3,"x, y"' > /tmp/c.csv; psql -U postgres -c "\\copy c from '/tmp/c.csv' csv"`).stdout).toBe(
      'COPY 1\n',
    );
    expect(shell(`printf '4\tfour\\n' | psql -U postgres -c 'COPY c FROM STDIN'`).stdout).toBe('COPY 1\n');
    expect(psql(machine, '-c', '\\copy (select * from c order by id) to /tmp/out.csv csv header').stdout).toBe(
      'COPY 4\n',
    );
    expect(shell('cat /tmp/out.csv').stdout).toBe('id,t\n1,one\n2,\n3,"x, y"\n4,four\n');
    expect(psql(machine, '-c', "COPY c TO '/tmp/server.txt'").stdout).toBe('COPY 4\n');
    expect(shell('tail -n 1 /tmp/server.txt').stdout).toBe('4\tfour\n');
  });

  test.each([
    ['COPY nope FROM STDIN', 'ERROR:  relation "nope" does not exist'],
    ["COPY c FROM '/nope'", 'ERROR:  could not open file "/nope" for reading: No such file or directory'],
    ["\\copy c from '/nope'", '/nope: No such file or directory'],
    ["COPY c TO 'x'", 'ERROR:  relative path not allowed for COPY to file'],
  ])('%s fails', (sql, stderr) => {
    const failed = psql(machine, '-c', sql);
    expect(failed.stderr.split('\n')[0]).toBe(stderr);
    expect(failed.code).toBe(1);
  });
});
