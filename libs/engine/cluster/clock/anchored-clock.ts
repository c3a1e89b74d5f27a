import { parseTimestamp, type Millis } from '../../machinery/time/time.js';
import { anchorAt, type ClockLike } from './clock.js';

/** Which virtual time a real time was; both in ms since the epoch. */
export interface Anchor {
  readonly virtual: Millis;
  readonly real: Millis;
}

/**
 * The Clock of a cluster that goes on from a past moment of another one's log. Of the Clock's own anchors and the
 * cluster's the later holds: until the Clock is turned again, time runs on from that moment.
 */
export function anchoredClock(clock: ClockLike | undefined, anchor: Anchor | undefined): ClockLike | undefined {
  if (!anchor) return clock;
  const turned = clock?.status?.real;
  if (turned && parseTimestamp(turned) >= anchor.real) return clock;
  return { spec: clock?.spec ?? {}, status: anchorAt(anchor.virtual, anchor.real) };
}
