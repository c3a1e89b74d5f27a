import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { bulk, bulks, CommandFailure, integer, NIL, OK } from '../resp.js';
import {
  formatFloat,
  isInRange,
  readBigInteger,
  readFloat,
  readInteger,
  readRange,
  SYNTAX,
  type CommandContext,
  type Commands,
} from './command.js';

const MAX_STRING = 1 << 20;

function add({ keys, args }: CommandContext, by: bigint): Bytes {
  const [key = ''] = args;
  const value = readBigInteger(keys.read(key, 'string') ?? '0') + by;
  if (!isInRange(value)) throw new CommandFailure('ERR increment or decrement would overflow');
  keys.write(key, String(value), keys.find(key)?.expiresAt ?? null);
  return integer(value);
}

const UNITS: Readonly<Record<string, (value: number, now: number) => number>> = {
  EX: (value, now) => now + value * 1_000,
  PX: (value, now) => now + value,
  EXAT: (value) => value * 1_000,
  PXAT: (value) => value,
};

interface SetOptions {
  expiresAt: number | null;
  keepsTime: boolean;
  when: 'NX' | 'XX' | undefined;
  returnsOld: boolean;
}

function readExpiry(unit: string, text: Bytes, now: number, command: string): number {
  const value = readInteger(text);
  if (value <= 0 || value > 1e15) throw new CommandFailure(`ERR invalid expire time in '${command}' command`);
  return UNITS[unit]!(value, now);
}

function readSetOptions({ args, now }: CommandContext): SetOptions {
  const options: SetOptions = { expiresAt: null, keepsTime: false, when: undefined, returnsOld: false };
  for (let i = 2; i < args.length; i++) {
    const word = args[i]!.toUpperCase();
    const hasTime = options.expiresAt !== null || options.keepsTime;
    if ((word === 'NX' || word === 'XX') && options.when === undefined) options.when = word;
    else if (word === 'GET') options.returnsOld = true;
    else if (word === 'KEEPTTL' && !hasTime) options.keepsTime = true;
    else if (Object.hasOwn(UNITS, word) && !hasTime && i + 1 < args.length)
      options.expiresAt = readExpiry(word, args[++i]!, now, 'set');
    else throw new CommandFailure(SYNTAX);
  }
  return options;
}

function set(context: CommandContext): Bytes {
  const { keys, args } = context;
  const [key = '', value = ''] = args;
  const { expiresAt, keepsTime, when, returnsOld } = readSetOptions(context);
  const old = returnsOld ? keys.read(key, 'string') : undefined;
  const entry = keys.find(key);
  const isRefused = when !== undefined && (when === 'NX') === (entry !== undefined);
  if (!isRefused) keys.write(key, value, keepsTime ? (entry?.expiresAt ?? null) : expiresAt);
  return returnsOld ? bulk(old) : isRefused ? NIL : OK;
}

function putAll({ keys, args }: CommandContext, name: string): void {
  if (args.length % 2 === 1) throw new CommandFailure(`ERR wrong number of arguments for '${name}' command`);
  for (let i = 0; i < args.length; i += 2) keys.write(args[i]!, args[i + 1]!, null);
}

export const strings: Commands = {
  set: { arity: -3, writes: 'grows', run: set },
  get: { arity: 2, run: ({ keys, args }) => bulk(keys.read(args[0]!, 'string')) },
  setex: {
    ...{ arity: 4, writes: 'grows' as const },
    run: ({ keys, args, now }) => {
      keys.write(args[0]!, args[2]!, readExpiry('EX', args[1]!, now, 'setex'));
      return OK;
    },
  },
  psetex: {
    ...{ arity: 4, writes: 'grows' as const },
    run: ({ keys, args, now }) => {
      keys.write(args[0]!, args[2]!, readExpiry('PX', args[1]!, now, 'psetex'));
      return OK;
    },
  },
  setnx: {
    ...{ arity: 3, writes: 'grows' as const },
    run: ({ keys, args }) => {
      if (keys.find(args[0]!) !== undefined) return integer(0);
      keys.write(args[0]!, args[1]!, null);
      return integer(1);
    },
  },
  getset: {
    ...{ arity: 3, writes: 'grows' as const },
    run: ({ keys, args }) => {
      const old = keys.read(args[0]!, 'string');
      keys.write(args[0]!, args[1]!, null);
      return bulk(old);
    },
  },
  getdel: {
    ...{ arity: 2, writes: true as const },
    run: ({ keys, args }) => {
      const old = keys.read(args[0]!, 'string');
      keys.remove(args[0]!);
      return bulk(old);
    },
  },
  mget: {
    arity: -2,
    run: ({ keys, args }) =>
      bulks(args.map((key) => (keys.find(key)?.type === 'string' ? keys.read(key, 'string') : undefined))),
  },
  mset: {
    ...{ arity: -3, writes: 'grows' as const },
    run: (context) => {
      putAll(context, 'mset');
      return OK;
    },
  },
  msetnx: {
    ...{ arity: -3, writes: 'grows' as const },
    run: (context) => {
      if (context.args.some((key, i) => i % 2 === 0 && context.keys.find(key) !== undefined)) return integer(0);
      putAll(context, 'msetnx');
      return integer(1);
    },
  },
  append: {
    ...{ arity: 3, writes: 'grows' as const },
    run: ({ keys, args }) => {
      const value = (keys.read(args[0]!, 'string') ?? '') + args[1]!;
      if (value.length > MAX_STRING)
        throw new CommandFailure('ERR string exceeds maximum allowed size (proto-max-bulk-len)');
      keys.write(args[0]!, value, keys.find(args[0]!)?.expiresAt ?? null);
      return integer(value.length);
    },
  },
  strlen: { arity: 2, run: ({ keys, args }) => integer(keys.read(args[0]!, 'string')?.length ?? 0) },
  getrange: {
    arity: 4,
    run: ({ keys, args }) => {
      const value = keys.read(args[0]!, 'string') ?? '';
      const [first, last] = readRange(args[1]!, args[2]!, value.length);
      return bulk(value.slice(first, last + 1));
    },
  },
  incr: { arity: 2, writes: 'grows', run: (context) => add(context, 1n) },
  decr: { arity: 2, writes: 'grows', run: (context) => add(context, -1n) },
  incrby: { arity: 3, writes: 'grows', run: (context) => add(context, readBigInteger(context.args[1]!)) },
  decrby: { arity: 3, writes: 'grows', run: (context) => add(context, -readBigInteger(context.args[1]!)) },
  incrbyfloat: {
    ...{ arity: 3, writes: 'grows' as const },
    run: ({ keys, args }) => {
      const value = readFloat(keys.read(args[0]!, 'string') ?? '0') + readFloat(args[1]!);
      if (!Number.isFinite(value)) throw new CommandFailure('ERR increment would produce NaN or Infinity');
      const text = formatFloat(Number(value.toPrecision(15)));
      keys.write(args[0]!, text, keys.find(args[0]!)?.expiresAt ?? null);
      return bulk(text);
    },
  },
};
