const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};
const PART = /(\d{1,12}(?:\.\d{1,9})?)(ns|us|µs|ms|s|m|h)/gy;
const MAX_TEXT = 64;

/** '7s', '1.5s', '1m30s' in ms, as time.ParseDuration reads them; undefined for what is none. */
export function millisOf(text: string | undefined): number | undefined {
  if (!text || text.length > MAX_TEXT) return undefined;
  if (text === '0') return 0;
  let total = 0;
  let end = 0;
  for (const { 0: part, 1: number, 2: unit = '', index } of text.matchAll(PART)) {
    if (index !== end) return undefined;
    end = index + part.length;
    total += Number(number) * UNITS[unit]!;
  }
  return end === text.length ? total : undefined;
}
