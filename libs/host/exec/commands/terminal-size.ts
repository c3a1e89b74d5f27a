import type { TerminalSize } from '@terrarium/engine';

const MAX = 65_535;

/** The size in a message of a resize stream: `{"Width":80,"Height":24}`. Undefined when it is none. */
export function parseTerminalSize(text: string): TerminalSize | undefined {
  let size: unknown;
  try {
    size = JSON.parse(text);
  } catch {
    // What is no JSON says nothing of a size, as upstream has it.
    return undefined;
  }
  const { Width: columns, Height: rows } = (size ?? {}) as { Width?: unknown; Height?: unknown };
  return isLength(columns) && isLength(rows) ? { columns, rows } : undefined;
}

const isLength = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX;

/** Cuts a resize stream, whose JSON objects follow each other without separators, into objects. */
export class TerminalSizeReader {
  private rest = '';

  /** The last size that is complete. */
  read(chunk: string): TerminalSize | undefined {
    let last: TerminalSize | undefined;
    const parts = (this.rest + chunk).split('}');
    // What is no size has no end: only so much of it is kept.
    this.rest = parts.pop()!.slice(-MAX_REST);
    for (const part of parts) last = parseTerminalSize(`${part}}`) ?? last;
    return last;
  }
}

const MAX_REST = 100;
