/** Columns that many kinds' tables share. Models pkg/printers/internalversion/printers.go. */
import type { KubeObject, LabelSelector } from './object.js';
import { formatLabelSelector, formatMap } from '../selectors/selectors.js';
import type { Cell, Column } from './table.js';
import { ageSince, type Millis } from '../time/time.js';

export const NONE = '<none>';
export const UNKNOWN = '<unknown>';

type Extra = Partial<Pick<Column, 'format' | 'priority' | 'type'>>;

/** A column of any kind; text unless `extra.type` says otherwise. */
export const column = <T extends KubeObject>(
  name: string,
  description: string,
  cell: (object: T, now: Millis) => Cell,
  extra: Extra = {},
): Column<T> => ({ name, type: 'string', description, ...extra, cell });

export const integer = <T extends KubeObject>(
  name: string,
  description: string,
  cell: (object: T) => number | undefined,
): Column<T> => column(name, description, (object) => cell(object) ?? 0, { type: 'integer' });

/** A number in a column that upstream calls a string. */
export const count = <T extends KubeObject>(
  name: string,
  description: string,
  cell: (object: T) => number | undefined,
): Column<T> => column(name, description, (object) => cell(object) ?? 0);

/** Shown with `-o wide`. */
export const wide = <T extends KubeObject>(
  name: string,
  description: string,
  cell: (object: T, now: Millis) => Cell,
): Column<T> => column(name, description, cell, { priority: 1 });

export const nameColumn: Column = column(
  'Name',
  'Name of the object, unique within its namespace.',
  (o) => o.metadata.name ?? '',
  { format: 'name' },
);
export const ageColumn: Column = column('Age', 'Time since the object was created.', (o, now) =>
  ageSince(o.metadata.creationTimestamp, now),
);

interface Template {
  readonly spec?: { readonly containers?: readonly { readonly name: string; readonly image?: string }[] };
}

/** CONTAINERS, IMAGES of a pod template, with `-o wide`. */
export const containerColumns = <T extends KubeObject>(template: (object: T) => Template | undefined): Column<T>[] => [
  wide('Containers', 'Names of the containers of the pod template.', (o) =>
    (template(o)?.spec?.containers ?? []).map((c) => c.name).join(','),
  ),
  wide('Images', 'Images of the containers of the pod template.', (o) =>
    (template(o)?.spec?.containers ?? []).map((c) => c.image ?? '').join(','),
  ),
];

export const selectorColumn = <T extends KubeObject>(selector: (object: T) => LabelSelector | undefined): Column<T> =>
  wide('Selector', 'Labels that select the pods.', (o) => formatLabelSelector(selector(o)));

/** 'a=b,c=d', '<none>' when empty. Models labels.FormatLabels. */
export const formatLabels = (labels: Readonly<Record<string, string>> | undefined): string => formatMap(labels) || NONE;
