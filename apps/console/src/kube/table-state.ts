import type { TableBatch, TableColumn } from './operations.generated.js';
import type { Row } from './row.js';
import { cellKey, compareKeys, type CellKey } from './cell-key.js';

/** Rows that come by batches, in the order that is shown. */
export interface TableState {
  readonly columns: readonly TableColumn[];
  readonly rows: ReadonlyMap<string, Row>;
  /** Virtual ms of the cluster at a real time of this page. */
  readonly time: { readonly virtual: number; readonly real: number } | undefined;
}

export const EMPTY: TableState = { columns: [], rows: new Map(), time: undefined };

/** `real`: performance.now() of this page. */
export function applyBatches(state: TableState, batches: readonly TableBatch[], real: number): TableState {
  let { columns, time } = state;
  let rows = new Map(state.rows);
  for (const batch of batches) {
    if (batch.reset) rows = new Map();
    if (batch.columns) ({ columns } = batch as { columns: readonly TableColumn[] });
    if (batch.now !== null) time = { virtual: batch.now, real: real - (batch.age ?? 0) };
    const told = batch.now === null ? {} : { told: batch.now };
    for (const row of batch.rows) rows.set(row.key, { ...row, ...told });
    for (const key of batch.removed) rows.delete(key);
  }
  return { columns, rows, time };
}

/** Tables of one kind, of several namespaces, as one. */
export function mergeTables(parts: readonly TableState[]): TableState {
  if (parts.length === 1) return parts[0]!;
  const rows = new Map<string, Row>();
  for (const part of parts) for (const [key, row] of part.rows) rows.set(key, row);
  const columns = parts.find((part) => part.columns.length > 0)?.columns ?? [];
  const times = parts.flatMap(({ time }) => time ?? []);
  return { columns, rows, time: times.sort((a, b) => b.real - a.real)[0] };
}

/** What rows have that is in none of their cells, by their keys: such as 'cpu'. */
export type Extra = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

export interface Sort {
  /** 'namespace', 'age', the place of a column, or the name of something extra. */
  readonly column: string;
  readonly descending: boolean;
}

/** As it stands in a link: "3", "-age". */
export const parseSort = (text: string): Sort =>
  text.startsWith('-') ? { column: text.slice(1), descending: true } : { column: text || '0', descending: false };
export const sortText = ({ column, descending }: Sort): string => (descending ? `-${column}` : column);

interface Wanted {
  readonly text: string;
  readonly sort: Sort;
  readonly extra?: Extra | undefined;
}

/** The rows that match a text, sorted. Keeps what it has worked out for rows that stay the same. */
export class RowOrder {
  private readonly haystacks = new WeakMap<Row, string>();
  private keys = new WeakMap<Row, CellKey>();
  private column = '';
  private extra: Extra | undefined;
  private last: readonly Row[] = [];

  /** All words of `text` must be in a row's cells, namespace or labels. */
  order({ rows }: TableState, { text, sort, extra }: Wanted): readonly Row[] {
    const isExtra = Number.isNaN(Number(sort.column));
    if (sort.column !== this.column || (isExtra && extra !== this.extra)) this.keys = new WeakMap();
    this.column = sort.column;
    this.extra = extra;
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (row: Row): boolean => words.every((word) => this.haystackOf(row).includes(word));
    // Beginning with the last order, in which only a few rows have another place, sorting is quick.
    const seen = new Set<string>();
    const shown: Row[] = [];
    for (const { key } of this.last) {
      const row = rows.get(key);
      if (row && !seen.has(key) && matches(row)) shown.push(row);
      seen.add(key);
    }
    for (const row of rows.values()) if (!seen.has(row.key) && matches(row)) shown.push(row);
    const sign = sort.descending ? -1 : 1;
    shown.sort((a, b) => {
      const [one, other] = [this.keyOf(a), this.keyOf(b)];
      // What is not known is last, both ways.
      return one.rank - other.rank || sign * compareKeys(one, other) || compareText(a.key, b.key);
    });
    this.last = shown;
    return shown;
  }

  private keyOf(row: Row): CellKey {
    let key = this.keys.get(row);
    if (!key) this.keys.set(row, (key = sortKey(row, this.column, this.extra)));
    return key;
  }

  private haystackOf(row: Row): string {
    let text = this.haystacks.get(row);
    if (text === undefined) {
      const labels = Object.entries(row.labels).map(([name, value]) => `${name}=${value}`);
      text = [row.name, row.namespace, ...row.cells.map(String), ...labels].join('\n').toLowerCase();
      this.haystacks.set(row, text);
    }
    return text;
  }
}

function sortKey(row: Row, column: string, extra: Extra | undefined): CellKey {
  if (column === 'namespace') return { rank: 1, text: row.namespace };
  // The youngest first, as ages grow.
  if (column === 'age') return { rank: 0, number: -Date.parse(row.created || '0'), then: 0 };
  const place = Number(column);
  return cellKey(Number.isNaN(place) ? extra?.get(row.key)?.[column] : row.cells[place]);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
