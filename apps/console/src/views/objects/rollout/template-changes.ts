/** One field that differs: '' is a field that is not there. */
export interface FieldChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const MAX_CHANGES = 20;
const MAX_DEPTH = 12;
const MAX_VALUE = 120;

/**
 * How a text of fields differs from another one, field by field, in the order of the fields. Items of lists are found
 * by their names. At most 20 changes; long values are cut.
 */
export function changesOf(before: unknown, after: unknown): FieldChange[] {
  const found: FieldChange[] = [];
  compare(before, after, '', found, 0);
  return found.slice(0, MAX_CHANGES);
}

function compare(before: unknown, after: unknown, path: string, found: FieldChange[], depth: number): void {
  if (found.length > MAX_CHANGES || JSON.stringify(before) === JSON.stringify(after)) return;
  const [one, other] = [fieldsOf(before), fieldsOf(after)];
  // What is new or gone is told as a whole.
  if (!one || !other || depth >= MAX_DEPTH) {
    found.push({ path, before: valueText(before), after: valueText(after) });
    return;
  }
  for (const key of new Set([...one.keys(), ...other.keys()]))
    compare(one.get(key), other.get(key), path + (path === '' ? key.replace(/^\./, '') : key), found, depth + 1);
}

/** '.image' of an object, '[web]' of items with names, '[0]' of others; undefined of what has no fields. */
function fieldsOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value).map(([key, field]) => [`.${key}`, field]));
  return new Map(value.map((item, i) => [`[${(item as { name?: string } | null)?.name ?? i}]`, item as unknown]));
}

function valueText(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
}
