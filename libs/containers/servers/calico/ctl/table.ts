/** Go's text/tabwriter with cells of at least 5, and 3 between them; the last one is filled as well. */
export function tabbed(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 5, cell.length + 3);
  return rows.map((row) => `${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('')}\n`).join('');
}

const isNumber = (text: string): boolean => /^\d+(?:\.\d+)?$/.test(text);

function centered(text: string, width: number): string {
  const left = Math.floor((width - text.length) / 2);
  return `${' '.repeat(left)}${text}${' '.repeat(width - text.length - left)}`;
}

/** A table with lines, its heads in the middle, and numbers at the right. Models olekukonko/tablewriter. */
export function lined(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = `+${widths.map((width) => '-'.repeat(width + 2)).join('+')}+\n`;
  const show = (cells: readonly string[]): string => `|${cells.map((cell) => ` ${cell} `).join('|')}|\n`;
  const head = show(heads.map((one, i) => centered(one, widths[i] ?? 0)));
  const body = rows.map((row) =>
    show(
      heads.map((_, i) => {
        const [cell, width] = [row[i] ?? '', widths[i] ?? 0];
        return isNumber(cell) ? cell.padStart(width) : cell.padEnd(width);
      }),
    ),
  );
  return `${line}${head}${line}${body.join('')}${rows.length > 0 ? line : ''}`;
}
