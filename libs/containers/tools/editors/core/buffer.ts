/** One change: at `at`, the lines `removed` stood where `added` lines stand now. */
type Splice = { at: number; removed: string[]; added: number };

/** What one command has changed, and where the cursor was. */
export type Change = { splices: Splice[]; line: number; column: number; time: number };

/** Lines with their history, as plain data. There is always at least one line. */
export type Buffer = {
  lines: string[];
  undo: Change[];
  redo: Change[];
  /** Characters of all lines, about. */
  size: number;
  /** Changes since the file was read or written. */
  changes: number;
};

const MAX_UNDO = 200;
/** Lines that the history holds. */
const MAX_UNDO_LINES = 100_000;

export const newBuffer = (lines: readonly string[]): Buffer => ({
  lines: [...lines],
  undo: [],
  redo: [],
  size: lines.reduce((sum, line) => sum + line.length + 1, 0),
  changes: 0,
});

/** Begins what one undo takes back. */
export function beginChange(buffer: Buffer, line: number, column: number, time = 0): void {
  if (buffer.undo.at(-1)?.splices.length === 0) buffer.undo.pop();
  buffer.undo.push({ splices: [], line, column, time });
  let held = 0;
  for (const { splices } of buffer.undo) for (const { removed } of splices) held += removed.length;
  while (buffer.undo.length > MAX_UNDO || (held > MAX_UNDO_LINES && buffer.undo.length > 1)) {
    for (const { removed } of buffer.undo.shift()!.splices) held -= removed.length;
  }
}

/** Puts lines in the place of `count` others. */
export function replaceLines(buffer: Buffer, at: number, count: number, lines: readonly string[]): void {
  const removed = splice(buffer, at, count, lines);
  const change = buffer.undo.at(-1);
  buffer.redo = [];
  buffer.changes++;
  if (change === undefined) return;
  const last = change.splices.at(-1);
  // Keys that go on typing where the last one typed are one splice.
  if (last !== undefined && last.at === at && last.added === count) last.added = lines.length;
  else change.splices.push({ at, removed, added: lines.length });
}

function splice(buffer: Buffer, at: number, count: number, lines: readonly string[]): string[] {
  const removed = buffer.lines.slice(at, at + count);
  buffer.lines = [...buffer.lines.slice(0, at), ...lines, ...buffer.lines.slice(at + count)];
  for (const line of removed) buffer.size -= line.length + 1;
  for (const line of lines) buffer.size += line.length + 1;
  if (buffer.lines.length === 0) {
    buffer.lines = [''];
    buffer.size = 1;
  }
  return removed;
}

/** Takes back the last change, or does it again. Undefined: there is none. */
export function undoChange(buffer: Buffer, direction: 'undo' | 'redo'): Change | undefined {
  while (buffer.undo.at(-1)?.splices.length === 0) buffer.undo.pop();
  const change = buffer[direction].pop();
  if (change === undefined) return undefined;
  const splices: Splice[] = [];
  for (const { at, removed, added } of [...change.splices].reverse()) {
    // A buffer without lines is shown as one empty line.
    const isBare = added === 0 && buffer.lines.length === 1 && buffer.lines[0] === '';
    splices.push({ at, removed: splice(buffer, at, isBare ? 1 : added, removed), added: removed.length });
  }
  buffer[direction === 'undo' ? 'redo' : 'undo'].push({ ...change, splices });
  buffer.changes += direction === 'undo' ? -1 : 1;
  return { ...change, splices };
}
