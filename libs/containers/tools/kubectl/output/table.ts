import { ageSince } from '../../../../engine/machinery/time/time.js';
import type { ApiObject } from '../session/session.js';
import { formatRows } from './tabwriter.js';

export interface ApiTable {
  readonly columnDefinitions?: readonly { readonly name: string; readonly priority?: number; readonly type?: string }[];
  readonly rows?: readonly TableRow[];
  readonly metadata?: { readonly resourceVersion?: string };
}

export interface TableRow {
  readonly cells: readonly unknown[];
  readonly object?: ApiObject;
}

export const TABLE_TYPE =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';

export interface TableOptions {
  readonly isWide: boolean;
  readonly withNamespace: boolean;
  /** Before each name: 'pod.apps/'. */
  readonly kind: string;
  readonly showLabels: boolean;
  /** Labels that have columns of their own. */
  readonly labelColumns: readonly string[];
  readonly noHeaders: boolean;
  readonly now: number;
}

/** The server's columns, and those that kubectl adds. */
export function tableRows(table: ApiTable, options: TableOptions, events?: readonly string[]): string[][] {
  const { columnDefinitions = [], rows = [] } = table;
  const shown = columnDefinitions.flatMap(({ priority = 0 }, i) => (options.isWide || priority === 0 ? [i] : []));
  const header = [
    ...(events ? ['EVENT'] : []),
    ...(options.withNamespace ? ['NAMESPACE'] : []),
    ...shown.map((i) => columnDefinitions[i]!.name.toUpperCase()),
    ...options.labelColumns.map((label) => label.slice(label.lastIndexOf('/') + 1).toUpperCase()),
    ...(options.showLabels ? ['LABELS'] : []),
  ];
  const lines = rows.map(({ cells, object }, at) => [
    ...(events ? [events[at] ?? ''] : []),
    ...(options.withNamespace ? [object?.metadata?.namespace ?? ''] : []),
    ...shown.map((i) => {
      const text = cellText(cells[i], options.now);
      return columnDefinitions[i]!.name === 'Name' && options.kind !== '' ? `${options.kind}/${text}` : text;
    }),
    ...options.labelColumns.map((label) => object?.metadata?.labels?.[label] ?? ''),
    ...(options.showLabels ? [formatLabels(object?.metadata?.labels)] : []),
  ]);
  return options.noHeaders ? lines : [header, ...lines];
}

export const formatTable = (rows: readonly (readonly string[])[]): string => formatRows(rows);

/** A cell's lines, but for the first, and its tabs are not shown. */
function cellText(value: unknown, now: number): string {
  if (value === null || value === undefined) return '<none>';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (/^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(text)) return ageSince(text, now);
  const line = text.split(/[\n\r\f]/, 1)[0]!;
  return line.length === text.length ? text : `${line}...`;
}

/** `a=b,c=d` in the order of keys. */
export function formatLabels(labels: Readonly<Record<string, string>> | undefined): string {
  const entries = Object.entries(labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? '<none>' : entries.map(([key, value]) => `${key}=${value}`).join(',');
}
