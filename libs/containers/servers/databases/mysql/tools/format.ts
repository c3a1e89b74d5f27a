/** How the client prints results: columns with their names, and rows of texts. */
export type Columns = readonly { readonly name: string; readonly isNumeric: boolean }[];
export type Rows = readonly (readonly (string | null)[])[];
const lengthOf = (text: string): number => Array.from(text).length;

export function formatTable(columns: Columns, rows: Rows, hasNoNames: boolean): string {
  const widths = columns.map(({ name }, i) =>
    Math.max(hasNoNames ? 0 : lengthOf(name), ...rows.map((row) => lengthOf(row[i] ?? 'NULL'))),
  );
  const rule = `+${widths.map((width) => '-'.repeat(width + 2)).join('+')}+\n`;
  const line = (cells: readonly string[], isHead: boolean): string =>
    `|${cells
      .map((cell, i) => {
        const missing = ' '.repeat(widths[i]! - lengthOf(cell));
        return columns[i]!.isNumeric && !isHead ? ` ${missing}${cell} ` : ` ${cell}${missing} `;
      })
      .join('|')}|\n`;
  const head = hasNoNames
    ? ''
    : line(
        columns.map(({ name }) => name),
        true,
      ) + rule;
  return (
    rule +
    head +
    rows
      .map((row) =>
        line(
          row.map((value) => value ?? 'NULL'),
          false,
        ),
      )
      .join('') +
    rule
  );
}

const escape = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t');

export function formatBatch(columns: Columns, rows: Rows, hasNoNames: boolean): string {
  const head = hasNoNames ? [] : [columns.map(({ name }) => name)];
  return [...head, ...rows].map((row) => `${row.map((value) => escape(value ?? 'NULL')).join('\t')}\n`).join('');
}

export function formatVertical(columns: Columns, rows: Rows): string {
  const width = Math.max(...columns.map(({ name }) => name.length));
  return rows
    .map((row, n) => {
      const rule = `*************************** ${n + 1}. row ***************************\n`;
      return rule + columns.map(({ name }, i) => `${name.padStart(width)}: ${row[i] ?? 'NULL'}\n`).join('');
    })
    .join('');
}
