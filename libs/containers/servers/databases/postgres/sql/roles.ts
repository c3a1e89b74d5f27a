import type { Words } from '../../sql/words.js';
import type { Cluster, DatabaseEntry, Role } from './catalog.js';
import { PgFailure } from '../failure.js';
import { makeVerifier } from '../../scram.js';

/** What roles and databases are changed by. */
export interface Keeper {
  readonly user: string;
  readonly database: string;
  readonly isInBlock: boolean;
  cluster(): Cluster;
  random(): number;
  storeRoles(roles: readonly Role[]): void;
  createDatabase(database: DatabaseEntry, template: string): void;
  dropDatabase(database: DatabaseEntry): void;
  storeDatabases(databases: readonly DatabaseEntry[]): void;
}

const FIRST_OID = 16_384;

/** CREATE, ALTER and DROP of roles and databases: their tag; undefined for other statements. Throws PgFailure. */
export function manage(words: Words, keeper: Keeper): string | undefined {
  words.at = 0;
  const verb = words.takeAny(['create', 'alter', 'drop']);
  const what = verb && words.takeAny(['role', 'user', 'group', 'database']);
  if (what === undefined) return undefined;
  if (what === 'database') return manageDatabase(verb!, words, keeper);
  requireRight(keeper, ({ createsRoles }) => createsRoles, `${verb} role`);
  if (verb === 'create') return createRole(words, keeper, what === 'user');
  if (verb === 'alter') return alterRole(words, keeper);
  return dropRoles(words, keeper);
}

function requireRight({ user, cluster }: Keeper, has: (role: Role) => boolean, what: string): void {
  const role = cluster().roles.find(({ name }) => name === user);
  if (role === undefined || role.isSuperuser || has(role)) return;
  throw new PgFailure('42501', `permission denied to ${what}`);
}

type Options = { -readonly [K in keyof Role]?: Role[K] };

function readOptions(words: Words, keeper: Keeper): Options {
  const options: Options = {};
  words.take('with');
  while (!words.isAtEnd) {
    const key = words.name();
    if (key === 'login' || key === 'nologin') options.canLogin = key === 'login';
    else if (key === 'superuser' || key === 'nosuperuser') options.isSuperuser = key === 'superuser';
    else if (key === 'createdb' || key === 'nocreatedb') options.createsDatabases = key === 'createdb';
    else if (key === 'createrole' || key === 'nocreaterole') options.createsRoles = key === 'createrole';
    else if (key === 'encrypted') continue;
    else if (key === 'password')
      options.password = words.take('null') ? '' : makeVerifier(words.text(), () => keeper.random());
    else if (['inherit', 'noinherit', 'replication', 'noreplication', 'bypassrls', 'nobypassrls'].includes(key))
      continue;
    else if (key === 'connection') {
      words.expect('limit');
      words.at++;
    } else if (key === 'valid') {
      words.expect('until');
      words.text();
    } else if (key === 'in') {
      words.takeAny(['role', 'group']);
      words.name();
    } else {
      words.at--;
      words.fail();
    }
  }
  return options;
}

function createRole(words: Words, keeper: Keeper, isUser: boolean): string {
  const name = words.name();
  const { roles } = keeper.cluster();
  if (roles.some((role) => role.name === name)) throw new PgFailure('42710', `role "${name}" already exists`);
  const options = readOptions(words, keeper);
  const none = { canLogin: isUser, isSuperuser: false, createsDatabases: false, createsRoles: false };
  keeper.storeRoles([...roles, { name, ...none, ...options }]);
  return 'CREATE ROLE';
}

function alterRole(words: Words, keeper: Keeper): string {
  const name = words.name();
  const { roles } = keeper.cluster();
  const found = roles.find((role) => role.name === name);
  if (found === undefined) throw new PgFailure('42704', `role "${name}" does not exist`);
  if (words.take('rename', 'to')) {
    const after = words.name();
    keeper.storeRoles(roles.map((role) => (role === found ? { ...role, name: after } : role)));
    return 'ALTER ROLE';
  }
  if (words.sees('set')) throw new PgFailure('0A000', 'ALTER ROLE ... SET is not supported');
  const options = readOptions(words, keeper);
  keeper.storeRoles(roles.map((role) => (role === found ? { ...role, ...options } : role)));
  return 'ALTER ROLE';
}

