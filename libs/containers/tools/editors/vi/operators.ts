import { replaceLines } from '../core/buffer.js';
import { lineOf, moveCursor, type Register, type Target, type ViState } from './state.js';

/** A part of the text: whole lines, or from a character up to one that is not in it. */
export type Range =
  | { readonly isLines: true; readonly from: number; readonly to: number }
  | { readonly isLines: false; readonly from: readonly [number, number]; readonly to: readonly [number, number] };

export const wholeLines = (from: number, to: number): Range => ({ isLines: true, from, to });

/** What lies between two places, as a motion means it for an operator. */
export function rangeOf(state: ViState, start: Target, end: Target): Range {
  const isBackward = end.line < start.line || (end.line === start.line && end.at < start.at);
  const [first, last] = isBackward ? [end, start] : [start, end];
  if (end.isLines === true) return wholeLines(first.line, last.line);
  const inclusive = end.isInclusive === true && !(isBackward && start !== first && first === end && !hasBoth(end));
  let to: [number, number] = [last.line, last.at + (inclusive ? 1 : 0)];
  // Up to the first character of a line: the line before is the last one.
  if (!inclusive && to[1] === 0 && last.line > first.line) {
    to = [last.line - 1, state.buffer.lines[last.line - 1]!.length];
    const isWhole = state.buffer.lines[first.line]!.slice(0, first.at).trim() === '';
    if (isWhole) return wholeLines(first.line, last.line - 1);
  }
  return { isLines: false, from: [first.line, first.at], to };
}

/** `%`, `ge` backwards take both ends; F and T do not say that they are inclusive. */
const hasBoth = (target: Target): boolean => target.isInclusive === true;

export function textIn(state: ViState, range: Range): string {
  const { lines } = state.buffer;
  if (range.isLines)
    return lines
      .slice(range.from, range.to + 1)
      .map((line) => `${line}\n`)
      .join('');
  const [[line, at], [toLine, toAt]] = [range.from, range.to];
  if (line === toLine) return lines[line]!.slice(at, toAt);
  return [lines[line]!.slice(at), ...lines.slice(line + 1, toLine), lines[toLine]!.slice(0, toAt)].join('\n');
}

/** `"x` names the register; without it the text also goes to 0 (yanked) or 1. */
export function keepText(
  state: ViState,
  range: Range,
  name: string,
  verb: 'Delete' | 'Yank' | 'Change',
  isOperator = false,
): void {
  const text = textIn(state, range);
  const kept: Register = { text, isLines: range.isLines };
  if (name === '_') return;
  if (/[A-Z]/.test(name)) {
    const before = state.registers[name.toLowerCase()];
    kept.text = (before?.text ?? '') + text;
    kept.isLines ||= before?.isLines === true;
  }
  state.registers['"'] = kept;
  if (name !== '') state.registers[name.toLowerCase()] = kept;
  else if (verb === 'Yank') state.registers['0'] = kept;
  reportText(state, text, range, verb, isOperator);
}

function reportText(state: ViState, text: string, range: Range, verb: string, isOperator: boolean): void {
  const lines = text.split('\n').length - 1;
  if (state.isBusybox) {
    if (isOperator && text !== '') state.message = `${verb} ${lines} lines (${text.length} chars) from [D]`;
  } else if (verb === 'Yank' && lines > 2) state.message = `${lines} lines yanked`;
  else if (verb === 'Delete' && range.isLines && lines > 2) state.message = `${lines} fewer lines`;
}

/** Takes a part out, with the cursor where it began. */
export function removeRange(state: ViState, range: Range): void {
  const { buffer } = state;
  if (range.isLines) {
    const isAll = range.to - range.from + 1 >= buffer.lines.length;
    replaceLines(buffer, range.from, range.to - range.from + 1, isAll ? [''] : []);
    if (isAll && !state.isBusybox) state.message = '--No lines in buffer--';
    return moveToLine(state, range.from);
  }
  const [[line, at], [toLine, toAt]] = [range.from, range.to];
  const joined = buffer.lines[line]!.slice(0, at) + buffer.lines[toLine]!.slice(toAt);
  replaceLines(buffer, line, toLine - line + 1, [joined]);
  moveCursor(state, line, at);
}

