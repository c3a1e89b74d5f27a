import { expect, test } from '@jest/globals';
import { FileTree } from '../../../../engine/kernel/files/tree.js';
import { image } from '../../../catalog/postgres/image.js';
import { programs } from '../../../programs/index.js';
import { BOOT, execute, logOf, runTo, startImage } from '../../testing.js';

const IMAGE = image.variant!('17.7');
const ENV = {
  ...{ PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...IMAGE.config.env },
  POSTGRES_PASSWORD: 'x',
};
const emptyDir = (path: string) => ({
  ...{ path, tree: new FileTree(path, FOLDER), readOnly: false, source: '/dev/vda1', type: 'ext4', options: [] },
});
const FOLDER = { '/': { type: 'directory', mode: 0o777, user: 999, group: 999, modified: 0 } } as const;
const DATA = '/var/lib/postgresql/data';
const start = (...paths: string[]) => {
  const fields = { env: ENV, readOnlyRoot: true, mounts: paths.map(emptyDir), user: 999, group: 999 };
  const machine = startImage(IMAGE, programs, fields);
  runTo(machine, BOOT + 20_000);
  return machine;
};

test('a root that is read-only needs a volume for the data and one for the socket', () => {
  const machine = start(DATA, '/run/postgresql');
  expect(execute(machine, ['psql', '-U', 'postgres', '-tAc', 'select 1']).stdout).toBe('1\n');
});

test('without the one for the socket the server ends', () => {
  const lock = 'FATAL:  could not create lock file "/var/run/postgresql/.s.PGSQL.5432.lock": Read-only file system';
  expect(logOf(start(DATA), 'stderr') + logOf(start(DATA), 'stdout')).toContain(lock);
});
