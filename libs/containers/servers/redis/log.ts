import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Running } from '../serve.js';
import { formatLine } from './lines.js';
import type { Own } from './own.js';

/** A line of its log; a replica's begins otherwise. */
export function log({ own, sys, out }: Running<Own>, level: '*' | '#', text: Bytes): void {
  const role = (own.configuration['replicaof'] ?? '') === '' ? 'M' : 'S';
  out(`${formatLine(role, sys.now, level, text)}\n`);
}
