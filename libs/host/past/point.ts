import { ApiError } from '@terrarium/engine';

/** A moment of a cluster's past: a revision, and the virtual time (ms) of the look, by default the revision's own. */
export interface PastPoint {
  readonly revision: number;
  readonly now?: number;
}

/** What a user has asked for: a revision, a virtual time (ms), or how long (ms) before the cluster's present. */
export type PointQuery = { readonly revision: number } | { readonly time: number } | { readonly ago: number };

const REVISION = /^\d{1,15}$/;
const AGO = /^-(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,9})s)?$/;
const UNITS_MS = [24 * 60 * 60_000, 60 * 60_000, 60_000, 1_000];
const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;
const MAX_SHOWN = 64;

/** Reads '4711', '2026-11-24T10:00:00Z' (RFC 3339) or '-10m'. Throws ApiError 400. */
export function parsePoint(text: string): PointQuery {
  if (REVISION.test(text)) return { revision: Number(text) };
  const [, ...counts] = text.length > 1 ? (AGO.exec(text) ?? []) : [];
  if (counts.length > 0) return { ago: UNITS_MS.reduce((sum, ms, i) => sum + Number(counts[i] ?? 0) * ms, 0) };
  const time = TIME.test(text) ? Date.parse(text.toUpperCase()) : NaN;
  if (!Number.isNaN(time)) return { time };
  const shown = JSON.stringify(text.slice(0, MAX_SHOWN));
  throw new ApiError(
    400,
    'BadRequest',
    `${shown} is no moment of the past: send a revision, a time (2006-01-02T15:04:05Z), or how long ago (-10m)`,
  );
}
