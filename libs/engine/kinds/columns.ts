import * as columns from '../machinery/meta/columns.js';
import type { KubeObject } from '../machinery/meta/object.js';
import type { Cell, Column } from '../machinery/meta/table.js';

/** Columns without descriptions, for tables of few columns. Models pkg/printers/internalversion/printers.go. */
export { ageColumn, nameColumn, NONE } from '../machinery/meta/columns.js';

/** The creationTimestamp, which kinds without a printer of their own show. Models rest.NewDefaultTableConvertor. */
export const createdAtColumn: Column = {
  name: 'Created At',
  type: 'date',
  cell: (o) => o.metadata.creationTimestamp ?? null,
};

export const column = <T extends KubeObject>(
  name: string,
  type: Column['type'],
  cell: (object: T) => Cell,
): Column<T> => columns.column(name, '', cell, { type });
export const text = <T extends KubeObject>(name: string, cell: (object: T) => string): Column<T> =>
  columns.column(name, '', cell);
/** A column that is shown only with `-o wide`. */
export const wide = <T extends KubeObject>(name: string, cell: (object: T) => string): Column<T> =>
  columns.wide(name, '', cell);

/** 'a,b,c + 2 more...', or `none` for an empty list. Models printers' listWithMoreString. */
export function listWithMoreString(items: readonly string[], most: number, none: string): string {
  if (!items.length) return none;
  const shown = items.slice(0, most).join(',');
  return items.length > most ? `${shown} + ${items.length - most} more...` : shown;
}

/** The name, with ' (default)' where one of the annotations is 'true': of StorageClasses and IngressClasses. */
export const nameOrDefaultColumn = (annotations: readonly string[]): Column => ({
  ...columns.nameColumn,
  cell: (o) =>
    `${o.metadata.name ?? ''}${annotations.some((a) => o.metadata.annotations?.[a] === 'true') ? ' (default)' : ''}`,
});
