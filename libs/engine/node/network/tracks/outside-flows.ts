import type { Track } from '../../../kernel/conntrack/track.js';
import type { Millis } from '../../../machinery/time/time.js';
import { flowOf } from './flow.js';
import { REFUSED } from '../walk/target.js';
import type { Way } from '../walk/way.js';

/** Requests from outside that are remembered. */
const MAX_FLOWS = 100;

/**
 * The latest requests that have come into the cluster from outside. They are no part of its state: a process knows
 * those that it has served.
 */
export class OutsideFlows {
  private readonly tracks: Track[] = [];
  private next = 1;

  note(way: Way, sent: Track['sent'], now: Millis, bytes: Pick<Track, 'bytesSent' | 'bytesReceived'>): void {
    const failed = 'error' in way.end ? way.end.error : undefined;
    const end = failed === undefined ? 'closed' : failed === REFUSED.error ? 'reset' : 'lost';
    const times = { startedAt: now, lastAt: now, endedAt: now };
    this.tracks.push({ id: this.next++, protocol: 'tcp', sent, ...flowOf(way), ...times, end, ...bytes });
    if (this.tracks.length > MAX_FLOWS) this.tracks.shift();
  }

  list(): readonly Track[] {
    return this.tracks;
  }
}