function dropRoles(words: Words, keeper: Keeper): string {
  const isMild = words.take('if', 'exists');
  do {
    const name = words.name();
    const { roles, databases } = keeper.cluster();
    if (name === keeper.user) throw new PgFailure('55006', 'current user cannot be dropped');
    if (!roles.some((role) => role.name === name)) {
      if (isMild) continue;
      throw new PgFailure('42704', `role "${name}" does not exist`);
    }
    const owned = databases.find(({ owner }) => owner === name);
    if (owned)
      throw new PgFailure('2BP01', `role "${name}" cannot be dropped because some objects depend on it`, {
        detail: `owner of database ${owned.name}`,
      });
    keeper.storeRoles(roles.filter((role) => role.name !== name));
  } while (words.take(','));
  return 'DROP ROLE';
}

function manageDatabase(verb: string, words: Words, keeper: Keeper): string {
  const { roles, databases, backends } = keeper.cluster();
  if (keeper.isInBlock && verb !== 'alter')
    throw new PgFailure('25001', `${verb.toUpperCase()} DATABASE cannot run inside a transaction block`);
  requireRight(keeper, ({ createsDatabases }) => createsDatabases, `${verb} database`);
  const isMild = verb === 'drop' && words.take('if', 'exists');
  const name = words.name();
  const found = databases.find((database) => database.name === name);
  if (verb === 'create') {
    if (found) throw new PgFailure('42P04', `database "${name}" already exists`);
    const { owner = keeper.user, template = 'template1' } = readDatabaseOptions(words);
    if (!roles.some((role) => role.name === owner)) throw new PgFailure('42704', `role "${owner}" does not exist`);
    if (!databases.some((one) => one.name === template))
      throw new PgFailure('3D000', `template database "${template}" does not exist`);
    const oid = Math.max(FIRST_OID - 1, ...databases.map((one) => one.oid)) + 1;
    keeper.createDatabase({ name, oid, owner }, template);
    return 'CREATE DATABASE';
  }
  if (!found) {
    if (isMild) return 'DROP DATABASE';
    throw new PgFailure('3D000', `database "${name}" does not exist`);
  }
  if (verb === 'alter') {
    const change = words.take('owner', 'to')
      ? { owner: words.name() }
      : words.take('rename', 'to')
        ? { name: words.name() }
        : undefined;
    if (change === undefined) throw new PgFailure('0A000', 'ALTER DATABASE of settings is not supported');
    keeper.storeDatabases(databases.map((one) => (one === found ? { ...one, ...change } : one)));
    return 'ALTER DATABASE';
  }
  if (name === keeper.database) throw new PgFailure('55006', 'cannot drop the currently open database');
  const others = backends.filter(({ database }) => database === name).length;
  if (others > 0 && !words.tokens.some(({ key }) => key === 'force'))
    throw new PgFailure('55006', `database "${name}" is being accessed by other users`, {
      detail:
        others === 1
          ? 'There is 1 other session using the database.'
          : `There are ${others} other sessions using the database.`,
    });
  keeper.dropDatabase(found);
  return 'DROP DATABASE';
}

function readDatabaseOptions(words: Words): { owner?: string; template?: string } {
  const options: Record<string, string> = {};
  words.take('with');
  while (!words.isAtEnd) {
    const key = words.name();
    if (
      ![
        'owner',
        'template',
        'encoding',
        'lc_collate',
        'lc_ctype',
        'locale',
        'tablespace',
        'connection',
        'allow_connections',
        'is_template',
        'locale_provider',
      ].includes(key)
    ) {
      words.at--;
      words.fail();
    }
    if (key === 'connection') words.expect('limit');
    words.take('=');
    const token = words.next ?? words.fail();
    words.at++;
    options[key] = token.key || token.text;
  }
  return options;
}
