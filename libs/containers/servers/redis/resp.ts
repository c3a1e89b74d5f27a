import type { Bytes } from '../../../engine/kernel/bytes.js';

/** Redis' protocol, RESP2. A reply is the bytes that are sent. */

export const OK: Bytes = '+OK\r\n';
export const NIL: Bytes = '$-1\r\n';
export const NIL_ARRAY: Bytes = '*-1\r\n';
export const simple = (text: Bytes): Bytes => `+${text}\r\n`;
export const integer = (value: number | bigint): Bytes => `:${value}\r\n`;
export const bulk = (value: Bytes | undefined): Bytes =>
  value === undefined ? NIL : `$${value.length}\r\n${value}\r\n`;
/** Of replies. */
export const array = (items: readonly Bytes[]): Bytes => `*${items.length}\r\n${items.join('')}`;
export const bulks = (values: readonly (Bytes | undefined)[]): Bytes => array(values.map(bulk));
export const failure = (message: Bytes): Bytes => `-${message}\r\n`;

/** Answers a command with an error: 'ERR syntax error'. */
export class CommandFailure extends Error {}

export interface ParsedCommand {
  readonly words: readonly Bytes[];
  /** Bytes of it. */
  readonly length: number;
}

const MAX_WORDS = 100_000;
const MAX_INLINE = 65_536;

/**
 * The first command in these bytes; undefined while it is not whole.
 * Throws CommandFailure for bytes that are none: the connection is closed then.
 */
export function parseCommand(bytes: Bytes): ParsedCommand | undefined {
  if (bytes === '') return undefined;
  if (bytes[0] !== '*') return parseInline(bytes);
  const head = readLength(bytes, 0, 'invalid multibulk length');
  if (head === undefined) return undefined;
  if (head.value > MAX_WORDS) throw new CommandFailure('ERR Protocol error: invalid multibulk length');
  const words: Bytes[] = [];
  let at = head.next;
  while (words.length < head.value) {
    if (at >= bytes.length) return undefined;
    if (bytes[at] !== '$') throw new CommandFailure(`ERR Protocol error: expected '$', got '${bytes[at]}'`);
    const size = readLength(bytes, at, 'invalid bulk length');
    if (size === undefined || bytes.length < size.next + size.value + 2) return undefined;
    words.push(bytes.slice(size.next, size.next + size.value));
    at = size.next + size.value + 2;
  }
  return { words, length: at };
}

function readLength(bytes: Bytes, at: number, problem: string): { value: number; next: number } | undefined {
  const end = bytes.indexOf('\r\n', at);
  if (end < 0) return undefined;
  const digits = bytes.slice(at + 1, end);
  if (!/^\d{1,9}$/.test(digits)) throw new CommandFailure(`ERR Protocol error: ${problem}`);
  return { value: Number(digits), next: end + 2 };
}

function parseInline(bytes: Bytes): ParsedCommand | undefined {
  const end = bytes.indexOf('\n');
  if (end < 0) {
    if (bytes.length > MAX_INLINE) throw new CommandFailure('ERR Protocol error: too big inline request');
    return undefined;
  }
  const words = splitWords(bytes.slice(0, end).replace(/\r$/, ''));
  if (words === undefined) throw new CommandFailure('ERR Protocol error: unbalanced quotes in request');
  return { words, length: end + 1 };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', a: '\x07' };

/** A line as sdssplitargs cuts it; undefined for unbalanced quotes. */
export function splitWords(line: Bytes): Bytes[] | undefined {
  const words: Bytes[] = [];
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line[at]!)) at++;
    else {
      const word = readWord(line, at);
      if (word === undefined) return undefined;
      words.push(word.text);
      at = word.next;
    }
  }
  return words;
}

function readWord(line: Bytes, from: number): { text: Bytes; next: number } | undefined {
  let [text, at, quote] = ['', from, ''];
  for (; at < line.length; at++) {
    const char = line[at]!;
    if (quote === '') {
      if (/\s/.test(char)) break;
      if (char === '"' || char === "'") quote = char;
      else text += char;
    } else if (char === quote) {
      // A closing quote ends the word.
      if (at + 1 < line.length && !/\s/.test(line[at + 1]!)) return undefined;
      quote = '';
    } else if (char === '\\' && at + 1 < line.length && (quote === '"' || line[at + 1] === "'")) {
      const hex = quote === '"' ? /^x([0-9a-fA-F]{2})/.exec(line.slice(at + 1, at + 4))?.[1] : undefined;
      const next = line[at + 1]!;
      text += hex === undefined ? (quote === '"' ? (ESCAPES[next] ?? next) : next) : unescapeHex(hex);
      at += hex === undefined ? 1 : 3;
    } else text += char;
  }
  return quote === '' ? { text, next: at } : undefined;
}

const unescapeHex = (hex: string): Bytes => String.fromCharCode(Number.parseInt(hex, 16));

export type Reply =
  | { readonly type: 'status' | 'error' | 'bulk' | 'integer'; readonly text: Bytes }
  | { readonly type: 'nil' }
  | { readonly type: 'array'; readonly items: readonly Reply[] };

/** The first reply in these bytes, for clients; undefined while it is not whole. */
export function parseReply(bytes: Bytes, from = 0): { readonly reply: Reply; readonly next: number } | undefined {
  const end = bytes.indexOf('\r\n', from);
  if (end < 0) return undefined;
  const text = bytes.slice(from + 1, end);
  const next = end + 2;
  const kind = bytes[from];
  if (kind === '+') return { reply: { type: 'status', text }, next };
  if (kind === '-') return { reply: { type: 'error', text }, next };
  if (kind === ':') return { reply: { type: 'integer', text }, next };
  const size = Number(text);
  if ((kind !== '$' && kind !== '*') || !Number.isInteger(size))
    return { reply: { type: 'error', text: `Protocol error, got "${kind ?? ''}" as reply type byte` }, next };
  if (size < 0) return { reply: { type: 'nil' }, next };
  if (kind === '$') {
    if (bytes.length < next + size + 2) return undefined;
    return { reply: { type: 'bulk', text: bytes.slice(next, next + size) }, next: next + size + 2 };
  }
  const items: Reply[] = [];
  let at = next;
  while (items.length < size) {
    const item = parseReply(bytes, at);
    if (item === undefined) return undefined;
    items.push(item.reply);
    at = item.next;
  }
  return { reply: { type: 'array', items }, next: at };
}

/** A command as clients send it. */
export const formatCommand = (words: readonly Bytes[]): Bytes => bulks(words);
