import { expect, test } from '@jest/globals';
import { image as mysql } from '../../../../catalog/mysql/image.js';
import { programs } from '../../../../programs/index.js';
import { BOOT, execute, runTo, startImage } from '../../../testing.js';

const ENV = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', MYSQL_ALLOW_EMPTY_PASSWORD: '1' };
const machine = startImage(mysql, programs, { env: { ...mysql.config.env, ...ENV } });
runTo(machine, BOOT + 30_000);
const run = (sql: string) => execute(machine, ['mysql', '-uroot', '-Ne', sql]);

test.each([
  ['show slave status', '', ''],
  ['show master status', 'mysql-bin.000003\t154\t\t\n', ''],
  [
    'start slave',
    '',
    'ERROR 1200 (HY000) at line 1: The server is not configured as slave; fix in config file or with CHANGE MASTER TO\n',
  ],
  ["change master to master_host='db-0.db', master_user='root', master_password='', master_connect_retry=10", '', ''],
  ['show slave status', '\tdb-0.db\troot\t3306\t10\tmysql-bin.000003\t154\tNo\tNo\t0\t\t\n', ''],
])('%s', (sql, stdout, stderr) => {
  expect(run(sql)).toEqual({ stdout, stderr, code: stderr === '' ? 0 : 1 });
});
