export interface TabSettings {
  readonly minWidth: number;
  readonly padding: number;
}

/** Of `kubectl get` and its like. */
export const TABLE: TabSettings = { minWidth: 6, padding: 3 };
/** Of `kubectl describe`. */
export const DETAILS: TabSettings = { minWidth: 0, padding: 2 };

/**
 * Aligns cells that end with a tab, as Go's text/tabwriter does: a column is as wide as the widest of its cells in
 * consecutive lines. `widths`: those that were used before, which the columns never fall below (RememberWidths).
 */
export function alignTabs(text: string, { minWidth, padding }: TabSettings): string {
  const lines = text.split('\n').map((line) => line.split('\t'));
  const widths = lines.map((cells) => cells.map(() => 0));
  measure(0, lines.length, 0);
  return lines
    .map((cells, at) => cells.map((cell, c) => pad(cell, c, cells.length, widths[at]![c]!)).join(''))
    .join('\n');

  /** Sets the widths of column `c` in blocks of consecutive lines that have it. */
  function measure(from: number, to: number, c: number): void {
    for (let at = from; at < to; at++) {
      if (c >= lines[at]!.length - 1) continue;
      let end = at;
      let width = minWidth;
      let isEmpty = true;
      for (; end < to && c < lines[end]!.length - 1; end++) {
        const size = [...lines[end]![c]!].length;
        width = Math.max(width, size + padding);
        if (size > 0) isEmpty = false;
      }
      for (let i = at; i < end; i++) widths[i]![c] = isEmpty && minWidth === 0 ? padding : width;
      measure(at, end, c + 1);
      at = end - 1;
    }
  }
}

function pad(cell: string, column: number, count: number, width: number): string {
  if (column === count - 1) return cell;
  return cell + ' '.repeat(Math.max(0, width - [...cell].length));
}

/** Rows of cells with a header, as `kubectl get` prints them: the last cell has no blanks after it. */
export const formatRows = (rows: readonly (readonly string[])[], settings = TABLE): string =>
  rows.length === 0 ? '' : `${alignTabs(rows.map((row) => row.join('\t')).join('\n'), settings)}\n`;
