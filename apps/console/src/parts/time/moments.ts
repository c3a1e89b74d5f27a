/** The moment of a place on the bar as the API takes it: a time; '' at its right end, which is the present. */
export function momentAt(share: number, from: number, to: number): string {
  if (share >= 1) return '';
  return new Date(Math.round(from + Math.max(0, share) * (to - from))).toISOString();
}

const TIME = /^\d{4}-\d\d-\d\dT/;
const AGO = /^-(\d+)(ms|s|m|h)$/;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** The virtual ms of a moment in the URL; undefined for a revision, which has no place on the bar by itself. */
export function timeOfMoment(at: string, now: number): number | undefined {
  if (at === '') return now;
  if (TIME.test(at)) return Date.parse(at) || undefined;
  const [, count, unit] = AGO.exec(at) ?? [];
  return count && unit ? now - Number(count) * UNITS[unit]! : undefined;
}

/** The moment after a time (ms) while the past is played; '' when the present is reached. */
export function playOn(time: number | undefined, stepMs: number, now: number): string {
  const next = (time ?? now) + stepMs;
  return next >= now ? '' : new Date(next).toISOString();
}

export const formatTime = (ms: number): string => new Date(ms).toISOString().slice(11, 19);

const DURATION = /^\d+(\.\d+)?(ms|s|m|h)(\d|$)/;

/** What somebody has typed: a duration, or else a condition. */
export const advanceOf = (text: string): { readonly by: string } | { readonly until: string } =>
  DURATION.test(text.trim()) ? { by: text.trim() } : { until: text.trim() };