/** The first character of a line that is not blank. */
export function moveToLine(state: ViState, line: number): void {
  const row = Math.max(0, Math.min(line, state.buffer.lines.length - 1));
  moveCursor(state, row, Math.max(0, state.buffer.lines[row]!.search(/\S|$/)));
}

export function shiftLines(state: ViState, from: number, to: number, amount: number): void {
  const { shiftwidth, tabstop, expandtab } = state.options;
  const lines = state.buffer.lines.slice(from, to + 1).map((line) => {
    if (line.trim() === '') return amount < 0 ? line.trimStart() : line;
    const blank = line.slice(0, Math.max(0, line.search(/\S/)));
    const width = [...blank].reduce((sum, c) => (c === '\t' ? sum + tabstop - (sum % tabstop) : sum + 1), 0);
    return indentBy(Math.max(0, width + amount * shiftwidth), expandtab, tabstop) + line.slice(blank.length);
  });
  replaceLines(state.buffer, from, to - from + 1, lines);
  moveToLine(state, from);
  const count = to - from + 1;
  if (!state.isBusybox && count > 2) state.message = `${count} lines ${amount > 0 ? '>' : '<'}ed 1 time`;
}

function indentBy(width: number, expandtab: boolean, tabstop: number): string {
  if (expandtab) return ' '.repeat(width);
  return '\t'.repeat(Math.floor(width / tabstop)) + ' '.repeat(width % tabstop);
}

const MAX_PUT = 1 << 20;

/** `p` and `P`. */
export function putText(state: ViState, register: Register | undefined, isAfter: boolean, count: number): void {
  if (register === undefined) {
    state.message = state.isBusybox ? 'Nothing in register D' : 'E353: Nothing in register "';
    return;
  }
  const times = Math.max(1, Math.min(count, Math.floor(MAX_PUT / (register.text.length + 1))));
  const text = register.text.repeat(times);
  const lines = text.split('\n');
  const newLines = lines.length - 1;
  if (state.isBusybox) state.message = `Put ${newLines} lines (${text.length} chars) from [D]`;
  else if (newLines > 2) state.message = `${newLines} more lines`;
  if (register.isLines) {
    lines.pop();
    const at = state.line + (isAfter ? 1 : 0);
    replaceLines(state.buffer, at, 0, lines);
    return moveToLine(state, at);
  }
  const line = lineOf(state);
  const at = Math.min(line.length, state.at + (isAfter && line !== '' ? 1 : 0));
  const [first = '', last] = [lines[0], lines.length > 1 ? lines.at(-1)! : undefined];
  if (last === undefined) {
    replaceLines(state.buffer, state.line, 1, [line.slice(0, at) + first + line.slice(at)]);
    return moveCursor(state, state.line, at + first.length - 1);
  }
  const put = [line.slice(0, at) + first, ...lines.slice(1, -1), last + line.slice(at)];
  replaceLines(state.buffer, state.line, 1, put);
  moveCursor(state, state.line, at);
}

/** `J`. */
export function joinLines(state: ViState, from: number, count: number): void {
  const { lines } = state.buffer;
  const to = Math.min(lines.length - 1, from + (state.isBusybox ? count : Math.max(1, count - 1)));
  if (to === from) return;
  let text = lines[from]!;
  let at = text.length;
  for (const line of lines.slice(from + 1, to + 1)) {
    const added = line.trimStart();
    const isGlued = text === '' || /\s$/.test(text) || added === '' || added.startsWith(')');
    at = isGlued ? Math.max(0, text.length - (text.endsWith(' ') ? 1 : 0)) : text.length;
    text += (isGlued ? '' : ' ') + added;
  }
  replaceLines(state.buffer, from, to - from + 1, [text]);
  moveCursor(state, from, state.isBusybox ? at + 1 : at);
}

export function swapCase(text: string): string {
  return [...text].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('');
}
