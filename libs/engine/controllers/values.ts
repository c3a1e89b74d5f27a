/** Leaves out what Go's omitempty leaves out: zeros, empty texts and lists, undefined. */
export function omitEmpty<T extends object>(fields: T): T {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined || value === 0 || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    kept[key] = value;
  }
  return kept as T;
}

/** '25%' of a total, or a plain number. Models intstr.GetScaledValueFromIntOrPercent. */
export function getScaledValue(value: number | string | undefined, total: number, round: 'up' | 'down'): number {
  if (value === undefined) return 0;
  if (typeof value === 'number') return value;
  const share = (Number.parseInt(value, 10) * total) / 100;
  return round === 'up' ? Math.ceil(share) : Math.floor(share);
}

/** JSON with sorted keys: equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const record = value as Record<string, unknown>;
  const fields = Object.keys(record)
    .filter((k) => record[k] !== undefined)
    .sort();
  return `{${fields.map((k) => `${JSON.stringify(k)}:${canonicalJson(record[k])}`).join(',')}}`;
}

/** Whole texts of an annotation that holds a number; undefined when it does not. */
export function parseNumberAnnotation(
  annotations: { [key: string]: string } | undefined,
  name: string,
): number | undefined {
  const text = annotations?.[name];
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined;
}
