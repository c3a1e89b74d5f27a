import { expect, test } from '@jest/globals';
import { image } from '../../../catalog/postgres-bitnami/image.js';
import type { Machine } from '../../../../engine/kernel/machine.js';
import { programs } from '../../../programs/index.js';
import { BOOT, execute, logOf, runTo, startImage } from '../../testing.js';

const IMAGE = image.variant!('15.4.0-debian-11-r45');

function start(env: Readonly<Record<string, string>>): Machine {
  const machine = startImage(IMAGE, programs, { env: { ...IMAGE.config.env, ...env }, user: 1_001, group: 0 });
  runTo(machine, BOOT + 20_000);
  return machine;
}
const psql = (machine: Machine, ...args: string[]): string => {
  const { stdout, stderr } = execute(machine, ['psql', ...args]);
  return stdout + stderr;
};

test.each<[string, Record<string, string>, string[], string]>([
  ['of its own user', { POSTGRESQL_PASSWORD: 'x' }, ['-U', 'postgres', '-tAc', 'select 1'], '1\n'],
  ['of the official names', { POSTGRES_PASSWORD: 'x' }, ['-U', 'postgres', '-tAc', 'show server_version'], '15.4\n'],
  [
    'of another user with a database',
    { POSTGRESQL_USERNAME: 'app', POSTGRESQL_PASSWORD: 'x', POSTGRESQL_DATABASE: 'shop' },
    ['-U', 'app', '-d', 'shop', '-tAc', 'create table t (a int); select current_user, current_database()'],
    'CREATE TABLE\napp|shop\n',
  ],
  [
    'of nobody',
    { ALLOW_EMPTY_PASSWORD: 'yes' },
    ['-U', 'postgres', '-tAc', 'show data_directory'],
    '/bitnami/postgresql/data\n',
  ],
  [
    'by its socket',
    { POSTGRESQL_PASSWORD: 'x' },
    ['-U', 'postgres', '-c', '\\conninfo'],
    'You are connected to database "postgres" as user "postgres" via socket in "/tmp" at port "5432".\n',
  ],
])('a database %s', (_, env, args, printed) => {
  const machine = start(env);
  expect(psql(machine, ...args)).toBe(printed);
  expect(logOf(machine, 'stderr')).toContain('INFO  ==> ** PostgreSQL setup finished! **');
});

test('without a password it says so and ends', () => {
  const log = logOf(start({}), 'stderr');
  expect(log).toContain('ERROR ==> The POSTGRESQL_PASSWORD environment variable is empty or not set.');
  expect(log).not.toContain('Starting PostgreSQL **');
});
