import { microTimestamp, parseTimestamp, type Millis } from '../../machinery/time/time.js';

/** What of the Clock object decides the time; anchors say which virtual time a real time was. */
export interface ClockLike {
  readonly spec: { readonly rate?: number; readonly paused?: boolean; readonly asFastAsPossible?: boolean };
  readonly status?: { readonly virtual?: string; readonly real?: string };
}

/** Without a Clock, or with one that was never turned, virtual time is real time. Whole ms, never before `floor`. */
export function virtualNow(clock: ClockLike | undefined, realMs: Millis, floor: Millis): Millis {
  const anchors = anchorsOf(clock);
  if (!clock || !anchors) return clock?.spec.paused ? floor : Math.max(realMs, floor);
  if (clock.spec.paused) return Math.max(anchors.virtual, floor);
  const passed = Math.max(0, realMs - anchors.real);
  return Math.max(Math.floor(anchors.virtual + passed * rateOf(clock)), floor);
}

/** The inverse: when a virtual time comes; undefined while paused. */
export function realTimeOf(clock: ClockLike | undefined, virtualMs: Millis, realNow: Millis): Millis | undefined {
  if (clock?.spec.paused) return undefined;
  if (clock?.spec.asFastAsPossible) return realNow;
  const anchors = anchorsOf(clock);
  if (!clock || !anchors) return virtualMs;
  return Math.max(realNow, Math.ceil(anchors.real + (virtualMs - anchors.virtual) / rateOf(clock)));
}

/** Whether time runs otherwise by the next Clock: it needs new anchors, so that time does not jump. */
export const isTurned = (old: ClockLike | undefined, next: ClockLike): boolean =>
  next !== old &&
  (rateOf(old) !== rateOf(next) || isPaused(old) !== isPaused(next) || isUnbound(old) !== isUnbound(next));

const isPaused = (clock: ClockLike | undefined): boolean => clock?.spec.paused ?? false;
const isUnbound = (clock: ClockLike | undefined): boolean => clock?.spec.asFastAsPossible ?? false;

/** Whoever goes as fast as possible is never slower than real time. */
const rateOf = (clock: ClockLike | undefined): number => (isUnbound(clock) ? 1 : clock?.spec.rate || 1);

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
