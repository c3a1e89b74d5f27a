import type { ManagedFields } from '../../../kube/object.js';

/** Fields by who manages them. */
export interface Managed {
  readonly manager: string;
  readonly operation: string;
  readonly subresource: string;
  readonly time: string;
  readonly fields: readonly string[];
}

const MAX_FIELDS = 500;
const MAX_DEPTH = 60;

/** Models fieldpath's FieldsV1: 'f:spec' is a field, 'k:{…}' an item of a list by its keys, 'v:…' by its value. */
export const managedBy = (entries: readonly ManagedFields[]): Managed[] =>
  entries.map(({ manager = '', operation = '', subresource = '', time = '', fieldsV1 }) => ({
    manager,
    operation,
    subresource,
    time,
    fields: [...leavesOf(fieldsV1, '', 0)].slice(0, MAX_FIELDS),
  }));

function* leavesOf(fields: unknown, path: string, depth: number): Iterable<string> {
  if (typeof fields !== 'object' || fields === null || depth > MAX_DEPTH) return;
  const names = Object.keys(fields).filter((name) => name !== '.');
  if (names.length === 0) {
    if (path !== '') yield path;
    return;
  }
  for (const name of names)
    yield* leavesOf((fields as Record<string, unknown>)[name], path + segmentOf(name, path), depth + 1);
}

function segmentOf(name: string, path: string): string {
  const rest = name.slice(2);
  if (name.startsWith('f:')) return path === '' ? rest : `.${rest}`;
  if (name.startsWith('k:')) return `[${rest.replace(/^\{|\}$/g, '').replaceAll('"', '')}]`;
  return `[${rest}]`;
}
