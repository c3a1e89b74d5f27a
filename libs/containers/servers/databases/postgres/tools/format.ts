import type { Column } from '../sql/query.js';

/** How a result is printed: \pset. */
export type Style = {
  isAligned: boolean;
  isExpanded: boolean;
  isTuplesOnly: boolean;
  isCsv: boolean;
  separator: string;
  null: string;
};
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly title?: string;
  readonly footers?: readonly string[];
  /** Without `(3 rows)`. */
  readonly hasNoCount?: boolean;
}

const NUMERIC = ['int2', 'int4', 'int8', 'numeric', 'float4', 'float8', 'oid', 'money'];
const widthOf = (text: string): number => Math.max(...text.split('\n').map((line) => Array.from(line).length));

export function formatTable(table: Table, style: Style): string {
  if (style.isCsv) return formatCsv(table, style);
  if (style.isExpanded) return formatExpanded(table, style);
  return style.isAligned ? formatAligned(table, style) : formatUnaligned(table, style);
}

const countOf = ({ rows: { length } }: Table): string => `(${length} row${length === 1 ? '' : 's'})`;

function footerOf(table: Table, style: Style): string[] {
  if (style.isTuplesOnly) return [];
  return [...(table.footers ?? (table.hasNoCount ? [] : [countOf(table)]))];
}

function formatAligned(table: Table, style: Style): string {
  const { columns, title } = table;
  const cells = table.rows.map((row) => row.map((value) => value ?? style.null));
  const widths = columns.map(({ name }, i) =>
    Math.max(Array.from(name).length, ...cells.map((row) => widthOf(row[i]!))),
  );
  const isRight = columns.map(({ type }) => NUMERIC.includes(type.split('(', 1)[0]!));
  const lines: string[] = [];
  const whole = widths.reduce((sum, width) => sum + width + 3, -1);
  if (!style.isTuplesOnly) {
    if (title !== undefined) lines.push(' '.repeat(Math.max(0, Math.floor((whole - title.length) / 2))) + title);
    lines.push(columns.map(({ name }, i) => ` ${center(name, widths[i]!)} `).join('|'));
    lines.push(widths.map((width) => '-'.repeat(width + 2)).join('+'));
  }
  for (const row of cells) lines.push(...formatRow(row, widths, isRight));
  return [...lines, ...footerOf(table, style), ''].map((line) => `${line}\n`).join('');
}

/** Values of several lines go on below, with a + at the end of the line. */
function formatRow(row: readonly string[], widths: readonly number[], isRight: readonly boolean[]): string[] {
  const parts = row.map((value) => value.split('\n'));
  const height = Math.max(1, ...parts.map(({ length }) => length));
  return Array.from({ length: height }, (_line, n) =>
    parts
      .map((lines, i) => {
        const text = lines[n] ?? '';
        const missing = ' '.repeat(widths[i]! - Array.from(text).length);
        const goesOn = n < lines.length - 1;
        const isLast = i === parts.length - 1;
        const padded = isRight[i] ? missing + text : isLast && !goesOn ? text : text + missing;
        return ` ${padded}${goesOn ? '+' : isLast ? '' : ' '}`;
      })
      .join('|'),
  );
}

function center(text: string, width: number): string {
  const missing = width - Array.from(text).length;
  const left = Math.floor(missing / 2);
  return ' '.repeat(left) + text + ' '.repeat(missing - left);
}

function formatUnaligned(table: Table, style: Style): string {
  const lines = table.rows.map((row) => row.map((value) => value ?? style.null).join(style.separator));
  const head = style.isTuplesOnly ? [] : [table.columns.map(({ name }) => name).join(style.separator)];
  return [...head, ...lines, ...footerOf(table, style)].map((line) => `${line}\n`).join('');
}

function formatExpanded(table: Table, style: Style): string {
  if (table.rows.length === 0) return style.isTuplesOnly ? '\n' : '(0 rows)\n\n';
  const names = Math.max(...table.columns.map(({ name }) => Array.from(name).length));
  const values = Math.max(...table.rows.flat().map((value) => widthOf(value ?? style.null)));
  const lines = table.rows.flatMap((row, n) => {
    const head = `-[ RECORD ${n + 1} ]`;
    const rule =
      head.length <= names + 1
        ? `${head.padEnd(names + 1, '-')}+${'-'.repeat(values + 1)}`
        : head.padEnd(names + values + 3, '-');
    const own = table.columns.map(({ name }, i) => `${name.padEnd(names)} | ${row[i] ?? style.null}`);
    return style.isTuplesOnly ? own : [rule, ...own];
  });
  return [...lines, ''].map((line) => `${line}\n`).join('');
}

const quote = (value: string): string => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

function formatCsv(table: Table, style: Style): string {
  const head = style.isTuplesOnly ? [] : [table.columns.map(({ name }) => name)];
  const rows = table.rows.map((row) => row.map((value) => value ?? style.null));
  return [...head, ...rows].map((row) => `${row.map(quote).join(',')}\n`).join('');
}
