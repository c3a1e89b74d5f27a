import { expect, test } from '@jest/globals';
import { BOOT, execute, runTo, serverFiles, startServer } from '../testing.js';

const FILES = serverFiles({
  '/bin/mysql': 'mysql:mysql',
  '/bin/psql': 'postgres:psql',
  '/bin/pg_isready': 'postgres:pg_isready',
  '/bin/mongosh': 'mongo:mongosh',
});

test.each([
  [
    ['mysql', '-uroot'],
    "ERROR 2002 (HY000): Can't connect to local MySQL server through socket '/var/run/mysqld/mysqld.sock' (2)\n",
    1,
  ],
  [
    ['mysql', '-h', '127.0.0.1', '-uroot'],
    "ERROR 2003 (HY000): Can't connect to MySQL server on '127.0.0.1:3306' (111)\n",
    1,
  ],
  [
    ['psql', '-U', 'postgres'],
    'psql: error: connection to server on socket "/var/run/postgresql/.s.PGSQL.5432" failed: No such file or directory\n\tIs the server running locally and accepting connections on that socket?\n',
    2,
  ],
  [['mongosh'], 'MongoNetworkError: connect ECONNREFUSED 127.0.0.1:27017\n', 1],
])('%j fails in its own words', (argv, stderr, code) => {
  const { machine } = startServer(FILES, ['sleep', '1000']);
  runTo(machine, BOOT + 1_000);
  expect(execute(machine, argv)).toEqual({ stdout: '', stderr, code });
});

test('pg_isready prints to standard output', () => {
  const { machine } = startServer(FILES, ['sleep', '1000']);
  expect(execute(machine, ['pg_isready'])).toMatchObject({
    stdout: '/var/run/postgresql:5432 - no response\n',
    code: 2,
  });
});
