import type { Session } from '../kubectl/session/session.js';
import { formatYaml } from '../kubectl/output/yaml.js';

/** Rows as gosuri/uitable prints them: cells filled up to their column's width, with tabs between them. */
export function formatTable(rows: readonly (readonly string[])[], maxWidth = Infinity): string {
  const shown = rows.map((row) =>
    row.map((cell) => (cell.length > maxWidth ? `${cell.slice(0, maxWidth - 3)}...` : cell)),
  );
  const widths = (shown[0] ?? []).map((_, c) => Math.max(...shown.map((row) => [...(row[c] ?? '')].length)));
  return shown.map((row) => `${row.map((cell, c) => cell.padEnd(widths[c]!)).join('\t')}\n`).join('');
}

/** As -o json and -o yaml print it. */
export function printData(session: Session, format: 'json' | 'yaml', value: unknown): void {
  session.out(format === 'json' ? `${goJson(value)}\n` : formatYaml(value));
}

const goJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
