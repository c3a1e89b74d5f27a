import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Connection } from '../serve.js';
import type { Client } from './own.js';
import { NIL, NIL_ARRAY, parseReply } from './resp.js';

/** Commands whose reply is a map for clients of RESP3. */
const MAPS: readonly string[] = ['hello', 'hgetall', 'config'];
const SETS: readonly string[] = ['smembers', 'sinter', 'sunion', 'sdiff'];

/** A reply as the client's protocol has it: RESP3 knows maps, sets and one null. */
export function inProtocol({ own }: Connection, words: readonly Bytes[], reply: Bytes): Bytes {
  if ((own as Client).protocol === 2 || reply === '') return reply;
  if (reply === NIL || reply === NIL_ARRAY) return '_\r\n';
  const name = (words[0] ?? '').toLowerCase();
  const parsed = MAPS.includes(name) || SETS.includes(name) ? parseReply(reply)?.reply : undefined;
  if (parsed?.type !== 'array') return reply;
  const head = reply.indexOf('\r\n');
  if (SETS.includes(name)) return `~${reply.slice(1)}`;
  return `%${parsed.items.length / 2}${reply.slice(head)}`;
}
