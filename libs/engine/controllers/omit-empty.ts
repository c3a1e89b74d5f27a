/** Leaves out what Go's omitempty leaves out: zeros, empty texts and lists, undefined. */
export function omitEmpty<T extends object>(fields: T): T {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined || value === 0 || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    kept[key] = value;
  }
  return kept as T;
}
