import { microTimestamp, parseTimestamp, type Millis } from '../machinery/time/time.js';

/** What of the Clock object decides the time; anchors say which virtual time a real time was. */
export interface ClockLike {
  readonly spec: { readonly rate?: number; readonly paused?: boolean };
  readonly status?: { readonly virtual?: string; readonly real?: string };
}

/** Without a Clock, or with one that was never turned, virtual time is real time. Whole ms, never before `floor`. */
export function virtualNow(clock: ClockLike | undefined, realMs: Millis, floor: Millis): Millis {
  const anchors = anchorsOf(clock);
  if (!clock || !anchors) return clock?.spec.paused ? floor : Math.max(realMs, floor);
  if (clock.spec.paused) return Math.max(anchors.virtual, floor);
  const passed = Math.max(0, realMs - anchors.real);
  return Math.max(Math.floor(anchors.virtual + passed * (clock.spec.rate ?? 1)), floor);
}

/** The inverse: when a virtual time comes; undefined while paused. */
export function realTimeOf(clock: ClockLike | undefined, virtualMs: Millis, realNow: Millis): Millis | undefined {
  if (clock?.spec.paused) return undefined;
  const anchors = anchorsOf(clock);
  if (!clock || !anchors) return virtualMs;
  return Math.max(realNow, Math.ceil(anchors.real + (virtualMs - anchors.virtual) / (clock.spec.rate || 1)));
}

/** Whether time runs otherwise by the next Clock: it needs new anchors, so that time does not jump. */
export const isTurned = (old: ClockLike | undefined, next: ClockLike): boolean =>
  next !== old &&
  ((old?.spec.rate ?? 1) !== (next.spec.rate ?? 1) || (old?.spec.paused ?? false) !== (next.spec.paused ?? false));

/** The status of a Clock that is turned at this time. */
export const anchorAt = (virtual: Millis, real: Millis): NonNullable<ClockLike['status']> => ({
  virtual: microTimestamp(virtual),
  real: microTimestamp(real),
});

function anchorsOf(clock: ClockLike | undefined): { virtual: Millis; real: Millis } | undefined {
  const { virtual, real } = clock?.status ?? {};
  if (!virtual || !real) return undefined;
  return { virtual: parseTimestamp(virtual), real: parseTimestamp(real) };
}
