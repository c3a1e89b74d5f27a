import { beforeAll, expect, test } from '@jest/globals';
import type { Machine } from '../../../../engine/kernel/machine.js';
import { image as mariadb } from '../../../catalog/mariadb/image.js';
import { image as mysql } from '../../../catalog/mysql/image.js';
import { programs } from '../../../programs/index.js';
import { BOOT, execute, logOf, runTo, startImage } from '../../testing.js';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

function serve(image: typeof mysql, more: Record<string, string>): Machine {
  const machine = startImage(image, programs, { env: { PATH, ...image.config.env, ...more } });
  runTo(machine, BOOT + 30_000);
  return machine;
}
const WARNING = 'mysql: [Warning] Using a password on the command line interface can be insecure.\n';
let machine: Machine;
const run = (sql: string, ...args: string[]) => {
  const { stdout, stderr, code } = execute(machine, ['mysql', '-uroot', '-psecret', 'shop', ...args, '-e', sql]);
  return { stdout, stderr: stderr.replace(WARNING, ''), code };
};

beforeAll(() => {
  machine = serve(mysql.variant!('8.4'), {
    MYSQL_ROOT_PASSWORD: 'secret',
    MYSQL_DATABASE: 'shop',
    MYSQL_USER: 'ann',
    MYSQL_PASSWORD: 'x',
  });
  const made =
    run(`CREATE TABLE users (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(10) NOT NULL, email varchar(50) UNIQUE, made TIMESTAMP DEFAULT CURRENT_TIMESTAMP) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
    CREATE TABLE orders (id bigint unsigned NOT NULL AUTO_INCREMENT, user_id int, price decimal(10,2), kind enum('a','b') default 'a', PRIMARY KEY (id), KEY by_user (user_id), CONSTRAINT fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE);
    INSERT INTO users (name, email) VALUES ('Ann', 'a@x'), ("Bob", NULL);
    INSERT INTO orders SET user_id = 1, price = 9.5;
    INSERT INTO orders (user_id, price, kind) VALUES (1, 0.5, 'B'), (2, 3, 'a')`);
  expect(made).toEqual({ stdout: '', stderr: '', code: 0 });
});

test.each([
  ['select name, email from users order by id', 'name\temail\nAnn\ta@x\nBob\tNULL\n'],
  ["select * from users where name = 'ann'", 'id\tname\temail\tmade\n1\tAnn\ta@x\t2026-11-22 00:00:'],
  [
    'select u.name, count(*) n, sum(price) from users u join shop.orders o on o.user_id = u.id group by u.name',
    'name\tn\tsum(price)\nAnn\t2\t10\nBob\t1\t3\n',
  ],
  ['select price, kind from orders limit 1, 1', 'price\tkind\n0.50\tb\n'],
  ['show databases', 'Database\ninformation_schema\nmysql\nperformance_schema\nshop\nsys\n'],
  ['show tables', 'Tables_in_shop\norders\nusers\n'],
  [
    'describe orders',
    "Field\tType\tNull\tKey\tDefault\tExtra\nid\tbigint unsigned\tNO\tPRI\tNULL\tauto_increment\nuser_id\tint\tYES\tMUL\tNULL\t\nprice\tdecimal(10,2)\tYES\t\tNULL\t\nkind\tenum('a','b')\tYES\t\ta\t\n",
  ],
  [
    "insert into users (id, name) values (1, 'Al') on duplicate key update name = values(name); select name from users where id = 1",
    'name\nAl\n',
  ],
  ["select concat(name, '!'), if(id = 1, 'x', 'y') as z from users where id = 1", "concat(name, '!')\tz\nAl!\tx\n"],
  [
    "select date_add('2026-01-31', interval 1 month) d, date_format('2026-01-02', '%d.%m.%Y') f",
    'd\tf\n2026-02-28\t02.01.2026\n',
  ],
  ['begin; delete from orders; rollback; select count(*) from orders', 'count(*)\n3\n'],
  [
    "create table k (v int); alter table k add column w varchar(5) default 'q'; insert into k (v) values (1); select * from k; drop table k",
    'v\tw\n1\tq\n',
  ],
  ['select @@version, database()', '@@version\tdatabase()\n8.4.7\tshop\n'],
  [
    'create database other; use other; create table t (a int); insert into other.t values (7); select a from t; drop database other',
    'a\n7\n',
  ],
])('%s', (sql, expected) => {
  const { stdout, stderr, code } = run(sql);
  expect({ stdout: stdout.slice(0, expected.length), stderr, code }).toEqual({ stdout: expected, stderr: '', code: 0 });
});

test.each([
  ['select * from nope', "ERROR 1146 (42S02) at line 1: Table 'shop.nope' doesn't exist\n"],
  ['select nope from users', "ERROR 1054 (42S22) at line 1: Unknown column 'nope' in 'field list'\n"],
  [
    'selec 1',
    "ERROR 1064 (42000) at line 1: You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near 'selec 1' at line 1\n",
  ],
  [
    "insert into users (name, email) values ('C', 'a@x')",
    "ERROR 1062 (23000) at line 1: Duplicate entry 'a@x' for key 'users.email'\n",
  ],
  [
    "insert into users (email) values ('q')",
    "ERROR 1364 (HY000) at line 1: Field 'name' doesn't have a default value\n",
  ],
  [
    "insert into users (name) values ('much too long')",
    "ERROR 1406 (22001) at line 1: Data too long for column 'name' at row 1\n",
  ],
  [
    'insert into orders (user_id) values (99)',
    'ERROR 1452 (23000) at line 1: Cannot add or update a child row: a foreign key constraint fails (`shop`.`orders`, CONSTRAINT `fk` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE)\n',
  ],
  ['create table users (a int)', "ERROR 1050 (42S01) at line 1: Table 'users' already exists\n"],
  ['use nope', "ERROR 1049 (42000) at line 1: Unknown database 'nope'\n"],
])('%s is refused', (sql, stderr) => {
  expect(run(sql)).toEqual({ stdout: '', stderr, code: 1 });
});

test('tables, and rows one below the other', () => {
  expect(run('select id, name from users', '-t').stdout).toBe(
    '+----+------+\n| id | name |\n+----+------+\n|  1 | Al   |\n|  2 | Bob  |\n+----+------+\n',
  );
  expect(run('select id, name from users limit 1\\G').stdout).toBe(
    '*************************** 1. row ***************************\n  id: 1\nname: Al\n',
  );
});

test('who may come in', () => {
  const ping = (...args: string[]) => execute(machine, ['mysqladmin', ...args, 'ping']);
  expect(ping('-uroot', '-psecret').stdout).toBe('mysqld is alive\n');
  expect(ping('-h127.0.0.1', '-uann', '-px').stdout).toBe('mysqld is alive\n');
  expect(execute(machine, ['mysql', '-uroot', '-pwrong', '-e', 'select 1'])).toEqual({
    stdout: '',
    stderr: `${WARNING}ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: YES)\n`,
    code: 1,
  });
});

test('MariaDB, and no password', () => {
  const maria = serve(mariadb.variant!('11.4'), { MARIADB_ROOT_PASSWORD: 'secret' });
  expect(execute(maria, ['mariadb', '-uroot', '-psecret', '-Ne', 'select version()'])).toEqual({
    stdout: '11.4.9-MariaDB\n',
    stderr: '',
    code: 0,
  });
  const failed = serve(mysql, {});
  expect(failed.container('c1').exit?.code).toBe(1);
  expect(logOf(failed, 'stderr')).toContain(
    '[ERROR] [Entrypoint]: Database is uninitialized and password option is not specified\n',
  );
});
