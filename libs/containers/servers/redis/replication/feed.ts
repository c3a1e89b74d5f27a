import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Millis } from '../../../../engine/machinery/time/time.js';
import type { Running } from '../../serve.js';
import type { Own } from '../own.js';
import { formatCommand, parseReply } from '../resp.js';
import { replicasOf } from './state.js';

/** Bytes that wait for a replica before it is dropped: client-output-buffer-limit. */
const MAX_UNSENT = 8 << 20;

/** Before each command of the stream: when and in which database it has run, so that it does the same again. */
export const AT = 'TERRARIUM.AT';

/** A command that has changed data goes to the replicas and to the append-only file. */
export function feed(
  { own, connections }: Running<Own>,
  database: number,
  words: readonly Bytes[],
  reply: Bytes,
  now: Millis,
): void {
  const { replication, configuration } = own;
  const isKept = configuration['appendonly'] === 'yes';
  if (replication.id === '' && !isKept) return;
  const bytes = formatCommand([AT, String(now), String(database)]) + formatCommand(withoutChance(words, reply));
  if (isKept) own.unwritten += bytes;
  if (replication.id === '') return;
  replication.offset += bytes.length;
  for (const replica of replicasOf(connections)) {
    replica.unsent += bytes;
    if (replica.unsent.length > MAX_UNSENT) replica.closes = true;
  }
}

/** What a draw has decided is told as its outcome. */
function withoutChance(words: readonly Bytes[], reply: Bytes): readonly Bytes[] {
  const [name = '', key = ''] = words;
  if (name.toLowerCase() !== 'spop') return words;
  const parsed = parseReply(reply)?.reply;
  const items = parsed?.type === 'array' ? parsed.items : parsed ? [parsed] : [];
  return ['SREM', key, ...items.flatMap((item) => ('text' in item ? [item.text] : []))];
}
