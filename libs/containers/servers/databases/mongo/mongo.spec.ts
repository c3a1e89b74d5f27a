import { expect, test } from '@jest/globals';
import { FileTree } from '../../../../engine/kernel/files/tree.js';
import type { Machine } from '../../../../engine/kernel/machine.js';
import { image } from '../../../catalog/mongo/image.js';
import { programs } from '../../../programs/index.js';
import { BOOT, exchange, execute, runTo, startImage } from '../../testing.js';
import { formatCommand, takeCommand } from './wire/message.js';

function serve(root = new FileTree('root', image.files ?? {}), env: Record<string, string> = {}): Machine {
  const machine = startImage(image, programs, { root, env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...env } });
  runTo(machine, BOOT + 15_000);
  return machine;
}

const shell = (machine: Machine, text: string, ...options: readonly string[]) => {
  const { stdout, stderr, code } = execute(machine, ['mongosh', '--quiet', ...options, '--eval', text]);
  return code === 0 ? stdout : `${stdout}${stderr}exit ${code}`;
};

test('documents are inserted, found, changed and deleted', () => {
  const machine = serve();
  const table: readonly (readonly [script: string, printed: string])[] = [
    ['db.cats.insertOne({ _id: 1, name: "Tom", age: 3 })', '{ acknowledged: true, insertedId: 1 }\n'],
    [
      'db.cats.insertMany([{ _id: 2, name: "Kit", age: 1, tags: ["a", "b"] }, { _id: 3, name: "Old", home: { city: "Ulm" } }])',
      "{ acknowledged: true, insertedIds: { '0': 2, '1': 3 } }\n",
    ],
    ['db.cats.find({ age: { $lt: 3 } })', "[ { _id: 2, name: 'Kit', age: 1, tags: [ 'a', 'b' ] } ]\n"],
    ['db.cats.find({}, { name: 1, _id: 0 }).sort({ name: -1 }).limit(2)', "[ { name: 'Tom' }, { name: 'Old' } ]\n"],
    ["db.cats.find({ 'home.city': 'Ulm', tags: { $exists: false } }).count()", '1\n'],
    ['db.cats.findOne({ name: /^k/i }).age', '1\n'],
    ['db.cats.find({ $or: [{ age: 3 }, { tags: "b" }] }).toArray().length', '2\n'],
    [
      'db.cats.updateOne({ _id: 1 }, { $set: { age: 4 }, $push: { tags: "c" } })',
      '{\n  acknowledged: true,\n  insertedId: null,\n  matchedCount: 1,\n  modifiedCount: 1,\n  upsertedCount: 0\n}\n',
    ],
    ['db.cats.updateMany({}, { $inc: { lives: 9 } }).modifiedCount', '3\n'],
    [
      'db.cats.findOneAndUpdate({ _id: 1 }, { $unset: { tags: "" } }, { returnDocument: "after" })',
      "{ _id: 1, name: 'Tom', age: 4, lives: 9 }\n",
    ],
    ['db.cats.updateOne({ name: "New" }, { $set: { age: 0 } }, { upsert: true }).upsertedCount', '1\n'],
    ['db.cats.countDocuments({ age: { $in: [0, 4] } })', '2\n'],
    ['db.cats.distinct("age")', '[ 4, 1, 0 ]\n'],
    [
      'db.cats.aggregate([{ $match: { lives: 9 } }, { $group: { _id: null, total: { $sum: "$age" } } }])',
      '[ { _id: null, total: 5 } ]\n',
    ],
    ['db.cats.deleteOne({ name: "Kit" })', '{ acknowledged: true, deletedCount: 1 }\n'],
    ['db.cats.deleteMany({}).deletedCount', '3\n'],
    [
      'const when = ISODate("2026-01-02T03:04:05Z"); db.log.insertOne({ _id: "x", when }); db.log.find()',
      "[ { _id: 'x', when: ISODate('2026-01-02T03:04:05.000Z') } ]\n",
    ],
    ['show collections', 'cats\nlog\n'],
    ['db.adminCommand("ping")', '{ ok: 1 }\n'],
  ];
  for (const [script, printed] of table) expect([script, shell(machine, script)]).toEqual([script, printed]);
});

