import type { Millis } from './time.js';

const LOW = 100_000;

/**
 * A time's decimal digits, by two small integers: what V8 does for integers above 31 bits takes three times as long,
 * which shows where a hundred thousand lines of a log get their times at once.
 */
export function decimalOf(at: Millis): string {
  if (!(at >= LOW * LOW) || !Number.isSafeInteger(at)) return String(at);
  const high = Math.floor(at / LOW);
  return String(high) + lowDigits(at - high * LOW);
}

/** The numbers below 10 ** `digits`, all of so many digits. */
const numbersOf = (digits: number): readonly string[] =>
  Array.from({ length: 10 ** digits }, (_, i) => String(i).padStart(digits, '0'));

const TWO = numbersOf(2);
const THREE = numbersOf(3);

const lowDigits = (low: number): string => TWO[Math.floor(low / 1_000)]! + THREE[low % 1_000]!;

/** decimalOf for times that are close to each other: most of their digits are made once. */
export class DecimalClock {
  private high = -1;
  private digits = '';

  decimalOf(at: Millis): string {
    if (!(at >= LOW * LOW) || !Number.isSafeInteger(at)) return String(at);
    const high = Math.floor(at / LOW);
    if (high !== this.high) {
      this.high = high;
      this.digits = String(high);
    }
    return this.digits + lowDigits(at - high * LOW);
  }
}
