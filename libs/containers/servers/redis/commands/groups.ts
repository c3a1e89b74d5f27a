import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { getIn, namesOf, putIn, removeFrom, type Group, type Pending, type Stream } from '../database.js';
import { array, bulk, CommandFailure, integer, NIL, NIL_ARRAY, OK } from '../resp.js';
import { readInteger, SYNTAX, type Blocking, type CommandContext, type Commands } from './command.js';
import { formatEntry, formatId, isAfter, readId, readStreamRequest } from './streams.js';

const MAX_GROUPS = 1_000;
const NO_KEY =
  'ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the MKSTREAM option to create an empty stream automatically.';

const noGroup = (key: Bytes, name: Bytes): CommandFailure =>
  new CommandFailure(`NOGROUP No such key '${key}' or consumer group '${name}'`);

function findGroup({ keys }: CommandContext, key: Bytes, name: Bytes): { stream: Stream; group: Group } | undefined {
  const stream = keys.read(key, 'stream');
  const group = stream?.groups && getIn(stream.groups, name);
  return stream && group && { stream, group };
}

const placeOf = (stream: Stream | undefined, text: Bytes): Bytes =>
  text === '$' ? (stream?.last ?? '0-0') : formatId(readId(text));

/** XGROUP CREATE, SETID, DESTROY, CREATECONSUMER, DELCONSUMER. */
function change(context: CommandContext): Bytes {
  const { keys, args, now } = context;
  const [verb = '', key = '', name = '', last = '', ...options] = args;
  const kind = verb.toUpperCase();
  if (!['CREATE', 'SETID', 'DESTROY', 'CREATECONSUMER', 'DELCONSUMER'].includes(kind))
    throw new CommandFailure(`ERR unknown subcommand '${verb}'. Try XGROUP HELP.`);
  if (args.length < (kind === 'DESTROY' ? 3 : 4))
    throw new CommandFailure(`ERR wrong number of arguments for 'xgroup|${verb.toLowerCase()}' command`);
  const makes = kind === 'CREATE' && options.some((word) => word.toUpperCase() === 'MKSTREAM');
  const stream = makes ? keys.make(key, 'stream') : keys.read(key, 'stream');
  if (stream === undefined) throw new CommandFailure(NO_KEY);
  const groups = (stream.groups ??= {});
  const group = getIn(groups, name);
  if (kind === 'DESTROY') return integer(removeFrom(groups, name) ? 1 : 0);
  if (kind === 'CREATE') {
    if (group) throw new CommandFailure('BUSYGROUP Consumer Group name already exists');
    if (namesOf(groups).length >= MAX_GROUPS) throw new CommandFailure('ERR too many consumer groups');
    putIn<Group>(groups, name, { last: placeOf(stream, last), pending: {}, consumers: {} });
    return OK;
  }
  if (!group) throw new CommandFailure(`NOGROUP No such consumer group '${name}' for key name '${key}'`);
  if (kind === 'SETID') {
    group.last = placeOf(stream, last);
    return OK;
  }
  if (kind === 'CREATECONSUMER') {
    const isNew = getIn(group.consumers, last) === undefined;
    if (isNew) putIn(group.consumers, last, now);
    return integer(isNew ? 1 : 0);
  }
  const ids = pendingOf(group, last).map(([id]) => id);
  for (const id of ids) removeFrom(group.pending, id);
  removeFrom(group.consumers, last);
  return integer(ids.length);
}

const pendingOf = (group: Group, consumer?: Bytes): [id: Bytes, one: Pending][] =>
  namesOf(group.pending)
    .map((id): [Bytes, Pending] => [id, getIn(group.pending, id)!])
    .filter(([, one]) => consumer === undefined || one.consumer === consumer);

