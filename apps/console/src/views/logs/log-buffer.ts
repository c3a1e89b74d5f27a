import type { LogLine } from './operations.generated.js';

export type { LogLine };

/** Lines that a page keeps. */
export const MAX_LINES = 100_000;
/** Beyond the limit by so much the oldest go, so that not every batch copies all. */
const SLACK = 5_000;

export interface LogBuffer {
  readonly lines: readonly LogLine[];
  /** Lines that came before those that are kept. */
  readonly forgotten: number;
}

export const EMPTY: LogBuffer = { lines: [], forgotten: 0 };

/** With lines that have come, which are sorted among themselves; a late one is put where it belongs. */
export function append({ lines, forgotten }: LogBuffer, added: readonly LogLine[], max = MAX_LINES): LogBuffer {
  if (added.length === 0) return { lines, forgotten };
  const merged = insert(lines, added);
  if (merged.length <= max + SLACK) return { lines: merged, forgotten };
  return { lines: merged.slice(merged.length - max), forgotten: forgotten + merged.length - max };
}

function insert(lines: readonly LogLine[], added: readonly LogLine[]): LogLine[] {
  const first = key(added[0]!);
  let from = lines.length;
  while (from > 0 && key(lines[from - 1]!) > first) from--;
  if (from === lines.length) return lines.concat(added);
  const late = lines.slice(from).concat(added);
  const places = new Map(late.map((line, i) => [line, i] as const));
  late.sort((a, b) => compare(key(a), key(b)) || places.get(a)! - places.get(b)!);
  return lines.slice(0, from).concat(late);
}

/** Times of one length, so that texts compare as times do. */
function key({ at }: LogLine): string {
  const [seconds = '', fraction = ''] = at.replace('Z', '').split('.');
  return `${seconds}.${fraction.padEnd(9, '0')}`;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What is searched for: a regular expression, or a text where it is none. Undefined finds everything. */
export function searchOf(text: string): { readonly pattern: RegExp; readonly isLiteral: boolean } | undefined {
  if (text === '') return undefined;
  try {
    return { pattern: new RegExp(text, 'i'), isLiteral: false };
  } catch {
    // Not yet, or never, an expression: it is looked for as it is.
    return { pattern: new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i'), isLiteral: true };
  }
}

/** The parts of a text that match and that do not, in order. A pattern that matches nothing marks nothing. */
export function parts(
  text: string,
  pattern: RegExp | undefined,
): readonly { readonly text: string; readonly isMatch: boolean }[] {
  if (!pattern) return [{ text, isMatch: false }];
  const found: { text: string; isMatch: boolean }[] = [];
  let last = 0;
  for (const match of text.matchAll(new RegExp(pattern.source, 'gi'))) {
    if (match[0] === '') continue;
    if (match.index > last) found.push({ text: text.slice(last, match.index), isMatch: false });
    found.push({ text: match[0], isMatch: true });
    last = match.index + match[0].length;
  }
  if (last < text.length || found.length === 0) found.push({ text: text.slice(last), isMatch: false });
  return found;
}
