import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { badRequest } from '../../machinery/meta/status.js';
import type { Column } from '../../machinery/meta/table.js';
import type { Millis } from '../../machinery/time/time.js';
import { objectText, partialText } from './json.js';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

const NAME: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique within its namespace.',
  cell: (o) => o.metadata.name ?? '',
};
/** Columns of kinds without a printer. Models apiserver/pkg/registry/rest/table.go. */
const CREATED: Column = {
  name: 'Created At',
  type: 'date',
  description: 'Time at which the object was created, in UTC.',
  cell: (o) => o.metadata.creationTimestamp ?? null,
};
const DEFAULT_COLUMNS = [NAME, CREATED];

const columnsOf = (kind: Kind): readonly Column[] => kind.columns ?? DEFAULT_COLUMNS;

/** The query parameter includeObject. Throws 400. */
export function parseIncludeObject(text: string): IncludeObject {
  if (text === '' || text === 'Metadata') return 'Metadata';
  if (text === 'None' || text === 'Object') return text;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(text)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

/** JSON of column definitions. */
const definitionTexts = new WeakMap<readonly Column[], string>();

function definitionsText(kind: Kind): string {
  const columns = columnsOf(kind);
  let text = definitionTexts.get(columns);
  if (!text) {
    const definitions = columns.map(({ name, type, format, description, priority }) => ({
      name,
      type,
      format: format ?? '',
      description: description ?? '',
      priority: priority ?? 0,
    }));
    definitionTexts.set(columns, (text = JSON.stringify(definitions)));
  }
  return text;
}

export interface TableOptions {
  readonly metaVersion: string;
  readonly include: IncludeObject;
  /** JSON of the Table's ListMeta. */
  readonly metadata: string;
  /** False leaves out the column definitions. */
  readonly definitions?: boolean;
}

/** JSON of a Table. */
export function tableText(kind: Kind, objects: readonly KubeObject[], now: Millis, options: TableOptions): string {
  const rows = objects.map((object) => rowText(kind, object, now, options));
  return `${tableMembers(kind, options).slice(0, -1)},"rows":[${rows.join(',')}]}`;
}

/** JSON of a Table without its rows. */
export function tableMembers(
  kind: Kind,
  { metaVersion, metadata, definitions }: Omit<TableOptions, 'include'>,
): string {
  const columns = definitions === false ? 'null' : definitionsText(kind);
  return `{"kind":"Table","apiVersion":"meta.k8s.io/${metaVersion}","metadata":${metadata},"columnDefinitions":${columns}}`;
}

/** JSON of one row. */
export function rowText(
  kind: Kind,
  object: KubeObject,
  now: Millis,
  { include, metaVersion }: Pick<TableOptions, 'include' | 'metaVersion'>,
): string {
  const cells = JSON.stringify(columnsOf(kind).map((c) => c.cell(object, now)));
  const text =
    include === 'None'
      ? 'null'
      : include === 'Object'
        ? objectText(kind, object)
        : partialText(kind, object, metaVersion);
  return `{"cells":${cells},"object":${text}}`;
}
