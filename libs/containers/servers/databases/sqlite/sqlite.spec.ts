import { expect, test } from '@jest/globals';
import { Sqlite, SqliteError } from './sqlite.js';

const NONE = {};
const CALL = { now: 0, user: 'u', database: 'd', seed: 1, settings: {} };

test('what is committed is in the content, and a transaction goes on from its statements', () => {
  const first = new Sqlite('', NONE, CALL);
  first.begin();
  first.change('CREATE TABLE t (a int4)');
  first.change('INSERT INTO t VALUES (1)');
  const content = first.commit();
  const begun = ['INSERT INTO t VALUES (2)'];
  expect(new Sqlite(content, NONE, CALL, begun).run('SELECT count(*) FROM t').rows).toEqual([[2]]);
  expect(new Sqlite(content, NONE, CALL).run('SELECT count(*) FROM t').rows).toEqual([[1]]);
  expect(content.length % 1024).toBe(0);
});

test('work without end, too many rows and too long values are interrupted', () => {
  const sqlite = new Sqlite('', NONE, CALL);
  const endless = 'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t)';
  expect(() => sqlite.run(`${endless} SELECT count(*) FROM t`)).toThrow(new SqliteError('interrupted'));
  expect(() => sqlite.run(`${endless} SELECT n FROM t`)).toThrow(new SqliteError('interrupted'));
  expect(() => sqlite.run('SELECT length(zeroblob(100000000))')).toThrow(new SqliteError('string or blob too big'));
  expect(sqlite.run('SELECT 1').rows).toEqual([[1]]);
});

test("a function's error is the statement's", () => {
  const fails = { arity: -1, run: () => { throw new RangeError('no'); } }; // prettier-ignore
  expect(() => new Sqlite('', { fails }, CALL).run('SELECT fails(1, 2)')).toThrow(new RangeError('no'));
});

test('integers keep all digits', () => {
  expect(new Sqlite('', NONE, CALL).run("SELECT 9223372036854775807, 5, 1.5, 'a', NULL").rows).toEqual([
    [9223372036854775807n, 5, 1.5, 'a', null],
  ]);
});
