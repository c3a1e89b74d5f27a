import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { putIn, type Database } from '../database.js';
import { array, bulk, bulks, CommandFailure, integer, OK, simple } from '../resp.js';
import type { Client } from '../own.js';
import { matchGlob, readInteger, SYNTAX, type CommandContext, type Commands } from './command.js';

/** EXPIRE and its like: `at` gives the end, in ms since 1970. */
function expire({ keys, args, now }: CommandContext, at: (value: number) => number): Bytes {
  const entry = keys.find(args[0]!);
  const end = at(readInteger(args[1]!));
  const [, , option] = args.map((word) => word.toUpperCase());
  if (option !== undefined && !['NX', 'XX', 'GT', 'LT'].includes(option))
    throw new CommandFailure(`ERR Unsupported option ${args[2]}`);
  if (entry === undefined) return integer(0);
  const old = entry.expiresAt;
  if (option === 'NX' && old !== null) return integer(0);
  if (option === 'XX' && old === null) return integer(0);
  if (option === 'GT' && (old === null || end <= old)) return integer(0);
  if (option === 'LT' && old !== null && end >= old) return integer(0);
  if (end <= now) keys.remove(args[0]!);
  else entry.expiresAt = end;
  return integer(1);
}

/** -2: no key, -1: no end. */
function timeLeft({ keys, args, now }: CommandContext, unit: number): Bytes {
  const entry = keys.find(args[0]!);
  if (entry === undefined) return integer(-2);
  return integer(entry.expiresAt === null ? -1 : Math.round((entry.expiresAt - now) / unit));
}

function rename({ keys, args }: CommandContext): void {
  const [from = '', to = ''] = args;
  const entry = keys.find(from);
  if (entry === undefined) throw new CommandFailure('ERR no such key');
  keys.remove(from);
  putIn(keys.database, to, entry);
}

const count = (context: CommandContext, test: (key: Bytes) => boolean): Bytes =>
  integer(context.args.filter(test).length);

const SCAN_COUNT = 10;

/** The cursor is a place in the order of insertion. */
export function scan(
  args: readonly Bytes[],
  names: readonly Bytes[],
  typeOf?: (name: Bytes) => string | undefined,
): { readonly cursor: Bytes; readonly found: readonly Bytes[] } {
  if (!/^\d{1,15}$/.test(args[0]!)) throw new CommandFailure('ERR invalid cursor');
  let [pattern, size, type] = ['*', SCAN_COUNT, ''];
  for (let i = 1; i < args.length; i += 2) {
    const word = args[i]!.toUpperCase();
    const value = args[i + 1];
    if (value === undefined) throw new CommandFailure(SYNTAX);
    if (word === 'MATCH') pattern = value;
    else if (word === 'COUNT') size = readInteger(value);
    else if (word === 'TYPE' && typeOf !== undefined) type = value;
    else throw new CommandFailure(SYNTAX);
  }
  if (size < 1) throw new CommandFailure(SYNTAX);
  const from = Number(args[0]);
  const found = names
    .slice(from, from + size)
    .filter((name) => matchGlob(pattern, name) && (type === '' || typeOf?.(name) === type));
  return { cursor: from + size >= names.length ? '0' : String(from + size), found };
}

const clear = (database: Database): void => {
  for (const name of Object.keys(database)) delete database[name];
};

export const keyspace: Commands = {
  del: { arity: -2, writes: true, run: (context) => count(context, (key) => context.keys.remove(key)) },
  unlink: { arity: -2, writes: true, run: (context) => count(context, (key) => context.keys.remove(key)) },
  exists: { arity: -2, run: (context) => count(context, (key) => context.keys.find(key) !== undefined) },
  touch: { arity: -2, run: (context) => count(context, (key) => context.keys.find(key) !== undefined) },
  keys: { arity: 2, run: ({ keys, args }) => bulks(keys.names().filter((name) => matchGlob(args[0]!, name))) },
  scan: {
    arity: -2,
    run: ({ keys, args }) => {
      const { cursor, found } = scan(args, keys.names(), (name) => keys.find(name)?.type);
      return array([bulk(cursor), bulks(found)]);
    },
  },
  randomkey: {
    arity: 1,
    run: ({ keys, server }) => {
      const names = keys.names();
      return bulk(names[Math.floor(server.sys.random() * names.length)]);
    },
  },
  expire: { arity: -3, writes: true, run: (context) => expire(context, (value) => context.now + value * 1_000) },
  pexpire: { arity: -3, writes: true, run: (context) => expire(context, (value) => context.now + value) },
  expireat: { arity: -3, writes: true, run: (context) => expire(context, (value) => value * 1_000) },
  pexpireat: { arity: -3, writes: true, run: (context) => expire(context, (value) => value) },
  ttl: { arity: 2, run: (context) => timeLeft(context, 1_000) },
  pttl: { arity: 2, run: (context) => timeLeft(context, 1) },
  persist: {
    ...{ arity: 2, writes: true as const },
    run: ({ keys, args }) => {
      const entry = keys.find(args[0]!);
      if (entry === undefined || entry.expiresAt === null) return integer(0);
      entry.expiresAt = null;
      return integer(1);
    },
  },
  type: { arity: 2, run: ({ keys, args }) => simple(keys.find(args[0]!)?.type ?? 'none') },
  rename: {
    ...{ arity: 3, writes: true as const },
    run: (context) => {
      rename(context);
      return OK;
    },
  },
  renamenx: {
    ...{ arity: 3, writes: true as const },
    run: (context) => {
      const { keys, args } = context;
      const isTaken = keys.find(args[0]!) !== undefined && keys.find(args[1]!) !== undefined;
      if (isTaken) return integer(0);
      rename(context);
      return integer(1);
    },
  },
  dbsize: { arity: 1, run: ({ keys }) => integer(keys.names().length) },
  flushdb: {
    ...{ arity: -1, writes: true as const },
    run: ({ keys }) => {
      clear(keys.database);
      return OK;
    },
  },
  flushall: {
    ...{ arity: -1, writes: true as const },
    run: ({ server }) => {
      server.own.databases.forEach(clear);
      return OK;
    },
  },
  select: {
    arity: 2,
    run: ({ connection, server, args }) => {
      const index = readInteger(args[0]!);
      if (index < 0 || index >= server.own.databases.length) throw new CommandFailure('ERR DB index is out of range');
      (connection.own as Client).database = index;
      return OK;
    },
  },
};
