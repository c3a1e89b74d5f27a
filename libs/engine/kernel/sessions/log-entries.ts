import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import type { LogLine } from '../container.js';
import type { FileNode } from '../files/file.js';

const counts = new WeakMap<FileNode, number>();

/** How many entries a file of a log has, which never changes. */
export function countEntries(node: FileNode): number {
  const known = counts.get(node) ?? countNewlines(node.content ?? '');
  counts.set(node, known);
  return known;
}

export function countNewlines(text: Bytes): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/**
 * Reads entries, without the first `skipped` ones, into `lines`; times are counted from `since`. Character by
 * character: a day has a hundred thousand entries.
 */
export function decodeEntries(entries: Bytes, lines: LogLine[], skipped: number, since: Millis): void {
  let left = skipped;
  for (let start = 0; start < entries.length;) {
    const end = entries.indexOf('\n', start);
    if (--left < 0) lines.push(decodeEntry(entries, start, end, since));
    start = end + 1;
  }
}

/** As `addOutput` writes it: `1767225600000 stdout F text`. */
function decodeEntry(entries: Bytes, start: number, end: number, since: Millis): LogLine {
  let at: Millis = 0;
  let next = start;
  for (; entries.charCodeAt(next) !== SPACE; next++) at = at * 10 + entries.charCodeAt(next) - ZERO;
  const stream = entries.charCodeAt(next + STREAM_LETTER) === LETTER_E ? 'stderr' : 'stdout';
  const tag = next + 1 + STREAM_LENGTH + 1;
  const isPartial = entries.charCodeAt(tag) === LETTER_P;
  return { at: at - since, stream, text: entries.slice(tag + 2, end), isPartial };
}

/** What the entries' lines say, of both streams, as a client without time stamps reads them. */
export function textOfEntries(entries: Bytes): Bytes {
  let text = '';
  for (let start = 0; start < entries.length;) {
    const end = entries.indexOf('\n', start);
    const tag = entries.indexOf(' ', start) + 1 + STREAM_LENGTH + 1;
    text += entries.slice(tag + 2, entries.charCodeAt(tag) === LETTER_P ? end : end + 1);
    start = end + 1;
  }
  return joinParts(text);
}

/** The time of the last entry; undefined: there is none. */
export function lastTimeOf(entries: Bytes): Millis | undefined {
  if (entries === '') return undefined;
  const start = entries.lastIndexOf('\n', entries.length - 2) + 1;
  return Number(entries.slice(start, entries.indexOf(' ', start)));
}

/**
 * The same text. A text that was added to is a tree of its parts in memory, until a character of it is read: those of a
 * day's log would be copied again and again by the collector of garbage.
 */
export const joinParts = (text: Bytes): Bytes => (text.charCodeAt(0) >= 0 ? text : '');

const SPACE = 0x20;
const ZERO = 0x30;
/** The letter in which the names of the streams differ, after the space before them. */
const STREAM_LETTER = 4;
const STREAM_LENGTH = 'stdout'.length;
const LETTER_E = 0x65;
const LETTER_P = 0x50;
