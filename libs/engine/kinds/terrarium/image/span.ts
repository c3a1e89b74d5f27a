import { HOUR, MINUTE, SECOND, type Millis } from '../../../machinery/time/time.js';

const UNITS: Readonly<Record<string, Millis>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR };
const MAX_LENGTH = 32;

/** A span of time as Go writes it, '250ms' or '1m30s', in whole ms; undefined for what is none. */
export function parseSpan(text: string): Millis | undefined {
  if (text === '' || text.length > MAX_LENGTH) return undefined;
  let total = 0;
  let rest = text;
  while (rest !== '') {
    const [part = '', number, unit = ''] = /^(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h)/.exec(rest) ?? [];
    if (part === '') return undefined;
    total += Number(number) * UNITS[unit]!;
    rest = rest.slice(part.length);
  }
  return Math.round(total);
}
