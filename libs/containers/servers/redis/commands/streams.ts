import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Millis } from '../../../../engine/machinery/time/time.js';
import type { Keys, Stream } from '../database.js';
import { array, bulk, bulks, CommandFailure, integer, NIL, NIL_ARRAY } from '../resp.js';
import { readInteger, SYNTAX, type CommandContext, type Commands } from './command.js';

/** A place in a stream: ms, and a number within them. */
type Id = readonly [at: number, number: number];

const INVALID = 'ERR Invalid stream ID specified as stream command argument';
const TOO_SMALL = 'ERR The ID specified in XADD is equal or smaller than the target stream top item';
const LARGEST: Id = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/** `number`: the second part when there is none. */
function readId(text: Bytes, number = 0): Id {
  const [, at, own] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(text) ?? [];
  if (at === undefined) throw new CommandFailure(INVALID);
  return [Number(at), own === undefined ? number : Number(own)];
}
const formatId = ([at, number]: Id): Bytes => `${at}-${number}`;
const isAfter = (a: Id, b: Id): boolean => a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);

function nextId(text: Bytes, last: Id, now: Millis): Id {
  if (text === '*') return now > last[0] ? [now, 0] : [last[0], last[1] + 1];
  const isOpen = text.endsWith('-*');
  const id = readId(isOpen ? text.slice(0, -2) : text);
  if (isOpen) return id[0] === last[0] ? [id[0], last[1] + 1] : id;
  if (id[0] === 0 && id[1] === 0) throw new CommandFailure('ERR The ID specified in XADD must be greater than 0-0');
  return id;
}

function add({ keys, args, now }: CommandContext): Bytes {
  const [key = '', ...rest] = args;
  let most: number | undefined;
  const makes = rest[0]?.toUpperCase() !== 'NOMKSTREAM';
  if (!makes) rest.shift();
  if (rest[0]?.toUpperCase() === 'MAXLEN') {
    rest.shift();
    if (rest[0] === '~' || rest[0] === '=') rest.shift();
    most = readInteger(rest.shift() ?? '');
  }
  const [given = '', ...fields] = rest;
  if (fields.length === 0 || fields.length % 2 !== 0)
    throw new CommandFailure("ERR wrong number of arguments for 'xadd' command");
  const known = keys.read(key, 'stream');
  if (known === undefined && !makes) return NIL;
  const last = readId(known?.last ?? '0-0');
  const id = nextId(given, last, now);
  if (!isAfter(id, last)) throw new CommandFailure(TOO_SMALL);
  const stream = keys.make(key, 'stream');
  stream.last = formatId(id);
  stream.entries.push([stream.last, ...fields]);
  if (most !== undefined) trim(stream, most);
  return bulk(stream.last);
}

const trim = (stream: Stream, most: number): number =>
  stream.entries.splice(0, Math.max(0, stream.entries.length - most)).length;

const formatEntry = ([id, ...fields]: Bytes[]): Bytes => array([bulk(id), bulks(fields)]);

/** `-`, `+`, an id, or one that is left out itself: `(1-0`. */
function isWithin(id: Id, from: Bytes, to: Bytes): boolean {
  const [low, high] = [from.replace('(', ''), to.replace('(', '')];
  const first: Id = low === '-' ? [0, 0] : readId(low);
  const end: Id = high === '+' ? LARGEST : readId(high, Number.MAX_SAFE_INTEGER);
  if (isAfter(first, id) || isAfter(id, end)) return false;
  return !(from.startsWith('(') && !isAfter(id, first)) && !(to.startsWith('(') && !isAfter(end, id));
}

function range({ keys, args }: CommandContext, isReverse: boolean): Bytes {
  const [key = '', first = '', second = '', word, count] = args;
  if (word !== undefined && (word.toUpperCase() !== 'COUNT' || count === undefined)) throw new CommandFailure(SYNTAX);
  const [from, to] = isReverse ? [second, first] : [first, second];
  const found = (keys.read(key, 'stream')?.entries ?? []).filter(([id]) => isWithin(readId(id!), from, to));
  if (isReverse) found.reverse();
  return array(found.slice(0, count === undefined ? undefined : Math.max(0, readInteger(count))).map(formatEntry));
}

function readAfter(keys: Keys, key: Bytes, given: Bytes, count: number | undefined): Bytes | undefined {
  const stream = keys.read(key, 'stream');
  if (stream === undefined) return undefined;
  const after = given === '$' ? readId(stream.last) : readId(given);
  const found = stream.entries.filter(([id]) => isAfter(readId(id!), after)).slice(0, count);
  return found.length === 0 ? undefined : array([bulk(key), array(found.map(formatEntry))]);
}

/** XREAD. Left out: BLOCK, which is refused. */
function read({ keys, args }: CommandContext): Bytes {
  const words = [...args];
  let count: number | undefined;
  for (let word = words.shift(); word?.toUpperCase() !== 'STREAMS'; word = words.shift()) {
    if (word?.toUpperCase() === 'BLOCK') throw new CommandFailure('ERR BLOCK of XREAD is not simulated');
    if (word?.toUpperCase() !== 'COUNT') throw new CommandFailure(SYNTAX);
    count = readInteger(words.shift() ?? '');
  }
  const half = words.length / 2;
  if (words.length === 0 || !Number.isInteger(half))
    throw new CommandFailure(
      "ERR Unbalanced 'xread' list of streams: for each stream key an ID, '+', or '$' must be specified.",
    );
  const found = words.slice(0, half).flatMap((key, i) => readAfter(keys, key, words[half + i]!, count) ?? []);
  return found.length === 0 ? NIL_ARRAY : array(found);
}

function remove({ keys, args }: CommandContext): Bytes {
  const [key = '', ...ids] = args;
  const stream = keys.read(key, 'stream');
  const wanted = ids.map((id) => formatId(readId(id)));
  if (stream === undefined) return integer(0);
  const left = stream.entries.filter(([id]) => !wanted.includes(id!));
  const count = stream.entries.length - left.length;
  stream.entries = left;
  return integer(count);
}

function trimTo({ keys, args }: CommandContext): Bytes {
  const [key = '', how = '', ...rest] = args;
  if (how.toUpperCase() !== 'MAXLEN') throw new CommandFailure(SYNTAX);
  const stream = keys.read(key, 'stream');
  const most = readInteger(rest.at(-1) ?? '');
  return integer(stream === undefined ? 0 : trim(stream, most));
}

/** Commands of streams. Left out: consumer groups. */
export const streams: Commands = {
  xadd: { arity: -5, writes: 'grows', run: add },
  xlen: { arity: 2, run: ({ keys, args }) => integer(keys.read(args[0]!, 'stream')?.entries.length ?? 0) },
  xrange: { arity: -4, run: (context) => range(context, false) },
  xrevrange: { arity: -4, run: (context) => range(context, true) },
  xread: { arity: -4, run: read },
  xdel: { arity: -3, writes: true, run: remove },
  xtrim: { arity: -4, writes: true, run: trimTo },
};
