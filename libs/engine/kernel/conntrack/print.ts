import { SECOND, type Millis } from '../../machinery/time/time.js';
import { stateOf } from './state.js';
import type { Passing, Track, Tuple } from './track.js';

/** An entry of one namespace's table. */
export interface TrackEntry {
  /** The machine that remembers it. */
  readonly machine: string;
  readonly track: Track;
  readonly passing: Passing;
}

const NUMBERS = { tcp: 6, udp: 17, icmp: 1 };

export const isSixthTrack = ({ passing: { from } }: TrackEntry): boolean => from.destination.includes(':');
const familyOf = (entry: TrackEntry): string => (isSixthTrack(entry) ? 'ipv6     10 ' : 'ipv4     2 ');

/** What conntrack -L prints of an entry; `isExtended`: with -o extended. */
export function printTrack(entry: TrackEntry, now: Millis, isExtended = false): string {
  return `${isExtended ? familyOf(entry) : ''}${lineOf(entry, now)} mark=0 use=1`;
}

/** A line of /proc/net/nf_conntrack. */
export const printProcTrack = (entry: TrackEntry, now: Millis): string =>
  `${familyOf(entry)}${lineOf(entry, now)} mark=0 zone=0 use=2`;

function lineOf(entry: TrackEntry, now: Millis): string {
  const { protocol } = entry.track;
  const { name, isReplied, isAssured, until } = stateOf(entry.track, now);
  const seconds = Math.max(0, Math.ceil((until - now) / SECOND) - 1);
  const [original, reply] = [originalOf(entry), replyOf(entry)];
  const isPing6 = protocol === 'icmp' && isSixthTrack(entry);
  const [shown, number] = isPing6 ? ['icmpv6', 58] : [protocol, NUMBERS[protocol]];
  const head = `${shown.padEnd(8)} ${number} ${seconds}${name ? ` ${name}` : ''}`;
  const unreplied = isReplied ? '' : ' [UNREPLIED]';
  const print = (tuple: Tuple, type: number): string =>
    protocol === 'icmp' ? printEcho(tuple, type, original.sourcePort) : printTuple(tuple);
  return `${head} ${print(original, isPing6 ? 128 : 8)}${unreplied} ${print(reply, isPing6 ? 129 : 0)}${isAssured ? ' [ASSURED]' : ''}`;
}

export const originalOf = ({ track, passing }: TrackEntry): Tuple => ({
  ...passing.from,
  sourcePort: track.sent.sourcePort,
});

export const replyOf = ({ track, passing: { to } }: TrackEntry): Tuple => ({
  source: to.destination,
  sourcePort: to.destinationPort,
  destination: to.source,
  destinationPort: track.sent.sourcePort,
});

const printTuple = ({ source, destination, sourcePort, destinationPort }: Tuple): string =>
  `src=${source} dst=${destination} sport=${sourcePort} dport=${destinationPort}`;

const printEcho = ({ source, destination }: Tuple, type: number, id: number): string =>
  `src=${source} dst=${destination} type=${type} code=0 id=${id}`;
