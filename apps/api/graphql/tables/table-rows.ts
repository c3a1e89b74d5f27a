import type { Table as KubeTable, TableRow as KubeRow } from './kube-table.js';
import type { TableColumn } from './types.js';

/** One row as subscribers get it. */
export interface Row {
  /** "NAMESPACE/NAME". */
  readonly key: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** The object's resourceVersion: whoever has read it need not read it again. */
  readonly version: string;
  /** RFC 3339; '' for what was never created. */
  readonly created: string;
  readonly deleting: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly cells: readonly unknown[];
}

export const rowOf = ({ cells, object: { metadata = {} } }: KubeRow): Row => ({
  key: `${metadata.namespace ?? ''}/${metadata.name ?? ''}`,
  name: metadata.name ?? '',
  namespace: metadata.namespace ?? '',
  uid: metadata.uid ?? '',
  version: metadata.resourceVersion ?? '',
  created: metadata.creationTimestamp ?? '',
  deleting: metadata.deletionTimestamp !== undefined,
  labels: metadata.labels ?? {},
  cells,
});

export const columnsOf = ({ columnDefinitions }: KubeTable): TableColumn[] =>
  (columnDefinitions ?? []).map(({ name, type, format, description, priority }) => ({
    name,
    type,
    format,
    description,
    priority,
  }));

/** What a line of a watch of Tables says. */
export type TableEvent =
  | { readonly type: 'put' | 'delete'; readonly rows: readonly Row[]; readonly revision: number }
  | { readonly type: 'bookmark'; readonly revision: number }
  | { readonly type: 'error' };

/** Reads one frame of a watch. */
export function readEvent(line: string): TableEvent {
  const { type, object } = JSON.parse(line) as { type: string; object: KubeTable };
  if (type === 'ERROR') return { type: 'error' };
  const revision = Number(object.metadata.resourceVersion ?? 0);
  if (type === 'BOOKMARK') return { type: 'bookmark', revision };
  return { type: type === 'DELETED' ? 'delete' : 'put', rows: object.rows.map(rowOf), revision };
}