test('what is refused, and what is not simulated, says so', () => {
  const machine = serve();
  const table: readonly (readonly [script: string, said: string])[] = [
    [
      'db.a.insertOne({ _id: 1 }); db.a.insertOne({ _id: 1 })',
      'MongoServerError: E11000 duplicate key error collection: test.a index: _id_ dup key: { _id: 1 }\nexit 1',
    ],
    ['db.a.find({ x: { $near: 1 } })', 'MongoServerError[BadValue]: unknown operator: $near\nexit 1'],
    ['db.a.updateOne({}, { name: 1 })', 'MongoInvalidArgumentError: Update document requires atomic operators\nexit 1'],
    [
      'db.a.aggregate([{ $lookup: {} }])',
      "MongoServerError[Location40324]: Unrecognized pipeline stage name: '$lookup'\nexit 1",
    ],
    [
      'db.runCommand({ shardCollection: 1 })',
      "MongoServerError[CommandNotFound]: no such command: 'shardCollection'\nexit 1",
    ],
    ['rs.status()', 'MongoServerError[NoReplicationEnabled]: not running with --replSet\nexit 1'],
    ['for (let i = 0; i < 3; i++) db.a.insertOne({ i })', "SyntaxError: statements of 'for' are not simulated\nexit 1"],
    ['nothing.here()', 'ReferenceError: nothing is not defined\nexit 1'],
    ['db.a.find({', "SyntaxError: Unexpected token 'end of input'\nexit 1"],
  ];
  for (const [script, said] of table) expect([script, shell(machine, script)]).toEqual([script, said]);
});

test('indexes are kept, and unique ones hold', () => {
  const machine = serve();
  expect(shell(machine, 'db.u.createIndex({ mail: 1 }, { unique: true })')).toBe('mail_1\n');
  expect(shell(machine, 'db.u.insertMany([{ _id: 1, mail: "a" }, { _id: 2, mail: "a" }])')).toBe(
    'MongoBulkWriteError: E11000 duplicate key error collection: test.u index: mail_1 dup key: { mail: "a" }\nexit 1',
  );
  expect(shell(machine, 'db.u.getIndexes().length')).toBe('2\n');
  expect(shell(machine, 'db.u.updateOne({ _id: 1 }, { $set: { _id: 2 } })')).toContain("immutable field '_id'");
});

test('databases lie in files: they are there after a restart', () => {
  const root = new FileTree('root', image.files ?? {});
  const first = serve(root);
  expect(
    execute(first, ['sh', '-c', "printf 'use shop\\ndb.items.insertOne({ _id: 7 })\\n' | mongosh --quiet"]).stdout,
  ).toBe('test> switched to db shop\nshop> { acknowledged: true, insertedId: 7 }\nshop> ');
  const again = serve(root);
  expect(shell(again, 'db.items.find()', 'shop')).toBe('[ { _id: 7 } ]\n');
  expect(shell(again, 'show dbs')).toMatch(
    /^admin {3}\d+\.\d\d KiB\nconfig {2}\d+\.\d\d KiB\nlocal {3}\d+\.\d\d KiB\nshop {4}40\.00 KiB\n$/,
  );
  expect(shell(serve(), 'db.items.find()', 'shop')).toBe('\n');
});

test('with a root user everybody else is refused', () => {
  const machine = serve(undefined, { MONGO_INITDB_ROOT_USERNAME: 'root', MONGO_INITDB_ROOT_PASSWORD: 's3"cret' });
  expect(shell(machine, 'db.x.find()')).toBe(
    'MongoServerError[Unauthorized]: Command find requires authentication\nexit 1',
  );
  expect(shell(machine, 'db.x.find()', '-u', 'root', '-p', 'wrong')).toBe(
    'MongoServerError[AuthenticationFailed]: Authentication failed.\nexit 1',
  );
  expect(shell(machine, 'db.x.countDocuments({})', '-u', 'root', '-p', 's3"cret')).toBe('0\n');
  expect(shell(machine, 'db', 'mongodb://root:s3%22cret@localhost:27017/shop?authSource=admin')).toBe('shop\n');
});

test('it speaks its protocol: OP_MSG with documents in BSON', () => {
  const machine = serve();
  const ask = (document: Parameters<typeof formatCommand>[1]) => {
    const command = takeCommand(exchange(machine, 27_017, formatCommand(9, document)));
    return typeof command === 'object' ? command.document : command;
  };
  const values = {
    _id: { $oid: '0123456789abcdef01234567' },
    long: { $numberLong: '9007199254740993' },
    pi: 3.25,
    text: 'ä',
    list: [true, null],
  };
  expect(ask({ insert: 'c', documents: [values], $db: 'x' })).toEqual({ n: 1, ok: 1 });
  expect(ask({ find: 'c', filter: {}, $db: 'x' })).toMatchObject({ cursor: { firstBatch: [values], ns: 'x.c' } });
  expect(exchange(machine, 27_017, 'GET / HTTP/1.1\r\n\r\n')).toBe('');
});
