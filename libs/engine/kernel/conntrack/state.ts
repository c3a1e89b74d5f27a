import { SECOND, type Millis } from '../../machinery/time/time.js';
import type { Track } from './track.js';

/** How an entry is printed. */
export interface TrackState {
  /** Of TCP only. */
  readonly name?: 'SYN_SENT' | 'ESTABLISHED' | 'TIME_WAIT' | 'CLOSE';
  readonly isReplied: boolean;
  readonly isAssured: boolean;
  /** When it is forgotten, unless something passes before. */
  readonly until: Millis;
}

/** The kernel's, but for established connections, of which kube-proxy sets the time. */
const TIMEOUTS = { SYN_SENT: 120, ESTABLISHED: 86_400, TIME_WAIT: 120, CLOSE: 10 };
const UDP_TIMEOUT = 30 * SECOND;
const UDP_STREAM = { after: 2 * SECOND, timeout: 120 * SECOND };
const ICMP_TIMEOUT = 30 * SECOND;
/** When a SYN without an answer is sent again. */
const RETRIES = [0, 1, 3, 7, 15, 31, 63].map((at) => at * SECOND);

/** What a connection is at a time. Models nf_conntrack_proto_tcp and its neighbours. */
export function stateOf(track: Track, now: Millis): TrackState {
  const { protocol, lastAt, startedAt, bytesReceived } = track;
  const isReplied = track.end !== 'lost' && (protocol === 'tcp' || bytesReceived > 0);
  if (protocol === 'icmp') return { isReplied, isAssured: false, until: lastAt + ICMP_TIMEOUT };
  if (protocol === 'udp') {
    const isAssured = isReplied && lastAt - startedAt > UDP_STREAM.after;
    return { isReplied, isAssured, until: lastAt + (isAssured ? UDP_STREAM.timeout : UDP_TIMEOUT) };
  }
  const name = nameOf(track, now);
  const since = name === 'SYN_SENT' ? startedAt + retryAt(now - startedAt) : (track.endedAt ?? lastAt);
  const isAssured = name === 'ESTABLISHED' || name === 'TIME_WAIT';
  return { name, isReplied: name !== 'SYN_SENT', isAssured, until: since + TIMEOUTS[name] * SECOND };
}

function nameOf({ end, endedAt }: Track, now: Millis): NonNullable<TrackState['name']> {
  if (end === 'lost') return 'SYN_SENT';
  if (endedAt === undefined || endedAt > now) return 'ESTABLISHED';
  return end === 'reset' ? 'CLOSE' : 'TIME_WAIT';
}

const retryAt = (since: Millis): Millis => RETRIES.findLast((at) => at <= since) ?? 0;

/** Nothing but time has to pass for an entry to go. */
export const isForgotten = (track: Track, now: Millis): boolean => stateOf(track, now).until <= now;
