import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { childrenOf, findNode, formatStat, type Change, type Tree } from './tree.js';
import { ERROR, frame, int, list, long, OPERATION, Record, text } from '../wire.js';

/** A client's request, read from its frame. */
export type Request = { xid: number; type: number; path: Bytes; watches: boolean; change: Change | null };

/** Flags of create: 1 ephemeral, 2 sequential; more are of containers and nodes with a time to live. */
const [EPHEMERAL, SEQUENTIAL] = [1, 2];

export function readRequest(body: Bytes, session: number): Request {
  const record = new Record(body);
  const [xid, type] = [record.int(), record.int()];
  if (type === OPERATION.ping || type === OPERATION.close)
    return { xid, type, path: '/', watches: false, change: null };
  const path = record.text();
  const watches = WATCHING.includes(type) && record.flag();
  return { xid, type, path, watches, change: readChange(record, type, path, session) };
}

function readChange(record: Record, type: number, path: Bytes, session: number): Change | null {
  if (type === OPERATION.delete) return { type: 'delete', path, version: record.int() };
  if (type === OPERATION.set) return { type: 'set', path, data: record.text(), version: record.int() };
  if (type !== OPERATION.create && type !== OPERATION.create2) return null;
  const data = record.text();
  // Access lists are read, and everybody may do everything.
  for (let count = Math.min(record.int(), 100); count > 0; count--) skipAccess(record);
  const flags = record.int();
  if (flags > EPHEMERAL + SEQUENTIAL) return null;
  const owner = (flags & EPHEMERAL) !== 0 ? session : 0;
  return { type: 'create', path, data, owner, isSequential: (flags & SEQUENTIAL) !== 0 };
}

function skipAccess(record: Record): void {
  record.int();
  record.text();
  record.text();
}

const reply = (xid: number, zxid: number, error: number, body: Bytes = ''): Bytes =>
  frame(int(xid) + long(zxid) + int(error) + body);

/** The answer to a change that was made, or was refused by a number. */
export function answerChange(tree: Tree, { xid, type }: Request, result: Bytes | number): Bytes {
  if (typeof result === 'number') return reply(xid, tree.zxid, result);
  const node = findNode(tree, result);
  const stat = node === undefined ? '' : formatStat(tree, result, node);
  if (type === OPERATION.set) return reply(xid, tree.zxid, 0, stat);
  if (type === OPERATION.delete || type === OPERATION.close) return reply(xid, tree.zxid, 0);
  return reply(xid, tree.zxid, 0, text(result) + (type === OPERATION.create2 ? stat : ''));
}

/** The answer to what changes nothing. Left out: watches, which are refused. */
export function answerReading(tree: Tree, { xid, type, path, watches }: Request): Bytes {
  if (type === OPERATION.ping || type === OPERATION.close) return reply(xid, tree.zxid, 0);
  if (type === OPERATION.sync) return reply(xid, tree.zxid, 0, text(path));
  if (!READINGS.includes(type) || watches) return reply(xid, tree.zxid, ERROR.unimplemented);
  const node = findNode(tree, path);
  if (node === undefined) return reply(xid, tree.zxid, ERROR.noNode);
  const stat = formatStat(tree, path, node);
  const parts: Readonly<{ [type: number]: () => Bytes }> = {
    [OPERATION.exists]: () => stat,
    [OPERATION.get]: () => text(node.data) + stat,
    [OPERATION.list]: () => list(childrenOf(tree, path)),
    [OPERATION.list2]: () => list(childrenOf(tree, path)) + stat,
    [OPERATION.getAcl]: () => int(1) + int(31) + text('world') + text('anyone') + stat,
  };
  return reply(xid, tree.zxid, 0, parts[type]!());
}

const WATCHING: readonly number[] = [OPERATION.exists, OPERATION.get, OPERATION.list, OPERATION.list2];
const READINGS: readonly number[] = [...WATCHING, OPERATION.getAcl];

/** A new session, with the time that it may be silent. */
export const answerConnect = (session: number, timeout: number): Bytes =>
  frame(int(0) + int(timeout) + long(session) + text('\0'.repeat(16)) + '\0');

/** The time that a client asks for; undefined: it comes back with a session, which is not known any more. */
export function readConnect(body: Bytes): number | undefined {
  const record = new Record(body);
  record.int();
  record.long();
  const timeout = record.int();
  return record.long() === 0 ? timeout : undefined;
}
