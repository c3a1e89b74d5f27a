import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { cutLines } from '../../names.js';
import { ToolFailure } from '../../framework/tool.js';

/** A place of a patch. Lines have their newlines, and in `lines` a first character ' ', '-' or '+'. */
export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly Bytes[];
}

export interface FilePatch {
  /** What stands before the first hunk: names, words of git, comments. */
  readonly head: readonly Bytes[];
  /** Undefined: the patch names none. */
  readonly oldName: Bytes | undefined;
  readonly newName: Bytes | undefined;
  readonly hunks: Hunk[];
  /** The line of the input of the first hunk. */
  readonly line: number;
}

const RANGE = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const EDIT = /^(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?\n?$/;

/** Reads unified and normal differences. Empty: there are none. */
export function readPatch(text: Bytes): FilePatch[] {
  const lines = cutLines(text);
  const files: FilePatch[] = [];
  let head: Bytes[] = [];
  for (let at = 0; at < lines.length;) {
    const hunk = readUnified(lines, at) ?? readNormal(lines, at);
    if (hunk === undefined) {
      head.push(lines[at++]!);
      continue;
    }
    const isNext = head.length > 0 || files.length === 0;
    if (isNext)
      files.push({ head, oldName: nameIn(head, '--- '), newName: nameIn(head, '+++ '), hunks: [], line: at + 1 });
    files.at(-1)!.hunks.push(hunk.hunk);
    head = [];
    at = hunk.next;
  }
  return files;
}

function nameIn(head: readonly Bytes[], start: string): Bytes | undefined {
  const line = head.findLast((one) => one.startsWith(start));
  return line?.slice(start.length).split(/[\t\n]/)[0];
}

interface Found {
  readonly hunk: Hunk;
  readonly next: number;
}

function readUnified(lines: readonly Bytes[], at: number): Found | undefined {
  const [, oldStart, oldCount = '1', newStart, newCount = '1'] = RANGE.exec(lines[at]!) ?? [];
  if (oldStart === undefined) return undefined;
  let [old, fresh, next] = [Number(oldCount), Number(newCount), at + 1];
  const found: Bytes[] = [];
  for (; next < lines.length && (old > 0 || fresh > 0); next++) {
    const line = lines[next] === '\n' ? ' \n' : lines[next]!;
    if (!' -+'.includes(line[0]!)) break;
    if (line[0] !== '+') old--;
    if (line[0] !== '-') fresh--;
    found.push(line);
    if (lines[next + 1]?.startsWith('\\') === true) found[found.length - 1] = dropNewline(lines[next++]!);
  }
  return { hunk: { oldStart: Number(oldStart), newStart: Number(newStart), lines: found }, next };
}

const dropNewline = (line: Bytes): Bytes => (line.endsWith('\n') ? line.slice(0, -1) : line);

function readNormal(lines: readonly Bytes[], at: number): Found | undefined {
  const [, from, to = from, letter, start] = EDIT.exec(lines[at]!) ?? [];
  if (from === undefined) return undefined;
  const found: Bytes[] = [];
  let next = at + 1;
  for (; next < lines.length && /^(?:[<>] |---\n|\\)/.test(lines[next]!); next++) {
    const line = lines[next]!;
    if (line.startsWith('\\')) found.push(dropNewline(found.pop() ?? ''));
    else if (line !== '---\n') found.push(`${line[0] === '<' ? '-' : '+'}${line.slice(2)}`);
  }
  const oldStart = letter === 'a' ? Number(from) + 1 : Number(from);
  return Number(to) < Number(from) ? undefined : { hunk: { oldStart, newStart: Number(start), lines: found }, next };
}

/** The same backwards. */
export const reverseHunk = ({ oldStart, newStart, lines }: Hunk): Hunk => ({
  oldStart: newStart,
  newStart: oldStart,
  lines: lines.map((line) => (line[0] === ' ' ? line : `${line[0] === '-' ? '+' : '-'}${line.slice(1)}`)),
});

export const oldLines = ({ lines }: Hunk): Bytes[] => lines.filter(([c]) => c !== '+').map((line) => line.slice(1));
export const newLines = ({ lines }: Hunk): Bytes[] => lines.filter(([c]) => c !== '-').map((line) => line.slice(1));

export interface Place {
  /** From 0. */
  readonly at: number;
  /** Lines of context at both ends that do not count. */
  readonly fuzz: number;
}

/** Lines that may yet be compared. */
export type Budget = { left: number };

const MAX_FUZZ = 2;

/**
 * Where a hunk fits, nearest to where it says, `shift` lines off; undefined: nowhere. `from`: what is before is done.
 * Throws ToolFailure when it has compared too much.
 */
export function findPlace(file: readonly Bytes[], hunk: Hunk, budget: Budget, shift = 0, from = 0): Place | undefined {
  const wanted = oldLines(hunk);
  const guess = Math.max(0, (wanted.length === 0 ? hunk.oldStart : hunk.oldStart - 1) + shift);
  const [before, after] = contextOf(hunk);
  const context = Math.max(before, after);
  for (let fuzz = 0; fuzz <= Math.min(MAX_FUZZ, context); fuzz++) {
    // Less context at one end than at the other: the hunk stands at that end of the file.
    const [start, rest] = [fuzz + before - context, fuzz + after - context];
    const end = wanted.length - Math.max(0, rest);
    for (let distance = 0; distance <= file.length; distance++) {
      for (const at of distance === 0 ? [guess] : [guess + distance, guess - distance]) {
        if (at + Math.max(0, start) < from || (start < 0 && at > 0) || (rest < 0 && at + end !== file.length)) continue;
        if (fits(file, wanted, budget, [at, Math.max(0, start), end])) return { at, fuzz };
      }
    }
  }
  return undefined;
}

/** Lines of context at the beginning and at the end. */
function contextOf({ lines }: Hunk): [before: number, after: number] {
  const first = lines.findIndex(([c]) => c !== ' ');
  const last = lines.findLastIndex(([c]) => c !== ' ');
  return [Math.max(0, first), lines.length - 1 - last];
}

function fits(
  file: readonly Bytes[],
  wanted: readonly Bytes[],
  budget: Budget,
  [at, start, end]: readonly [number, number, number],
): boolean {
  if (at + start < 0 || at + end > file.length) return false;
  for (let i = start; i < end; i++) {
    if (budget.left-- <= 0) throw new ToolFailure('**** out of memory', 2);
    if (file[at + i] !== wanted[i]) return false;
  }
  return true;
}
