import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { array, bulk, bulks, CommandFailure, integer, NIL, NIL_ARRAY, OK } from '../resp.js';
import { readFloat, readInteger, readRange, type Blocking, type CommandContext, type Commands } from './command.js';

type End = 'left' | 'right';

function push({ keys, args }: CommandContext, end: End, onlyExisting = false): Bytes {
  const [key = '', ...values] = args;
  if (onlyExisting && keys.read(key, 'list') === undefined) return integer(0);
  const list = keys.make(key, 'list');
  if (end === 'right') list.push(...values);
  else list.unshift(...values.reverse());
  return integer(list.length);
}

function pop({ keys, args }: CommandContext, end: End): Bytes {
  const [key = '', amount] = args;
  const size = amount === undefined ? 1 : readInteger(amount);
  if (size < 0) throw new CommandFailure('ERR value is out of range, must be positive');
  const list = keys.read(key, 'list');
  if (list === undefined) return amount === undefined ? NIL : NIL_ARRAY;
  const taken = end === 'left' ? list.splice(0, size) : size === 0 ? [] : list.splice(-size).reverse();
  keys.tidy(key);
  return amount === undefined ? bulk(taken[0]) : bulks(taken);
}

/** BLPOP and BRPOP: the first of the keys that has a list. */
function blockingPop(context: CommandContext, end: End): Bytes | Blocking {
  const { keys, args, now } = context;
  const seconds = readFloat(args.at(-1)!, 'ERR timeout is not a float or out of range');
  if (seconds < 0) throw new CommandFailure('ERR timeout is negative');
  if (!Number.isFinite(seconds)) throw new CommandFailure('ERR timeout is not a float or out of range');
  const key = args.slice(0, -1).find((name) => keys.read(name, 'list') !== undefined);
  if (key === undefined) return { blockUntil: seconds === 0 ? null : now + Math.ceil(seconds * 1_000) };
  return array([bulk(key), pop({ ...context, args: [key] }, end)]);
}

function move({ keys }: CommandContext, from: Bytes, to: Bytes, take: End, put: End): Bytes {
  const source = keys.read(from, 'list');
  keys.read(to, 'list');
  if (source === undefined) return NIL;
  const value = (take === 'left' ? source.shift() : source.pop())!;
  const target = keys.make(to, 'list');
  if (put === 'left') target.unshift(value);
  else target.push(value);
  keys.tidy(from);
  return bulk(value);
}

function readEnd(word: Bytes): End {
  const end = word.toLowerCase();
  if (end !== 'left' && end !== 'right') throw new CommandFailure('ERR syntax error');
  return end;
}

function removeValues({ keys, args }: CommandContext): Bytes {
  const [key = '', amount = '', value = ''] = args;
  const most = readInteger(amount);
  const list = keys.read(key, 'list');
  if (list === undefined) return integer(0);
  const places = list.flatMap((item, i) => (item === value ? [i] : []));
  const removed = new Set(most === 0 ? places : most > 0 ? places.slice(0, most) : places.slice(most));
  const kept = list.filter((_item, i) => !removed.has(i));
  list.splice(0, list.length, ...kept);
  keys.tidy(key);
  return integer(removed.size);
}

export const lists: Commands = {
  lpush: { arity: -3, writes: 'grows', run: (context) => push(context, 'left') },
  rpush: { arity: -3, writes: 'grows', run: (context) => push(context, 'right') },
  lpushx: { arity: -3, writes: 'grows', run: (context) => push(context, 'left', true) },
  rpushx: { arity: -3, writes: 'grows', run: (context) => push(context, 'right', true) },
  lpop: { arity: -2, writes: true, run: (context) => pop(context, 'left') },
  rpop: { arity: -2, writes: true, run: (context) => pop(context, 'right') },
  blpop: { arity: -3, writes: true, run: (context) => blockingPop(context, 'left') },
  brpop: { arity: -3, writes: true, run: (context) => blockingPop(context, 'right') },
  rpoplpush: {
    ...{ arity: 3, writes: 'grows' as const },
    run: (context) => move(context, context.args[0]!, context.args[1]!, 'right', 'left'),
  },
  lmove: {
    ...{ arity: 5, writes: 'grows' as const },
    run: (context) => {
      const [from = '', to = '', take = '', put = ''] = context.args;
      return move(context, from, to, readEnd(take), readEnd(put));
    },
  },
  llen: { arity: 2, run: ({ keys, args }) => integer(keys.read(args[0]!, 'list')?.length ?? 0) },
  lindex: { arity: 3, run: ({ keys, args }) => bulk(keys.read(args[0]!, 'list')?.at(readInteger(args[1]!))) },
  lrange: {
    arity: 4,
    run: ({ keys, args }) => {
      const list = keys.read(args[0]!, 'list') ?? [];
      const [first, last] = readRange(args[1]!, args[2]!, list.length);
      return bulks(list.slice(first, last + 1));
    },
  },
  lset: {
    ...{ arity: 4, writes: 'grows' as const },
    run: ({ keys, args }) => {
      const list = keys.read(args[0]!, 'list');
      if (list === undefined) throw new CommandFailure('ERR no such key');
      const index = readInteger(args[1]!);
      const at = index < 0 ? list.length + index : index;
      if (at < 0 || at >= list.length) throw new CommandFailure('ERR index out of range');
      list[at] = args[2]!;
      return OK;
    },
  },
  ltrim: {
    ...{ arity: 4, writes: true as const },
    run: ({ keys, args }) => {
      const list = keys.read(args[0]!, 'list') ?? [];
      const [first, last] = readRange(args[1]!, args[2]!, list.length);
      list.splice(0, list.length, ...list.slice(first, last + 1));
      keys.tidy(args[0]!);
      return OK;
    },
  },
  lrem: { arity: 4, writes: true, run: removeValues },
};
