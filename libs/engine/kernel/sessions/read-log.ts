import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import type { LogLine } from '../container.js';
import type { Log } from '../container-state.js';
import type { State } from '../state.js';
import { countEntries, decodeEntries, lastTimeOf, textOfEntries } from './log-entries.js';
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

/** All that the lines say, without their times; undefined: some were written after `until`. */
export function readLogText(state: State, log: Log, until: Millis): Bytes | undefined {
  const contents = [...contentsOf(state, log), log.tail];
  const last = lastTimeOf(contents.findLast((content) => content !== '') ?? '');
  return last !== undefined && last > until ? undefined : contents.map(textOfEntries).join('');
}

/** Of the files of a log, the oldest one first. */
function* contentsOf(state: State, log: Log): Iterable<Bytes> {
  const tree = treeOf(state, log);
  for (let number = log.first; number < log.next; number++) {
    yield tree.node(tree.find(tree.root, fileName(number)) ?? '')?.content ?? '';
  }
}
