import type { Millis } from './time.js';

const LOW = 100_000;

/**
 * A time's decimal digits, by two small integers: what V8 does for integers above 31 bits takes three times as long,
 * which shows where a hundred thousand lines of a log get their times at once.
 */
export function decimalOf(at: Millis): string {
  if (!(at >= LOW * LOW) || !Number.isSafeInteger(at)) return String(at);
  const high = Math.floor(at / LOW);
  const low = at - high * LOW;
  return String(high) + (low < LOW / 10 ? String(low + LOW).slice(1) : String(low));
}
