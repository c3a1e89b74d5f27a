import { type Bytes, bytesOf } from '../../../../engine/kernel/bytes.js';

/** What a screen shows: a text for each row, which may hold escape sequences for attributes, and the cursor. */
export interface Frame {
  readonly rows: readonly string[];
  readonly row: number;
  readonly column: number;
}

export const ENTER = '\x1b[?1049h\x1b[H\x1b[2J';
export const INVERSE = '\x1b[7m';
export const PLAIN = '\x1b[m';

/** Leaves the alternate screen, with the cursor at the bottom. */
export const leaveScreen = (rows: number): Bytes => `\x1b[${rows};1H\x1b[K\x1b[?1049l`;

/** The escape sequences that turn one frame into the next; null: nothing is known of the screen. */
export function paint(before: readonly string[] | null, { rows, row, column }: Frame): Bytes {
  let bytes = before === null ? '\x1b[m\x1b[H\x1b[2J' : '';
  rows.forEach((text, i) => {
    if (before === null ? text !== '' : before[i] !== text) bytes += `\x1b[${i + 1};1H${bytesOf(text)}\x1b[K`;
  });
  return `${bytes}\x1b[${row + 1};${column + 1}H`;
}
