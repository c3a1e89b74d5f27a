import { ShellFailure } from '../interpreter/failure.js';
import type { Bytes } from '../kernel.js';

const MAX_WORDS = 100_000;
/** Characters of a sequence: three numbers of 64 bits and many zeros. */
const MAX_SEQUENCE = 256;

/**
 * bash's brace expansion of a word's text: quotes, backslashes and ${...} are passed over. Throws ShellFailure for more
 * words than memory holds.
 */
export function expandBraces(text: Bytes): Bytes[] {
  const open = findOpening(text, 0);
  if (!open) return [text];
  const before = text.slice(0, open.from);
  const after = expandBraces(text.slice(open.to + 1));
  const results: Bytes[] = [];
  for (const middle of open.words) {
    for (const end of after) {
      results.push(before + middle + end);
      if (results.length > MAX_WORDS) throw noMemoryFor(open.words.length * after.length);
    }
  }
  return results;
}

/** As bash ends when it has no memory for the words' addresses, which have 8 bytes each. */
const noMemoryFor = (words: number): ShellFailure =>
  new ShellFailure(`xmalloc: cannot allocate ${words * 8} bytes`, 2, 'shell');

interface Group {
  readonly from: number;
  readonly to: number;
  readonly words: readonly Bytes[];
}

/** The first { that begins a list or a sequence. */
function findOpening(text: Bytes, start: number): Group | undefined {
  for (let at = start; at < text.length; at++) {
    const next = skipQuoted(text, at);
    if (next > at) {
      at = next - 1;
      continue;
    }
    if (text[at] !== '{') continue;
    const group = groupAt(text, at);
    if (group) return group;
  }
  return undefined;
}

function groupAt(text: Bytes, from: number): Group | undefined {
  const commas: number[] = [];
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const next = skipQuoted(text, at);
    if (next > at) {
      at = next - 1;
      continue;
    }
    const character = text[at];
    if (character === '{') depth++;
    else if (character === ',' && depth === 1) commas.push(at);
    else if (character === '}' && --depth === 0) {
      const words = commas.length > 0 ? listOf(text, from, at, commas) : sequenceOf(text.slice(from + 1, at));
      return words && { from, to: at, words };
    }
  }
  return undefined;
}

function listOf(text: Bytes, from: number, to: number, commas: readonly number[]): Bytes[] {
  const ends = [...commas, to];
  const words: Bytes[] = [];
  for (const [i, end] of ends.entries()) {
    const more = expandBraces(text.slice(i === 0 ? from + 1 : ends[i - 1]! + 1, end));
    if (words.length + more.length > MAX_WORDS) throw noMemoryFor(words.length + more.length);
    for (const word of more) words.push(word);
  }
  return words;
}

/** 1..5, 01..10..2, a..e. */
function sequenceOf(text: Bytes): Bytes[] | undefined {
  if (text.length > MAX_SEQUENCE) return undefined;
  const match = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, first, last, increment] = match as unknown as [string, string, string, string | undefined];
  const areNumbers = /\d/.test(first) && /\d/.test(last);
  if (!areNumbers && (/\d/.test(first) || /\d/.test(last))) return undefined;
  const [from, to, by] = areNumbers
    ? [BigInt(first), BigInt(last), BigInt(increment ?? 1)]
    : [BigInt(first.charCodeAt(0)), BigInt(last.charCodeAt(0)), BigInt(increment ?? 1)];
  if ([from, to, by].some((value) => BigInt.asIntN(64, value) !== value)) return undefined;
  const step = by === 0n ? 1n : absolute(by);
  const count = absolute(to - from) / step + 1n;
  if (count > MAX_WORDS)
    throw new ShellFailure(`brace expansion: failed to allocate memory for ${count} elements`, 1, 'line');
  const isPadded = areNumbers && (/^-?0\d/.test(first) || /^-?0\d/.test(last));
  const width = isPadded ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: Number(count) }, (_, i) => {
    const value = from + BigInt(i) * (from <= to ? step : -step);
    return areNumbers ? pad(value, width) : String.fromCharCode(Number(value));
  });
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

const pad = (value: bigint, width: number): Bytes =>
  value < 0n ? '-' + String(-value).padStart(width - 1, '0') : String(value).padStart(width, '0');

/** The place after a quoted piece, an escaped character or an expansion that begins here; else the same place. */
function skipQuoted(text: Bytes, at: number): number {
  const character = text[at];
  if (character === '\\') return at + 2;
  if (character === "'") return endOf(text, at, "'");
  if (text.startsWith("$'", at)) return endOfAnsi(text, at + 2);
  if (character === '"') {
    for (let i = at + 1; i < text.length; i++) {
      if (text[i] === '\\') i++;
      else if (text[i] === '"') return i + 1;
    }
    return text.length;
  }
  if (character === '`') return endOf(text, at, '`');
  if (character !== '$') return at;
  if (text[at + 1] === '{') return closing(text, at + 1, '{', '}');
  return text[at + 1] === '(' ? closing(text, at + 1, '(', ')') : at;
}

/** Behind the quote that ends $'...', in which a backslash passes one over. */
function endOfAnsi(text: Bytes, at: number): number {
  for (let i = at; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === "'") return i + 1;
  }
  return text.length;
}

function endOf(text: Bytes, at: number, quote: string): number {
  const end = text.indexOf(quote, at + 1);
  return end < 0 ? text.length : end + 1;
}

function closing(text: Bytes, at: number, open: string, close: string): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === open) depth++;
    else if (text[i] === close && --depth === 0) return i + 1;
  }
  return text.length;
}
