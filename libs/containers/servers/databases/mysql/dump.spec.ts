import { beforeAll, expect, test } from '@jest/globals';
import type { Machine } from '../../../../engine/kernel/machine.js';
import { image } from '../../../catalog/mysql/image.js';
import { programs } from '../../../programs/index.js';
import { BOOT, execute, runTo, startImage } from '../../testing.js';

const IMAGE = image.variant!('8.0');
let machine: Machine;
const shell = (script: string) => execute(machine, ['bash', '-c', script]);
const sql = (text: string, database = 'shop') =>
  execute(machine, ['mysql', '-uroot', '-psecret', '-N', '-e', text, database]);

beforeAll(() => {
  const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  const env = { PATH, ...IMAGE.config.env, MYSQL_ROOT_PASSWORD: 'secret', MYSQL_DATABASE: 'shop' };
  machine = startImage(IMAGE, programs, { env });
  runTo(machine, BOOT + 60_000);
  sql(
    `CREATE TABLE users (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20) NOT NULL, email TEXT);
     CREATE TABLE orders (id INT PRIMARY KEY, user_id INT, FOREIGN KEY (user_id) REFERENCES users(id));
     INSERT INTO users (name, email) VALUES ('Ann', 'it''s'), ('Bob', NULL);
     INSERT INTO orders VALUES (7, 1)`,
  );
});

test('it has each table, then its data', () => {
  const { stdout, code } = shell('mysqldump -uroot -psecret shop 2>/dev/null');
  expect(code).toBe(0);
  const parts = [
    '-- Host: localhost    Database: shop\n',
    '-- Table structure for table `orders`\n--\n\nDROP TABLE IF EXISTS `orders`;\n',
    'INSERT INTO `orders` VALUES (7,1);\n',
    'CREATE TABLE `users` (\n',
    "LOCK TABLES `users` WRITE;\n/*!40000 ALTER TABLE `users` DISABLE KEYS */;\nINSERT INTO `users` VALUES (1,'Ann','it\\'s'),(2,'Bob',NULL);\n",
    '-- Dump completed on 2026-11-22 ',
  ];
  const places = parts.map((part) => stdout.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('mysql restores it in another database', () => {
  sql('CREATE DATABASE copy');
  const restored = shell('mysqldump -uroot -psecret shop 2>/dev/null | mysql -uroot -psecret copy');
  expect(restored.stderr.replace(/^mysql: \[Warning\].*\n/, '')).toBe('');
  for (const text of ['SELECT * FROM users', 'SELECT * FROM orders', 'SHOW CREATE TABLE users'])
    expect(sql(text, 'copy').stdout).toBe(sql(text).stdout);
});

test.each<[string, RegExp, RegExp]>([
  ['--no-data shop', /CREATE TABLE/, /INSERT/],
  ['-t shop users', /INSERT INTO `users`/, /CREATE TABLE|orders/],
  ['--databases shop', /CREATE DATABASE .*`shop`.*\n\nUSE `shop`;/, /`copy`/],
  ['--all-databases', /USE `shop`;/, /USE `mysql`;/],
])('mysqldump %s', (args, has, hasNot) => {
  const { stdout, code } = shell(`mysqldump -uroot -psecret ${args} 2>/dev/null`);
  expect(code).toBe(0);
  expect(stdout).toMatch(has);
  expect(stdout).not.toMatch(hasNot);
});

test.each<[string, number, string]>([
  ['-uroot -pwrong shop', 2, "mysqldump: Got error: 1045: Access denied for user 'root'@'"],
  ['-uroot -psecret shop nope', 6, 'mysqldump: Couldn\'t find table: "nope"\n'],
  ['-uroot -psecret none', 2, "mysqldump: Got error: 1049: Unknown database 'none' when selecting the database\n"],
  ['-uroot', 1, 'Usage: mysqldump [OPTIONS] database [tables]\n'],
  [
    '-h nowhere shop',
    2,
    "mysqldump: Got error: 2005: Unknown MySQL server host 'nowhere' (-2) when trying to connect\n",
  ],
])('mysqldump %s fails', (args, code, stderr) => {
  const failed = shell(`mysqldump ${args}`);
  expect(failed.stderr).toContain(stderr);
  expect(failed.code).toBe(code);
});
