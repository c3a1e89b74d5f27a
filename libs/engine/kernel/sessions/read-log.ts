import type { Millis } from '../../machinery/time/time.js';
import type { LogLine } from '../container.js';
import type { Log } from '../container-state.js';
import type { State } from '../state.js';
import { countEntries, decodeEntries } from './log-entries.js';
import { fileName, treeOf } from './log.js';

/**
 * The lines from one on, counted from the first that was ever written; those that were dropped are missing. Their times
 * are counted from `since`.
 */
export function readLog(state: State, log: Log, from = 0, since: Millis = 0): readonly LogLine[] {
  const tree = treeOf(state, log);
  const lines: LogLine[] = [];
  let skipped = Math.max(0, from - log.dropped);
  for (let number = log.first; number < log.next; number++) {
    const node = tree.node(tree.find(tree.root, fileName(number)) ?? '');
    if (node === undefined) continue;
    const count = skipped > 0 ? countEntries(node) : 0;
    if (skipped === 0 || skipped < count) decodeEntries(node.content ?? '', lines, skipped, since);
    skipped = Math.max(0, skipped - count);
  }
  decodeEntries(log.tail, lines, skipped, since);
  return lines;
}
