import { KubectlFailure } from '../session/failure.js';
import { findValues } from './jsonpath.js';
import { formatRows } from './tabwriter.js';

export interface Column {
  readonly header: string;
  readonly path: string;
}

const MAX_COLUMNS = 100;

/** `NAME:.metadata.name,IMAGE:.spec.containers[*].image`. Throws KubectlFailure. */
export function parseColumns(spec: string): Column[] {
  if (spec === '') throw new KubectlFailure('custom-columns format specified but no custom columns given');
  return spec
    .split(',')
    .slice(0, MAX_COLUMNS)
    .map((part) => {
      const at = part.indexOf(':');
      if (at < 0)
        throw new KubectlFailure(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
      return { header: part.slice(0, at), path: part.slice(at + 1) };
    });
}

/** A file of custom-columns-file: headers over paths. */
export function parseColumnFile(text: string): Column[] {
  const [headers = '', paths = ''] = text.split('\n');
  const words = (line: string): string[] => line.split(' ').filter((word) => word !== '');
  const [names, specs] = [words(headers), words(paths)];
  if (names.length !== specs.length)
    throw new KubectlFailure(
      `number of headers (${names.length}) and field specifications (${specs.length}) don't match`,
    );
  return names.map((header, i) => ({ header, path: specs[i]! }));
}

export function formatColumns(columns: readonly Column[], objects: readonly unknown[], noHeaders: boolean): string {
  const rows = objects.map((object) => columns.map(({ path }) => cellOf(findValues(path, object))));
  return formatRows(noHeaders ? rows : [columns.map(({ header }) => header), ...rows]);
}

function cellOf(values: readonly unknown[]): string {
  if (values.length === 0) return '<none>';
  return values.map(printGo).join(',');
}

/** As Go's %v prints what JSON can hold. */
export function printGo(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(printGo).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, one]) => `${key}:${printGo(one)}`).join(' ')}]`;
}
