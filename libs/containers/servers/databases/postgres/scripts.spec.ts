import { beforeAll, expect, test } from '@jest/globals';
import type { Machine } from '../../../../engine/kernel/machine.js';
import { image } from '../../../catalog/postgres/image.js';
import { programs } from '../../../programs/index.js';
import { BOOT, execute, runTo, startImage } from '../../testing.js';

const IMAGE = image.variant!('17.7');
const ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', ...IMAGE.config.env, POSTGRES_PASSWORD: 'secret' };
let machine: Machine;
beforeAll(() => {
  machine = startImage(IMAGE, programs, { env: ENV });
  runTo(machine, BOOT + 20_000);
});

const hint = (name: string): string => `${name}: hint: Try "${name} --help" for more information.\n`;

/** In this order: each finds what the ones before have made. */
test.each<[line: string, code: number, stdout: string, stderr: string]>([
  [
    'createuser -U postgres -e ann',
    0,
    'CREATE ROLE ann NOSUPERUSER NOCREATEDB NOCREATEROLE INHERIT LOGIN NOREPLICATION NOBYPASSRLS;\n',
    '',
  ],
  ['createuser -U postgres -d Bob', 0, '', ''],
  [
    'createuser -U postgres ann',
    1,
    '',
    'createuser: error: creation of new role failed: ERROR:  role "ann" already exists\n',
  ],
  ['createdb -U postgres -O ann shop', 0, '', ''],
  [
    'createdb -U postgres shop',
    1,
    '',
    'createdb: error: database creation failed: ERROR:  database "shop" already exists\n',
  ],
  [
    'createdb -U ann other',
    1,
    '',
    'createdb: error: database creation failed: ERROR:  permission denied to create database\n',
  ],
  ['createdb -U Bob -h localhost his', 0, '', ''],
  ['psql -U ann -Atc select(current_database()) shop', 0, 'shop\n', ''],
  [
    'dropuser -U postgres ann',
    1,
    '',
    'dropuser: error: removal of role "ann" failed: ERROR:  role "ann" cannot be dropped because some objects depend on it\nDETAIL:  owner of database shop\n',
  ],
  ['dropdb -U postgres -e shop', 0, 'DROP DATABASE shop;\n', ''],
  [
    'dropdb -U postgres shop',
    1,
    '',
    'dropdb: error: database removal failed: ERROR:  database "shop" does not exist\n',
  ],
  ['dropdb -U postgres --if-exists shop', 0, '', ''],
  ['dropuser -U postgres ann', 0, '', ''],
  ['dropdb', 1, '', `dropdb: error: missing required argument database name\n${hint('dropdb')}`],
  ['createdb -x', 1, '', `createdb: invalid option -- 'x'\n${hint('createdb')}`],
  ['createdb a b c', 1, '', `createdb: error: too many command-line arguments (first is "c")\n${hint('createdb')}`],
  ['createuser -P eve', 1, '', 'createuser: error: --pwprompt is not simulated here\n'],
  ['dropdb --version', 0, 'dropdb (PostgreSQL) 17.7\n', ''],
  [
    'createdb -p 5433 x',
    1,
    '',
    'createdb: error: connection to server on socket "/var/run/postgresql/.s.PGSQL.5433" failed: No such file or directory\n\tIs the server running locally and accepting connections on that socket?\n',
  ],
])('%s', (line, code, stdout, stderr) => {
  expect(execute(machine, line.split(' '))).toEqual({ stdout, stderr, code });
});
