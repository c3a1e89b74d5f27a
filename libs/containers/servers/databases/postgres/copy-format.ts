import { PgFailure } from './failure.js';

/** How COPY writes rows: PostgreSQL's text format, or CSV. */
export type CopyOptions = { isCsv: boolean; hasHeader: boolean; delimiter: string; null: string };

/** `WITH (FORMAT csv, HEADER)`, or the older `CSV HEADER`. Throws PgFailure. */
export function readCopyOptions(text: string): CopyOptions {
  if (/\bbinary\b/i.test(text)) throw new PgFailure('0A000', 'COPY in binary format is not supported');
  const isCsv = /\bcsv\b/i.test(text);
  const delimiter = /\bdelimiter\s+(?:as\s+)?e?'((?:[^']|'')*)'/i.exec(text)?.[1]?.replace('\\t', '\t');
  if (delimiter !== undefined && delimiter.length !== 1)
    throw new PgFailure('0A000', 'COPY delimiter must be a single one-byte character');
  return {
    isCsv,
    hasHeader: /\bheader\b(?!\s+(?:false|off))/i.test(text),
    delimiter: delimiter ?? (isCsv ? ',' : '\t'),
    null: /\bnull\s+(?:as\s+)?'([^']*)'/i.exec(text)?.[1] ?? (isCsv ? '' : '\\N'),
  };
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const UNESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

export function formatRow(row: readonly (string | null)[], options: CopyOptions): string {
  const { isCsv, delimiter } = options;
  return row
    .map((value) => {
      if (value === null) return options.null;
      if (isCsv) return needsQuotes(value, options) ? `"${value.replaceAll('"', '""')}"` : value;
      return value
        .replace(/[\\\n\r\t]/g, (sign) => ESCAPES[sign]!)
        .replaceAll(delimiter === '\t' ? '\0' : delimiter, `\\${delimiter}`);
    })
    .join(delimiter);
}

const needsQuotes = (value: string, options: CopyOptions): boolean =>
  value === options.null || value.includes(options.delimiter) || /["\n\r]/.test(value);

/** The rows of a text; a line `\\.` ends it. Throws PgFailure. */
export function readRows(text: string, options: CopyOptions): (string | null)[][] {
  const rows = options.isCsv ? readCsv(text, options) : readText(text, options);
  return options.hasHeader ? rows.slice(1) : rows;
}

function readText(text: string, options: CopyOptions): (string | null)[][] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const end = lines.indexOf('\\.');
  return lines.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .replace(/\r$/, '')
      .split(options.delimiter)
      .map((field) =>
        field === options.null ? null : field.replace(/\\(.)/g, (_whole, sign: string) => UNESCAPES[sign] ?? sign),
      ),
  );
}

function readCsv(text: string, options: CopyOptions): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  let [at, field, wasQuoted] = [0, '', false];
  const endField = (): void => {
    row.push(!wasQuoted && field === options.null ? null : field);
    [field, wasQuoted] = ['', false];
  };
  const endRow = (): void => {
    endField();
    rows.push(row);
    row = [];
  };
  for (; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') {
      const end = closingQuote(text, at + 1);
      if (end < 0) throw new PgFailure('22P04', 'unterminated CSV quoted field');
      field += text.slice(at + 1, end).replaceAll('""', '"');
      wasQuoted = true;
      at = end;
    } else if (char === options.delimiter) endField();
    else if (char === '\n') {
      if (row.length === 0 && field === '\\.') return rows;
      endRow();
    } else if (char !== '\r') field += char;
  }
  if (field !== '' || row.length > 0 || wasQuoted) endRow();
  return rows;
}

/** Where a quoted field ends: at a quote that is not doubled. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at;
  return -1;
}
