const COLON = ':';
/** May write a colon in a string without one. */
const ESCAPE = '\\u';
/** Deeper texts are left to the scan. */
const MAX_LEVELS = 500;

/**
 * Whether an object in a JSON text may have a key twice; `value` is the parsed text. Nearly all texts have none, and
 * that is seen without a scan: outside strings there is one colon for each key, and JSON.parse keeps each key once.
 */
export function mayRepeatKeys(text: string, value: unknown): boolean {
  return text.includes(ESCAPE) || countIn(text) !== countColons(value);
}

/** Colons that the text of a value has when it is written without repeated keys; NaN for one that is too deep. */
function countColons(value: unknown, level = 0): number {
  if (typeof value === 'string') return countIn(value);
  if (typeof value !== 'object' || value === null) return 0;
  if (level === MAX_LEVELS) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countColons(item, level + 1);
  else
    for (const key in value)
      count += 1 + countIn(key) + countColons((value as Record<string, unknown>)[key], level + 1);
  return count;
}

function countIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(COLON); at >= 0; at = text.indexOf(COLON, at + 1)) count++;
  return count;
}
