import type { Bytes } from '../../../../engine/kernel/bytes.js';

export interface Cell {
  readonly text: Bytes;
  readonly color: string;
}

/** Fills a line of this width with as many columns as fit, down (or across), two spaces apart. Models ls' own way. */
export function printColumns(
  cells: readonly Cell[],
  { width, isAcross, hasTabs }: { readonly width: number; readonly isAcross: boolean; readonly hasTabs: boolean },
  out: (bytes: Bytes) => void,
  paint: (text: Bytes, color: string) => Bytes,
): void {
  if (cells.length === 0) return;
  const indexOf = (rows: number, columns: number, row: number, column: number) =>
    isAcross ? row * columns + column : column * rows + row;
  const layOut = (columns: number) => {
    const rows = Math.ceil(cells.length / columns);
    const widths = Array.from({ length: columns }, (_, column) => {
      let most = 0;
      for (let row = 0; row < rows; row++)
        most = Math.max(most, cells[indexOf(rows, columns, row, column)]?.text.length ?? 0);
      return most;
    });
    return { rows, columns, widths };
  };
  let best = layOut(1);
  for (let columns = Math.min(cells.length, Math.floor(width / 3) || 1); columns > 1; columns--) {
    const layout = layOut(columns);
    const total = layout.widths.reduce((sum, w) => sum + w + 2, -2);
    const isFilled = isAcross || Math.ceil(cells.length / layout.rows) === columns;
    if (total < width && isFilled) {
      best = layout;
      break;
    }
  }
  for (let row = 0; row < best.rows; row++) {
    let line = '';
    let at = 0;
    let start = 0;
    for (let column = 0; column < best.columns; column++) {
      const cell = cells[indexOf(best.rows, best.columns, row, column)];
      if (cell === undefined) break;
      line += (hasTabs ? indent(at, start) : ' '.repeat(start - at)) + paint(cell.text, cell.color);
      at = start + cell.text.length;
      start += best.widths[column]! + 2;
    }
    out(`${line}\n`);
  }
}

/** From a column to another by tabs, as far as they go. */
function indent(from: number, to: number): Bytes {
  let text = '';
  for (let at = from; at < to;) {
    const isTab = Math.floor(to / 8) > Math.floor((at + 1) / 8);
    text += isTab ? '\t' : ' ';
    at = isTab ? at + 8 - (at % 8) : at + 1;
  }
  return text;
}
