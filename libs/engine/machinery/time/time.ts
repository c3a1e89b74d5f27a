import { memoize } from '../memoize.js';

/** Virtual time: milliseconds since the Unix epoch. The engine never asks what time it is; it is told. */
export type Millis = number;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Thousands of objects are stamped at one instant, and read again within minutes. */
const MAX_REMEMBERED = 1_000;

const wholeSeconds = memoize(
  MAX_REMEMBERED,
  (second: number) => `${new Date(second * SECOND).toISOString().slice(0, 19)}Z`,
);

/** metav1.Time: '2026-11-21T02:37:00Z'. */
export const timestamp = (at: Millis): string => wholeSeconds(Math.floor(at / SECOND));

/** metav1.MicroTime: '2026-11-21T02:37:00.123000Z'. */
export const microTimestamp: (at: Millis) => string = memoize(
  MAX_REMEMBERED,
  (at) => `${new Date(at).toISOString().slice(0, -1)}000Z`,
);

export const parseTimestamp: (text: string) => Millis = memoize(MAX_REMEMBERED, (text) => Date.parse(text));

/**
 * A duration as kubectl prints ages: '5s', '2m30s', '3h', '2d4h', '400d', '3y'.
 * Models apimachinery/pkg/util/duration HumanDuration.
 */
export function humanDuration(span: Millis): string {
  const seconds = Math.trunc(span / SECOND);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 60 * 2) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
  if (minutes < 60 * 3) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  if (hours < 24 * 8) return withRest(Math.trunc(hours / 24), 'd', hours % 24, 'h');
  if (hours < 24 * 365 * 2) return `${Math.trunc(hours / 24)}d`;
  if (hours < 24 * 365 * 8) return withRest(Math.trunc(hours / 24 / 365), 'y', Math.trunc(hours / 24) % 365, 'd');
  return `${Math.trunc(hours / 24 / 365)}y`;
}

const withRest = (n: number, unit: string, rest: number, restUnit: string): string =>
  rest === 0 ? `${n}${unit}` : `${n}${unit}${rest}${restUnit}`;

/** A timestamp as an AGE column prints it. Models printers' translateTimestampSince. */
export const ageSince = (stamp: string | undefined, now: Millis): string =>
  stamp === undefined ? '<unknown>' : humanDuration(now - parseTimestamp(stamp));
