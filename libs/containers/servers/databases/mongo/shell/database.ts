import type { Document, Value } from '../data/value.js';
import { documentOf, NOTHING, thing, valueOf, type Methods, type Shell, type Thing } from './thing.js';

type Own = { name: string };
const run = (shell: Shell, { name }: Own, command: Document): Thing => thing(shell.ask(name, command));

/** A command by its name or as a document. */
const commandOf = (given: Thing | undefined): Document => {
  const value = valueOf(given);
  return typeof value === 'string' ? { [value]: 1 } : documentOf(given);
};

function createUser(shell: Shell, own: Own, args: readonly Thing[]): Thing {
  const { user, pwd, roles = [], ...rest } = documentOf(args[0]);
  return run(shell, own, { createUser: user ?? '', pwd: pwd ?? '', roles, ...rest });
}

/** Methods of `db`. */
export const databaseMethods: Methods<Own> = {
  getName: (_shell, { name }) => thing(name),
  version: (shell) => thing(shell.ask('admin', { buildInfo: 1 })['version']),
  runCommand: (shell, own, [command]) => run(shell, own, commandOf(command)),
  adminCommand: (shell, _own, [command]) => run(shell, { name: 'admin' }, commandOf(command)),
  stats: (shell, own) => run(shell, own, { dbStats: 1 }),
  hello: (shell, own) => run(shell, own, { hello: 1 }),
  isMaster: (shell, own) => run(shell, own, { isMaster: 1 }),
  serverStatus: (shell, own) => run(shell, own, { serverStatus: 1 }),
  dropDatabase: (shell, own) => run(shell, own, { dropDatabase: 1 }),
  createCollection: (shell, own, [name, options]) =>
    run(shell, own, { create: valueOf(name) ?? '', ...documentOf(options) }),
  createUser,
  updateUser: (shell, own, [user, change]) =>
    run(shell, own, { updateUser: valueOf(user) ?? '', ...documentOf(change) }),
  dropUser: (shell, own, [user]) => run(shell, own, { dropUser: valueOf(user) ?? '' }),
  getUsers: (shell, own) => run(shell, own, { usersInfo: 1 }),
  getCollection: (_shell, own, [name]) => ({ kind: 'collection', database: own.name, name: String(valueOf(name)) }),
  getSiblingDB: (_shell, _own, [name]) => ({ kind: 'database', name: String(valueOf(name)) }),
  getCollectionNames(shell, own) {
    const { cursor } = shell.ask(own.name, { listCollections: 1, nameOnly: true, cursor: { batchSize: 1_000 } });
    const names = ((cursor as Document)['firstBatch'] as Document[]).map(({ name }) => name as Value);
    return thing(names);
  },
  getMongo: () => NOTHING,
};
