import { compilePattern } from '../search.js';
import type { ViState } from '../state.js';

const MAX_ADDRESSES = 100;

/** Addresses of lines, from 0, and what follows them; or what is wrong. */
export function readAddresses(state: ViState, text: string): { addresses: number[]; rest: string } | string {
  if (text.startsWith('%')) return { addresses: [0, state.buffer.lines.length - 1], rest: text.slice(1).trimStart() };
  const addresses: number[] = [];
  let rest = text;
  let current = state.line;
  for (let i = 0; i < MAX_ADDRESSES; i++) {
    const one = readOne(state, rest, current);
    if (typeof one === 'string') return one;
    if (one !== undefined) rest = one.rest;
    const separator = rest[0];
    const isList = separator === ',' || separator === ';';
    if (one === undefined && !isList && addresses.length === 0) break;
    addresses.push(one?.line ?? current);
    if (!isList) break;
    if (separator === ';') current = addresses.at(-1)!;
    rest = rest.slice(1);
  }
  return { addresses, rest: rest.trimStart() };
}

function readOne(state: ViState, text: string, current: number): { line: number; rest: string } | string | undefined {
  const trimmed = text.trimStart();
  const base = readBase(state, trimmed, current);
  if (typeof base === 'string') return base;
  let line = base?.line ?? current;
  let rest = base?.rest ?? trimmed;
  let isFound = base !== undefined;
  for (let match = /^([+-])(\d{0,9})/.exec(rest); match !== null; match = /^([+-])(\d{0,9})/.exec(rest)) {
    line += (match[1] === '+' ? 1 : -1) * (match[2] === '' ? 1 : Number(match[2]));
    rest = rest.slice(match[0].length);
    isFound = true;
  }
  return isFound ? { line, rest } : undefined;
}

function readBase(state: ViState, text: string, current: number): { line: number; rest: string } | string | undefined {
  const digits = /^\d{1,9}/.exec(text)?.[0];
  if (digits !== undefined) return { line: Number(digits) - 1, rest: text.slice(digits.length) };
  const first = text[0];
  if (first === '.') return { line: current, rest: text.slice(1) };
  if (first === '$') return { line: state.buffer.lines.length - 1, rest: text.slice(1) };
  if (first === "'") {
    const name = text[1] ?? '';
    const mark = state.marks[name];
    if (mark === undefined) return state.isBusybox ? 'Mark not set' : 'E20: Mark not set';
    return { line: mark[0], rest: text.slice(2) };
  }
  if (first !== '/' && first !== '?') return undefined;
  const end = endOfPattern(text, 1, first);
  const typed = text.slice(1, end);
  const pattern = typed === '' ? state.search.pattern : typed;
  const line = findLine(state, pattern, first === '/', current);
  if (line === undefined) return state.isBusybox ? 'Pattern not found' : `E486: Pattern not found: ${pattern}`;
  state.search = { pattern, isForward: first === '/' };
  return { line, rest: text.slice(end + 1) };
}

/** Where a pattern ends: at its delimiter, or with the text. */
export function endOfPattern(text: string, from: number, delimiter: string): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === delimiter) return i;
  }
  return text.length;
}

function findLine(state: ViState, pattern: string, isForward: boolean, current: number): number | undefined {
  const regex = compilePattern(state, pattern);
  const { lines } = state.buffer;
  for (let i = 1; regex !== undefined && i <= lines.length; i++) {
    const line = (current + (isForward ? i : lines.length - i)) % lines.length;
    if (regex.test(lines[line]!)) return line;
  }
  return undefined;
}
