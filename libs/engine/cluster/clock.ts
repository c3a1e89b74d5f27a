import { parseTimestamp, type Millis } from '../machinery/time/time.js';

/** What of the Clock object decides the time; anchors say which virtual time a real time was. */
export interface ClockLike {
  readonly spec: { readonly rate?: number; readonly paused?: boolean };
  readonly status?: { readonly virtual?: string; readonly real?: string };
}

/** Without a Clock, or with one that was never turned, virtual time is real time. Never before `floor`. */
export function virtualNow(clock: ClockLike | undefined, realMs: Millis, floor: Millis): Millis {
  if (!clock?.status?.virtual || !clock.status.real) return clock?.spec.paused ? floor : Math.max(realMs, floor);
  const anchor = parseTimestamp(clock.status.virtual);
  if (clock.spec.paused) return Math.max(anchor, floor);
  const passed = Math.max(0, realMs - parseTimestamp(clock.status.real));
  return Math.max(anchor + passed * (clock.spec.rate ?? 1), floor);
}

/** The inverse: when a virtual time comes; undefined while paused. */
export function realTimeOf(clock: ClockLike | undefined, virtualMs: Millis, realNow: Millis): Millis | undefined {
  if (clock?.spec.paused) return undefined;
  if (!clock?.status?.virtual || !clock.status.real) return virtualMs;
  const ahead = virtualMs - parseTimestamp(clock.status.virtual);
  return Math.max(realNow, parseTimestamp(clock.status.real) + ahead / (clock.spec.rate || 1));
}
