import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { getIn, putIn, removeFrom, type Dictionary } from '../database.js';
import { bulk, bulks, CommandFailure, integer } from '../resp.js';
import { formatFloat, readFloat, readRange, SYNTAX, type CommandContext, type Commands } from './command.js';

type Member = readonly [name: Bytes, score: number];

/** By score, then by name. */
const sort = (zset: Dictionary<number>): Member[] =>
  Object.entries(zset)
    .map(([name, score]): Member => [name.slice(1), score])
    .sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1));

const membersOf = ({ keys }: CommandContext, key: Bytes): Member[] => sort(keys.read(key, 'zset') ?? {});

const format = (members: readonly Member[], hasScores: boolean): Bytes =>
  bulks(members.flatMap(([name, score]) => (hasScores ? [name, formatFloat(score)] : [name])));

function addMembers({ keys, args }: CommandContext): Bytes {
  const options = new Set<string>();
  let at = 1;
  while (['NX', 'XX', 'GT', 'LT', 'CH', 'INCR'].includes(args[at]?.toUpperCase() ?? ''))
    options.add(args[at++]!.toUpperCase());
  const pairs = args.slice(at);
  if (pairs.length === 0 || pairs.length % 2 === 1) throw new CommandFailure(SYNTAX);
  if (options.has('NX') && options.has('XX'))
    throw new CommandFailure('ERR XX and NX options at the same time are not compatible');
  const isIncrement = options.has('INCR');
  if (isIncrement && pairs.length > 2)
    throw new CommandFailure('ERR INCR option supports a single increment-element pair');
  const scores = pairs.filter((_word, i) => i % 2 === 0).map((word) => readFloat(word));
  const zset = keys.make(args[0]!, 'zset');
  let [added, changed, result] = [0, 0, undefined as number | undefined];
  scores.forEach((given, i) => {
    const name = pairs[i * 2 + 1]!;
    const old = getIn(zset, name);
    const score = isIncrement ? (old ?? 0) + given : given;
    if (old === undefined ? options.has('XX') : options.has('NX')) return;
    if (old !== undefined && ((options.has('GT') && score <= old) || (options.has('LT') && score >= old))) return;
    putIn(zset, name, score);
    if (old === undefined) added++;
    else if (old !== score) changed++;
    result = score;
  });
  keys.tidy(args[0]!);
  if (isIncrement) return bulk(result === undefined ? undefined : formatFloat(result));
  return integer(options.has('CH') ? added + changed : added);
}

/** '(1.5', '-inf': a test of scores from one side. */
function readBound(text: Bytes): { readonly value: number; readonly isOpen: boolean } {
  const isOpen = text.startsWith('(');
  return { value: readFloat(isOpen ? text.slice(1) : text, 'ERR min or max is not a float'), isOpen };
}

function selectByScore(context: CommandContext, key: Bytes, low: Bytes, high: Bytes): Member[] {
  const [min, max] = [readBound(low), readBound(high)];
  return membersOf(context, key).filter(
    ([, score]) =>
      (min.isOpen ? score > min.value : score >= min.value) && (max.isOpen ? score < max.value : score <= max.value),
  );
}

interface RangeOptions {
  isByScore: boolean;
  isReversed: boolean;
  hasScores: boolean;
  limit: readonly [offset: number, count: number] | undefined;
}

function range(context: CommandContext, given: Partial<RangeOptions> = {}): Bytes {
  const { args } = context;
  const [key = '', start = '', stop = '', ...words] = args;
  const options: RangeOptions = { isByScore: false, isReversed: false, hasScores: false, limit: undefined, ...given };
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!.toUpperCase();
    if (word === 'WITHSCORES') options.hasScores = true;
    else if (word === 'BYSCORE' && given.isByScore === undefined) options.isByScore = true;
    else if (word === 'REV' && given.isReversed === undefined) options.isReversed = true;
    else if (word === 'LIMIT' && i + 2 < words.length) options.limit = [readFloat(words[++i]!), readFloat(words[++i]!)];
    else throw new CommandFailure(SYNTAX);
  }
  if (options.limit !== undefined && !options.isByScore)
    throw new CommandFailure('ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX');
  return format(select(context, key, [start, stop], options), options.hasScores);
}

function select(
  context: CommandContext,
  key: Bytes,
  [start, stop]: readonly [Bytes, Bytes],
  { isByScore, isReversed, limit }: RangeOptions,
): Member[] {
  if (!isByScore) {
    const members = membersOf(context, key);
    if (isReversed) members.reverse();
    const [first, last] = readRange(start, stop, members.length);
    return members.slice(first, last + 1);
  }
  const found = isReversed
    ? selectByScore(context, key, stop, start).reverse()
    : selectByScore(context, key, start, stop);
  if (limit === undefined) return found;
  const [offset, count] = limit;
  return found.slice(offset, count < 0 ? undefined : offset + count);
}

function rank(context: CommandContext, isReversed: boolean): Bytes {
  const members = membersOf(context, context.args[0]!);
  if (isReversed) members.reverse();
  const at = members.findIndex(([name]) => name === context.args[1]);
  return at < 0 ? bulk(undefined) : integer(at);
}

export const sortedSets: Commands = {
  zadd: { arity: -4, writes: 'grows', run: addMembers },
  zincrby: {
    ...{ arity: 4, writes: 'grows' as const },
    run: ({ keys, args }) => {
      const [key = '', by = '', name = ''] = args;
      const amount = readFloat(by);
      const zset = keys.make(key, 'zset');
      const score = (getIn(zset, name) ?? 0) + amount;
      if (Number.isNaN(score)) throw new CommandFailure('ERR resulting score is not a number (NaN)');
      putIn(zset, name, score);
      return bulk(formatFloat(score));
    },
  },
  zrem: {
    ...{ arity: -3, writes: true as const },
    run: ({ keys, args }) => {
      const zset = keys.read(args[0]!, 'zset') ?? {};
      const removed = args.slice(1).filter((name) => removeFrom(zset, name)).length;
      keys.tidy(args[0]!);
      return integer(removed);
    },
  },
  zcard: { arity: 2, run: (context) => integer(membersOf(context, context.args[0]!).length) },
  zscore: {
    arity: 3,
    run: ({ keys, args }) => {
      const score = getIn(keys.read(args[0]!, 'zset') ?? {}, args[1]!);
      return bulk(score === undefined ? undefined : formatFloat(score));
    },
  },
  zcount: {
    arity: 4,
    run: (context) => integer(selectByScore(context, context.args[0]!, context.args[1]!, context.args[2]!).length),
  },
  zrank: { arity: 3, run: (context) => rank(context, false) },
  zrevrank: { arity: 3, run: (context) => rank(context, true) },
  zrange: { arity: -4, run: (context) => range(context) },
  zrevrange: { arity: -4, run: (context) => range(context, { isByScore: false, isReversed: true }) },
  zrangebyscore: { arity: -4, run: (context) => range(context, { isByScore: true, isReversed: false }) },
  zrevrangebyscore: { arity: -4, run: (context) => range(context, { isByScore: true, isReversed: true }) },
};