function readGroup(context: CommandContext): Bytes | Blocking {
  const { args, now } = context;
  const [word = '', name = '', consumer = ''] = args;
  if (word.toUpperCase() !== 'GROUP') throw new CommandFailure('ERR Missing GROUP option for XREADGROUP');
  const request = readStreamRequest('xreadgroup', args.slice(3));
  const found: Bytes[] = [];
  request.keys.forEach((key, i) => {
    const known = findGroup(context, key, name);
    if (!known)
      throw new CommandFailure(
        `NOGROUP No such key '${key}' or consumer group '${name}' in XREADGROUP with GROUP option`,
      );
    putIn(known.group.consumers, consumer, now);
    const entries =
      request.ids[i] === '>'
        ? takeNew(known, consumer, request.count, request.keepsNothing, now)
        : takePending(known, consumer, request.ids[i]!, request.count);
    if (entries.length > 0 || request.ids[i] !== '>') found.push(array([bulk(key), array(entries)]));
  });
  if (found.length > 0) return array(found);
  return request.block === undefined ? NIL_ARRAY : { blockUntil: request.block === 0 ? null : now + request.block };
}

type Known = { readonly stream: Stream; readonly group: Group };

/** Entries that the group has given nobody yet. */
function takeNew(
  { stream, group }: Known,
  consumer: Bytes,
  count: number | undefined,
  keepsNothing: boolean,
  now: number,
): Bytes[] {
  const last = readId(group.last);
  const entries = stream.entries.filter(([id]) => isAfter(readId(id!), last)).slice(0, count);
  for (const [id] of entries) {
    group.last = id!;
    if (!keepsNothing) putIn<Pending>(group.pending, id!, { consumer, at: now, count: 1 });
  }
  return entries.map(formatEntry);
}

/** The consumer's own entries that it has not acknowledged. */
function takePending({ stream, group }: Known, consumer: Bytes, from: Bytes, count: number | undefined): Bytes[] {
  const after = readId(from);
  return pendingOf(group, consumer)
    .filter(([id]) => isAfter(readId(id), after))
    .slice(0, count)
    .map(([id]) => {
      const entry = stream.entries.find(([own]) => own === id);
      return entry ? formatEntry(entry) : array([bulk(id), NIL_ARRAY]);
    });
}

function acknowledge(context: CommandContext): Bytes {
  const [key = '', name = '', ...ids] = context.args;
  const known = findGroup(context, key, name);
  const wanted = ids.map((id) => formatId(readId(id)));
  return integer(known ? wanted.filter((id) => removeFrom(known.group.pending, id)).length : 0);
}

/** XPENDING, in its short form and with a range. */
function listPending(context: CommandContext): Bytes {
  const [key = '', name = '', ...range] = context.args;
  const known = findGroup(context, key, name);
  if (!known) throw noGroup(key, name);
  const { group } = known;
  if (range.length === 0) return summarize(group);
  let least = 0;
  if (range[0]!.toUpperCase() === 'IDLE') least = readInteger(range.splice(0, 2)[1] ?? '');
  const [from = '', to = '', count = '', consumer] = range;
  if (range.length < 3 || range.length > 4) throw new CommandFailure(SYNTAX);
  const first = from === '-' ? readId('0') : readId(from);
  const rows = pendingOf(group, consumer)
    .filter(([id, { at }]) => !isAfter(first, readId(id)) && context.now - at >= least)
    .filter(([id]) => to === '+' || !isAfter(readId(id), readId(to, Number.MAX_SAFE_INTEGER)))
    .slice(0, readInteger(count));
  return array(
    rows.map(([id, one]) => array([bulk(id), bulk(one.consumer), integer(context.now - one.at), integer(one.count)])),
  );
}

function summarize(group: Group): Bytes {
  const all = pendingOf(group);
  if (all.length === 0) return array([integer(0), NIL, NIL, NIL_ARRAY]);
  const counts = new Map<Bytes, number>();
  for (const [, { consumer }] of all) counts.set(consumer, (counts.get(consumer) ?? 0) + 1);
  const rows = [...counts].map(([consumer, count]) => array([bulk(consumer), bulk(String(count))]));
  return array([integer(all.length), bulk(all[0]![0]), bulk(all.at(-1)![0]), array(rows)]);
}

/** XCLAIM: entries that wait for another consumer become this one's. Left out: options but JUSTID. */
function claim(context: CommandContext): Bytes {
  const [key = '', name = '', consumer = '', least = '', ...words] = context.args;
  const known = findGroup(context, key, name);
  if (!known) throw noGroup(key, name);
  const justIds = words.at(-1)?.toUpperCase() === 'JUSTID';
  const ids = (justIds ? words.slice(0, -1) : words).map((id) => formatId(readId(id)));
  const taken = take(context, known, ids, consumer, readInteger(least));
  return array(taken.map((id) => formatClaimed(known.stream, id, justIds)));
}

