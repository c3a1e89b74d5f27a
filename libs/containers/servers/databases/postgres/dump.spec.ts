import { beforeAll, expect, test } from '@jest/globals';
import type { Machine } from '../../../../engine/kernel/machine.js';
import { image } from '../../../catalog/postgres/image.js';
import { programs } from '../../../programs/index.js';
import { BOOT, execute, runTo, startImage } from '../../testing.js';

const IMAGE = image.variant!('17.7');
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
let machine: Machine;
const psql = (...args: string[]) => execute(machine, ['psql', '-U', 'postgres', ...args]);
const dump = (...args: string[]) => execute(machine, ['pg_dump', '-U', 'postgres', ...args]);

beforeAll(() => {
  machine = startImage(IMAGE, programs, { env: { PATH, ...IMAGE.config.env, POSTGRES_PASSWORD: 's' } });
  runTo(machine, BOOT + 20_000);
  psql(
    '-c',
    `CREATE TABLE users (id SERIAL PRIMARY KEY, name varchar(10) NOT NULL, email text UNIQUE, is_on boolean DEFAULT true);
     CREATE TABLE orders (id bigserial primary key, user_id int REFERENCES users(id) ON DELETE CASCADE, price numeric(10,2) CHECK (price > 0), at timestamptz DEFAULT now());
     CREATE INDEX orders_at ON orders (at);
     INSERT INTO users (name, email) VALUES ('Ann', 'a@x'), (E'B\\tob', NULL);
     INSERT INTO orders (user_id, price, at) VALUES (1, 9.5, '2026-01-01 10:00:00+00')`,
  );
});

test('it has tables, sequences, data, keys, indexes and references, in their order', () => {
  const { stdout, stderr, code } = dump();
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const parts = [
    '--\n-- PostgreSQL database dump\n--\n\n-- Dumped from database version 17.7',
    'CREATE TABLE public.orders (\n    id bigint NOT NULL,\n    user_id integer,\n    price numeric(10,2),\n    at timestamp with time zone DEFAULT now(),\n    CONSTRAINT orders_price_check CHECK (price > 0)\n);\n',
    'CREATE SEQUENCE public.users_id_seq\n    AS integer\n    START WITH 1\n',
    'ALTER SEQUENCE public.users_id_seq OWNED BY public.users.id;\n',
    "ALTER TABLE ONLY public.users ALTER COLUMN id SET DEFAULT nextval('public.users_id_seq'::regclass);\n",
    '-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: postgres\n--\n\nCOPY public.users (id, name, email, is_on) FROM stdin;\n1\tAnn\ta@x\tt\n2\tB\\tob\t\\N\tt\n\\.\n',
    "SELECT pg_catalog.setval('public.users_id_seq', 2, true);\n",
    'ALTER TABLE ONLY public.users\n    ADD CONSTRAINT users_pkey PRIMARY KEY (id);\n',
    'CREATE INDEX orders_at ON public.orders USING btree (at);\n',
    'ADD CONSTRAINT orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id) ON DELETE CASCADE;\n',
    '-- PostgreSQL database dump complete\n',
  ];
  const places = parts.map((part) => stdout.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('another database has the same after psql has run it', () => {
  dump('-f', '/tmp/dump.sql');
  psql('-c', 'CREATE DATABASE copy');
  const restored = psql('-d', 'copy', '-v', 'ON_ERROR_STOP=1', '-q', '-f', '/tmp/dump.sql');
  expect(restored).toMatchObject({ stderr: '', code: 0 });
  const ask = (database: string, sql: string) => psql('-d', database, '-tA', '-c', sql).stdout;
  for (const sql of ['SELECT * FROM users ORDER BY id', 'SELECT * FROM orders', '\\d orders'])
    expect(ask('copy', sql).replaceAll("'public.", "'")).toBe(ask('postgres', sql));
  expect(ask('copy', "INSERT INTO users (name) VALUES ('C') RETURNING id")).toContain('3\n');
  expect(psql('-d', 'copy', '-c', 'INSERT INTO orders (user_id) VALUES (9)').stderr).toContain('orders_user_id_fkey');
});

test.each<[string[], RegExp, RegExp]>([
  [['-s'], /CREATE TABLE/, /COPY|setval/],
  [['-a'], /COPY public.users/, /CREATE TABLE|ADD CONSTRAINT/],
  [['-t', 'users'], /CREATE TABLE public.users/, /CREATE TABLE public.orders/],
  [['-t', 'o*', '-O'], /CREATE TABLE public.orders/, /OWNER TO/],
  [['-c', '--if-exists'], /DROP TABLE IF EXISTS public.users;\nDROP TABLE IF EXISTS public.orders;/, /COPY .* TO/],
  [['--inserts'], /INSERT INTO public.users VALUES \(1, 'Ann', 'a@x', true\);/, /COPY/],
  [['--column-inserts', '-t', 'users'], /INSERT INTO public.users \(id, name, email, is_on\) VALUES/, /COPY/],
])('pg_dump %j', (args, has, hasNot) => {
  const { stdout, code } = dump(...args);
  expect(code).toBe(0);
  expect(stdout).toMatch(has);
  expect(stdout).not.toMatch(hasNot);
});

test.each([
  [['-t', 'nope'], 'pg_dump: error: no matching tables were found\n'],
  [['-Fc'], 'pg_dump: error: the output format "c" is not simulated: only plain is\n'],
  [['-s', '-a'], 'pg_dump: error: options -s/--schema-only and -a/--data-only cannot be used together\n'],
  [
    ['-d', 'none'],
    'pg_dump: error: connection to server on socket "/var/run/postgresql/.s.PGSQL.5432" failed: FATAL:  database "none" does not exist\n',
  ],
])('pg_dump %j fails', (args, stderr) => expect(dump(...args)).toEqual({ stdout: '', stderr, code: 1 }));
