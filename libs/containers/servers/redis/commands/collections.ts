import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { getIn, namesOf, putIn, removeFrom, type Dictionary } from '../database.js';
import { array, bulk, bulks, CommandFailure, integer, NIL, OK } from '../resp.js';
import { isInRange, readBigInteger, readInteger, type CommandContext, type Commands } from './command.js';
import { scan } from './keys.js';

const wrongCount = (name: string): CommandFailure =>
  new CommandFailure(`ERR wrong number of arguments for '${name}' command`);

/** How many fields are new. */
function putFields({ keys, args }: CommandContext, name: string): number {
  if (args.length % 2 === 0) throw wrongCount(name);
  const hash = keys.make(args[0]!, 'hash');
  let added = 0;
  for (let i = 1; i < args.length; i += 2) {
    if (getIn(hash, args[i]!) === undefined) added++;
    putIn(hash, args[i]!, args[i + 1]!);
  }
  return added;
}

/** Removes names from a collection, and it when it is empty; gives how many there were. */
function removeAll({ keys, args }: CommandContext, type: 'hash' | 'set' | 'zset'): Bytes {
  const [key = '', ...names] = args;
  const value: Dictionary<unknown> | undefined = keys.read(key, type);
  if (value === undefined) return integer(0);
  const removed = names.filter((name) => removeFrom(value, name)).length;
  keys.tidy(key);
  return integer(removed);
}

export const hashes: Commands = {
  hset: { arity: -4, writes: 'grows', run: (context) => integer(putFields(context, 'hset')) },
  hmset: {
    ...{ arity: -4, writes: 'grows' as const },
    run: (context) => {
      putFields(context, 'hmset');
      return OK;
    },
  },
  hsetnx: {
    ...{ arity: 4, writes: 'grows' as const },
    run: (context) => {
      const { keys, args } = context;
      const hash = keys.read(args[0]!, 'hash');
      if (hash !== undefined && getIn(hash, args[1]!) !== undefined) return integer(0);
      return integer(putFields(context, 'hsetnx'));
    },
  },
  hget: { arity: 3, run: ({ keys, args }) => bulk(getIn(keys.read(args[0]!, 'hash') ?? {}, args[1]!)) },
  hmget: {
    arity: -3,
    run: ({ keys, args }) => {
      const hash = keys.read(args[0]!, 'hash') ?? {};
      return bulks(args.slice(1).map((field) => getIn(hash, field)));
    },
  },
  hgetall: {
    arity: 2,
    run: ({ keys, args }) =>
      bulks(Object.entries(keys.read(args[0]!, 'hash') ?? {}).flatMap(([field, value]) => [field.slice(1), value])),
  },
  hkeys: { arity: 2, run: ({ keys, args }) => bulks(namesOf(keys.read(args[0]!, 'hash') ?? {})) },
  hvals: { arity: 2, run: ({ keys, args }) => bulks(Object.values(keys.read(args[0]!, 'hash') ?? {})) },
  hlen: { arity: 2, run: ({ keys, args }) => integer(namesOf(keys.read(args[0]!, 'hash') ?? {}).length) },
  hexists: {
    arity: 3,
    run: ({ keys, args }) => integer(getIn(keys.read(args[0]!, 'hash') ?? {}, args[1]!) === undefined ? 0 : 1),
  },
  hdel: { arity: -3, writes: true, run: (context) => removeAll(context, 'hash') },
  hincrby: {
    ...{ arity: 4, writes: 'grows' as const },
    run: ({ keys, args }) => {
      const [key = '', field = '', by = ''] = args;
      const amount = readBigInteger(by);
      const old = getIn(keys.read(key, 'hash') ?? {}, field) ?? '0';
      if (!/^-?\d{1,19}$/.test(old)) throw new CommandFailure('ERR hash value is not an integer');
      const value = BigInt(old) + amount;
      if (!isInRange(value)) throw new CommandFailure('ERR increment or decrement would overflow');
      putIn(keys.make(key, 'hash'), field, String(value));
      return integer(value);
    },
  },
  hscan: {
    arity: -3,
    run: ({ keys, args }) => {
      const hash = keys.read(args[0]!, 'hash') ?? {};
      const { cursor, found } = scan(args.slice(1), namesOf(hash));
      return array([bulk(cursor), bulks(found.flatMap((field) => [field, getIn(hash, field)]))]);
    },
  },
};

const membersOf = ({ keys }: CommandContext, key: Bytes): Bytes[] => namesOf(keys.read(key, 'set') ?? {});

/** Members of the first set of which each other set has or has not one. */
function combine(
  context: CommandContext,
  isWanted: (others: readonly Readonly<Record<string, 1>>[], name: Bytes) => boolean,
) {
  const [first = '', ...rest] = context.args;
  const others = rest.map((key) => context.keys.read(key, 'set') ?? {});
  return bulks(membersOf(context, first).filter((name) => isWanted(others, name)));
}

export const sets: Commands = {
  sadd: {
    ...{ arity: -3, writes: 'grows' as const },
    run: ({ keys, args }) => {
      const [key = '', ...names] = args;
      const set = keys.make(key, 'set');
      let added = 0;
      for (const name of names) {
        if (getIn(set, name) === undefined) added++;
        putIn(set, name, 1);
      }
      return integer(added);
    },
  },
  srem: { arity: -3, writes: true, run: (context) => removeAll(context, 'set') },
  smembers: { arity: 2, run: (context) => bulks(membersOf(context, context.args[0]!)) },
  scard: { arity: 2, run: (context) => integer(membersOf(context, context.args[0]!).length) },
  sismember: {
    arity: 3,
    run: ({ keys, args }) => integer(getIn(keys.read(args[0]!, 'set') ?? {}, args[1]!) ?? 0),
  },
  smismember: {
    arity: -3,
    run: ({ keys, args }) => {
      const set = keys.read(args[0]!, 'set') ?? {};
      return array(args.slice(1).map((name) => integer(getIn(set, name) ?? 0)));
    },
  },
  spop: {
    ...{ arity: -2, writes: true as const },
    run: (context) => {
      const { keys, args, server } = context;
      const names = membersOf(context, args[0]!);
      const size = args[1] === undefined ? 1 : readInteger(args[1]);
      if (size < 0) throw new CommandFailure('ERR value is out of range, must be positive');
      const taken: Bytes[] = [];
      while (taken.length < size && names.length > 0)
        taken.push(...names.splice(Math.floor(server.sys.random() * names.length), 1));
      const set = keys.read(args[0]!, 'set') ?? {};
      for (const name of taken) removeFrom(set, name);
      keys.tidy(args[0]!);
      return args[1] === undefined ? (taken.length === 0 ? NIL : bulk(taken[0])) : bulks(taken);
    },
  },
  sinter: {
    arity: -2,
    run: (context) => combine(context, (others, name) => others.every((set) => getIn(set, name) !== undefined)),
  },
  sdiff: {
    arity: -2,
    run: (context) => combine(context, (others, name) => others.every((set) => getIn(set, name) === undefined)),
  },
  sunion: {
    arity: -2,
    run: (context) => bulks([...new Set(context.args.flatMap((key) => membersOf(context, key)))]),
  },
  sscan: {
    arity: -3,
    run: (context) => {
      const { cursor, found } = scan(context.args.slice(1), membersOf(context, context.args[0]!));
      return array([bulk(cursor), bulks(found)]);
    },
  },
};