/** XAUTOCLAIM: the same for those that have waited long, in the order of their ids. */
function claimOld(context: CommandContext): Bytes {
  const [key = '', name = '', consumer = '', least = '', start = '', word, count] = context.args;
  const known = findGroup(context, key, name);
  if (!known) throw noGroup(key, name);
  if (word !== undefined && word.toUpperCase() !== 'COUNT') throw new CommandFailure(SYNTAX);
  const from = readId(start);
  const ids = pendingOf(known.group)
    .map(([id]) => id)
    .filter((id) => !isAfter(from, readId(id)));
  const most = count === undefined ? 100 : readInteger(count);
  const taken = take(context, known, ids, consumer, readInteger(least)).slice(0, most);
  return array([bulk('0-0'), array(taken.map((id) => formatClaimed(known.stream, id, false))), array([])]);
}

function take(
  { now }: CommandContext,
  { group }: Known,
  ids: readonly Bytes[],
  consumer: Bytes,
  least: number,
): Bytes[] {
  return ids.filter((id) => {
    const one = getIn(group.pending, id);
    if (!one || now - one.at < least) return false;
    Object.assign(one, { consumer, at: now, count: one.count + 1 });
    putIn(group.consumers, consumer, now);
    return true;
  });
}

function formatClaimed(stream: Stream, id: Bytes, justIds: boolean): Bytes {
  const entry = stream.entries.find(([own]) => own === id);
  return justIds || !entry ? bulk(id) : formatEntry(entry);
}

/** XINFO STREAM, GROUPS, CONSUMERS: the fields that are known here. */
function inform(context: CommandContext): Bytes {
  const [verb = '', key = '', name = ''] = context.args;
  const kind = verb.toUpperCase();
  const stream = context.keys.read(key, 'stream');
  if (!['STREAM', 'GROUPS', 'CONSUMERS'].includes(kind))
    throw new CommandFailure(`ERR unknown subcommand '${verb}'. Try XINFO HELP.`);
  if (!stream) throw new CommandFailure('ERR no such key');
  const groups = stream.groups ?? {};
  const fields = (pairs: Readonly<Record<string, Bytes>>): Bytes =>
    array(Object.entries(pairs).flatMap(([field, value]) => [bulk(field), value]));
  if (kind === 'STREAM') {
    const [first, last] = [stream.entries[0], stream.entries.at(-1)];
    return fields({
      ...{ length: integer(stream.entries.length), 'last-generated-id': bulk(stream.last) },
      groups: integer(namesOf(groups).length),
      'first-entry': first ? formatEntry(first) : NIL,
      'last-entry': last ? formatEntry(last) : NIL,
    });
  }
  if (kind === 'GROUPS')
    return array(
      namesOf(groups).map((one) => {
        const group = getIn(groups, one)!;
        const lag = stream.entries.filter(([id]) => isAfter(readId(id!), readId(group.last))).length;
        return fields({
          ...{ name: bulk(one), consumers: integer(namesOf(group.consumers).length) },
          ...{ pending: integer(pendingOf(group).length), 'last-delivered-id': bulk(group.last), lag: integer(lag) },
        });
      }),
    );
  const group = getIn(groups, name);
  if (!group) throw new CommandFailure(`NOGROUP No such consumer group '${name}' for key name '${key}'`);
  return array(
    namesOf(group.consumers).map((one) => {
      const idle = integer(context.now - getIn(group.consumers, one)!);
      return fields({ name: bulk(one), pending: integer(pendingOf(group, one).length), idle });
    }),
  );
}

/** Consumer groups of streams: what one consumer gets, no other does. */
export const groups: Commands = {
  xgroup: { arity: -2, writes: 'grows', run: change },
  xreadgroup: { arity: -7, writes: 'grows', run: readGroup },
  xack: { arity: -4, writes: true, run: acknowledge },
  xpending: { arity: -3, run: listPending },
  xclaim: { arity: -6, writes: true, run: claim },
  xautoclaim: { arity: -6, writes: true, run: claimOld },
  xinfo: { arity: -3, run: inform },
};
