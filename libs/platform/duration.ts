import { z } from 'zod';

const DURATION = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;
const UNITS = [
  ['d', 24 * 60 * 60_000],
  ['h', 60 * 60_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

const MESSAGE = 'must be a duration such as 2h, 90s or 1h30m, or a number of seconds';

/** Milliseconds of '2h', '90s', '1d12h' (units from large to small) or of a number of seconds; undefined for others. */
export function parseDuration(value: string | number): number | undefined {
  if (typeof value === 'number') return value >= 0 && Number.isFinite(value) ? Math.round(value * 1_000) : undefined;
  const counts = value === '' ? null : DURATION.exec(value);
  return counts ? UNITS.reduce((sum, [, ms], i) => sum + Number(counts[i + 1] ?? 0) * ms, 0) : undefined;
}

/** The text of whole seconds, which parseDuration reads: '1h30m', '0s'. */
export function formatDuration(ms: number): string {
  let rest = Math.round(ms / 1_000) * 1_000;
  let text = '';
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text || '0s';
}

/** A schema of durations between two others, in which both are; its output is in milliseconds. */
export function durationSchema(min: string, max: string) {
  const [least, most] = [parseDuration(min)!, parseDuration(max)!];
  return z.union([z.string(), z.number()], { error: MESSAGE }).transform((value, context) => {
    const ms = parseDuration(value);
    if (ms !== undefined && ms >= least && ms <= most) return ms;
    const message = ms === undefined ? MESSAGE : `must be from ${min} to ${max}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}
