type Fields = Record<string, unknown>;

/**
 * The value `next` with every part of it that is equal to that of `old`, in the order of its fields, too, being that
 * very part: two revisions of an object have most of their content in common, and memory for it once. `next` has come
 * from JSON and belongs to the caller; `old` is not touched.
 */
export function shareEqual(old: unknown, next: unknown): unknown {
  if (old === next) return old;
  if (Array.isArray(old)) return Array.isArray(next) ? shareItems(old, next) : next;
  return isFields(old) && isFields(next) ? shareFields(old, next) : next;
}

/** The same within a value that stays one of its own, whatever it has in common with `old`. */
export function shareWithin(old: unknown, next: unknown): void {
  if (old === next) return;
  if (Array.isArray(old) && Array.isArray(next)) shareItems(old, next);
  else if (isFields(old) && isFields(next)) shareFields(old, next);
}

function shareItems(old: readonly unknown[], next: unknown[]): readonly unknown[] {
  let isEqual = old.length === next.length;
  for (let i = 0; i < Math.min(old.length, next.length); i++) {
    next[i] = shareEqual(old[i], next[i]);
    isEqual &&= next[i] === old[i];
  }
  return isEqual ? old : next;
}

function shareFields(old: Fields, next: Fields): Fields {
  const names = Object.keys(old);
  let [count, isEqual] = [0, true];
  for (const name in next) {
    isEqual &&= names[count++] === name;
    if (!Object.hasOwn(old, name)) continue;
    next[name] = shareEqual(old[name], next[name]);
    isEqual &&= next[name] === old[name];
  }
  return isEqual && count === names.length ? old : next;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
