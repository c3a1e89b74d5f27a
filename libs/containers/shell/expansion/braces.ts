import type { Bytes } from '../kernel.js';

const MAX_WORDS = 100_000;

/** bash's brace expansion of a word's text: quotes, backslashes and ${...} are passed over. */
export function expandBraces(text: Bytes): Bytes[] {
  const open = findOpening(text, 0);
  if (!open) return [text];
  const before = text.slice(0, open.from);
  const after = expandBraces(text.slice(open.to + 1));
  const results: Bytes[] = [];
  for (const middle of open.words) {
    for (const end of after) {
      results.push(before + middle + end);
      if (results.length > MAX_WORDS) return [text];
    }
  }
  return results;
}

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
  return ends.flatMap((end, i) => expandBraces(text.slice(i === 0 ? from + 1 : ends[i - 1]! + 1, end)));
}

/** 1..5, 01..10..2, a..e. */
function sequenceOf(text: Bytes): Bytes[] | undefined {
  const match = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, first, last, increment] = match as unknown as [string, string, string, string | undefined];
  const areNumbers = /\d/.test(first) && /\d/.test(last);
  if (!areNumbers && (/\d/.test(first) || /\d/.test(last))) return undefined;
  const from = areNumbers ? Number(first) : first.charCodeAt(0);
  const to = areNumbers ? Number(last) : last.charCodeAt(0);
  const step = Math.abs(Number(increment ?? 1)) || 1;
  if (Math.abs(to - from) / step > MAX_WORDS) return undefined;
  const isPadded = areNumbers && (/^-?0\d/.test(first) || /^-?0\d/.test(last));
  const width = isPadded ? Math.max(first.length, last.length) : 0;
  const words: Bytes[] = [];
  for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? step : -step) {
    words.push(areNumbers ? pad(value, width) : String.fromCharCode(value));
  }
  return words;
}

const pad = (value: number, width: number): Bytes =>
  value < 0 ? '-' + String(-value).padStart(width - 1, '0') : String(value).padStart(width, '0');

/** The place after a quoted piece, an escaped character or an expansion that begins here; else the same place. */
function skipQuoted(text: Bytes, at: number): number {
  const character = text[at];
  if (character === '\\') return at + 2;
  if (character === "'") return endOf(text, at, "'");
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
