const MIN_WIDTH = 5;
const PADDING = 3;

/** Cells in columns as Go's tabwriter sets them for Cilium's commands: the last one is filled up, too. */
export function columns(rows: readonly (readonly string[])[], minWidth = MIN_WIDTH): string {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, i) => {
    const widest = Math.max(0, ...rows.map((row) => (row[i] ?? '').length));
    return widest === 0 ? minWidth : Math.max(minWidth, widest + PADDING);
  });
  return rows.map((row) => `${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('')}\n`).join('');
}
