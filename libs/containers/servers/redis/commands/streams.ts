import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Millis } from '../../../../engine/machinery/time/time.js';
import type { Keys, Stream } from '../database.js';
import { array, bulk, bulks, CommandFailure, integer, NIL, NIL_ARRAY } from '../resp.js';
import { readInteger, SYNTAX, type Blocking, type CommandContext, type Commands } from './command.js';

/** A place in a stream: ms, and a number within them. */
export type Id = readonly [at: number, number: number];

const INVALID = 'ERR Invalid stream ID specified as stream command argument';
const TOO_SMALL = 'ERR The ID specified in XADD is equal or smaller than the target stream top item';
const LARGEST: Id = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/** `number`: the second part when there is none. */
export function readId(text: Bytes, number = 0): Id {
  const [, at, own] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(text) ?? [];
  if (at === undefined) throw new CommandFailure(INVALID);
  return [Number(at), own === undefined ? number : Number(own)];
}
export const formatId = ([at, number]: Id): Bytes => `${at}-${number}`;
export const isAfter = (a: Id, b: Id): boolean => a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);

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

export const formatEntry = ([id, ...fields]: Bytes[]): Bytes => array([bulk(id), bulks(fields)]);

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

/** The words of XREAD and XREADGROUP before and behind STREAMS. */
export interface StreamRequest {
  readonly count: number | undefined;
  /** ms; 0: for ever. */
  readonly block: number | undefined;
  readonly keepsNothing: boolean;
  readonly keys: readonly Bytes[];
  readonly ids: readonly Bytes[];
  /** The options, with their values. */
  readonly head: readonly Bytes[];
}

export function readStreamRequest(name: string, args: readonly Bytes[]): StreamRequest {
  const words = [...args];
  let [count, block]: (number | undefined)[] = [];
  let keepsNothing = false;
  for (let word = words.shift()?.toUpperCase(); word !== 'STREAMS'; word = words.shift()?.toUpperCase()) {
    if (word === 'NOACK' && name === 'xreadgroup') keepsNothing = true;
    else if (word === 'BLOCK') block = readTimeout(words.shift() ?? '');
    else if (word === 'COUNT') count = readInteger(words.shift() ?? '');
    else throw new CommandFailure(SYNTAX);
  }
  const half = words.length / 2;
  if (words.length === 0 || !Number.isInteger(half))
    throw new CommandFailure(
      `ERR Unbalanced '${name}' list of streams: for each stream key an ID, '+', or '$' must be specified.`,
    );
  const head = args.slice(0, args.length - words.length);
  return { count, block, keepsNothing, keys: words.slice(0, half), ids: words.slice(half), head };
}

function readTimeout(text: Bytes): number {
  const value = readInteger(text);
  if (value < 0) throw new CommandFailure('ERR timeout is negative');
  return value;
}

function read({ keys, args, now }: CommandContext): Bytes | Blocking {
  const request = readStreamRequest('xread', args);
  const { count, block, head } = request;
  const found = request.keys.flatMap((key, i) => readAfter(keys, key, request.ids[i]!, count) ?? []);
  if (found.length > 0) return array(found);
  if (block === undefined) return NIL_ARRAY;
  // What `$` is now: entries that come from here on.
  const ids = request.ids.map((id, i) => (id === '$' ? (keys.read(request.keys[i]!, 'stream')?.last ?? '0-0') : id));
  return { blockUntil: block === 0 ? null : now + block, again: ['xread', ...head, ...request.keys, ...ids] };
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

/** Commands of streams; those of consumer groups are in groups.ts. */
export const streams: Commands = {
  xadd: { arity: -5, writes: 'grows', run: add },
  xlen: { arity: 2, run: ({ keys, args }) => integer(keys.read(args[0]!, 'stream')?.entries.length ?? 0) },
  xrange: { arity: -4, run: (context) => range(context, false) },
  xrevrange: { arity: -4, run: (context) => range(context, true) },
  xread: { arity: -4, run: read },
  xdel: { arity: -3, writes: true, run: remove },
  xtrim: { arity: -4, writes: true, run: trimTo },
};
