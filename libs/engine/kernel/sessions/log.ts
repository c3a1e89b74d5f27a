import type { Bytes } from '../bytes.js';
import type { LogLine } from '../container.js';
import type { Container, Log } from '../container-state.js';
import type { FileNode } from '../files/file.js';
import { type FileTree } from '../files/tree.js';
import type { State } from '../state.js';
import { decimalOf } from '../../machinery/time/decimal.js';
import { countEntries, joinParts } from './log-entries.js';
import { showToAttached } from './output.js';

/** containerd's max_container_log_line_size: a longer line is cut into partial entries. */
const MAX_LINE_BYTES = 16 * 1024;
/** The kubelet's containerLogMaxSize and containerLogMaxFiles. */
const MAX_LOG_BYTES = 5 * 10 * 1024 * 1024;
/** So much of a log is in the container's record; what is older stands in files of the log's tree. */
export const MAX_TAIL_BYTES = 16 * 1024;

export const emptyLog = (tree: string): Log => ({
  tree,
  first: 0,
  next: 0,
  fileBytes: 0,
  dropped: 0,
  tail: '',
  pending: { stdout: '', stderr: '' },
});

/** Output of the main process: the log gets whole lines, attached clients get the bytes as they come. */
export function writeLog(state: State, container: Container, stream: LogLine['stream'], bytes: Bytes): void {
  showToAttached(state, container.id, stream, bytes);
  addOutput(state, container.log, stream, bytes);
}

/** Output that no client is attached to. */
export function addOutput(state: State, log: Log, stream: LogLine['stream'], bytes: Bytes): void {
  if (log.pending[stream] === '' && isOneLine(bytes)) {
    return addText(state, log, wholeLine(decimalOf(state.now), stream, bytes));
  }
  const parts = (log.pending[stream] + bytes).split('\n');
  const rest = parts.pop()!;
  for (const line of parts) addEntry(state, log, stream, addPartials(state, log, stream, line), false);
  log.pending[stream] = addPartials(state, log, stream, rest);
}

/** It is an entry as it is. */
export const isOneLine = (bytes: Bytes): boolean =>
  bytes.length <= MAX_LINE_BYTES && bytes.indexOf('\n') === bytes.length - 1;

/** The streams are closed: a line without a newline is a partial one. */
export function endLog(state: State, container: Container): void {
  const { log } = container;
  for (const stream of ['stdout', 'stderr'] as const) {
    if (log.pending[stream] !== '') addEntry(state, log, stream, log.pending[stream], true);
    log.pending[stream] = '';
  }
}

/** Cuts a long line into entries; returns its end. */
function addPartials(state: State, log: Log, stream: 'stdout' | 'stderr', line: Bytes): Bytes {
  let rest = line;
  for (; rest.length > MAX_LINE_BYTES; rest = rest.slice(MAX_LINE_BYTES)) {
    addEntry(state, log, stream, rest.slice(0, MAX_LINE_BYTES), true);
  }
  return rest;
}

function addEntry(state: State, log: Log, stream: 'stdout' | 'stderr', text: Bytes, isPartial: boolean): void {
  addText(state, log, `${state.now} ${stream} ${isPartial ? 'P' : 'F'} ${text}\n`);
}

/** Between the time and the text of a whole line. */
const FULL = { stdout: ' stdout F ', stderr: ' stderr F ' } as const;

/** The entry of one line, which ends with its newline. `at`: ms, as decimal digits. */
export const wholeLine = (at: string, stream: LogLine['stream'], bytes: Bytes): Bytes => at + FULL[stream] + bytes;

function addText(state: State, log: Log, entry: Bytes): void {
  log.tail += entry;
  if (log.tail.length > MAX_TAIL_BYTES) storeTail(state, log);
}

export const fileName = (number: number): string => `lines.${number}`;

export const treeOf = (state: State, log: Log): FileTree => state.trees.get(log.tree) as FileTree;

/** Moves the newest entries into a file, and deletes the oldest file of a log that is too large. */
export function storeTail(state: State, log: Log): void {
  const tree = treeOf(state, log);
  const content = joinParts(log.tail);
  const node: FileNode = { type: 'file', mode: 0o640, user: 0, group: 0, modified: state.now, content };
  tree.create(tree.root, fileName(log.next++), node, state.now);
  log.fileBytes += log.tail.length;
  log.tail = '';
  while (log.fileBytes > MAX_LOG_BYTES) {
    const oldest = tree.node(tree.find(tree.root, fileName(log.first))!)!;
    log.fileBytes -= oldest.content!.length;
    log.dropped += countEntries(oldest);
    tree.unlink(tree.root, fileName(log.first++), state.now);
  }
}
