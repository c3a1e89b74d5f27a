import { expect, test } from '@jest/globals';
import { printProcTrack, printTrack, type TrackEntry } from './print.js';
import { isForgotten, stateOf } from './state.js';
import type { Track } from './track.js';

const SECOND = 1_000;
const passing = {
  at: 'worker-1',
  from: { source: '10.244.1.5', destination: '10.96.0.9', destinationPort: 80 },
  to: { source: '10.244.1.5', destination: '10.244.2.3', destinationPort: 8080 },
};
const track = (fields: Partial<Track> = {}): Track => ({
  ...{ id: 1, protocol: 'tcp', startedAt: 0, lastAt: 0, bytesSent: 10, bytesReceived: 20, passed: [passing] },
  ...{ decided: '', sent: { source: '10.244.1.5', sourcePort: 40_000, destination: '10.96.0.9', destinationPort: 80 } },
  ...fields,
});
const entryOf = (fields: Partial<Track> = {}): TrackEntry => ({ machine: 'm', track: track(fields), passing });

const ENDS = 'src=10.244.1.5 dst=10.96.0.9 sport=40000 dport=80';
const REPLY = 'src=10.244.2.3 dst=10.244.1.5 sport=8080 dport=40000';

test.each<[string, Partial<Track>, number, string]>([
  ['one that is open', {}, 1, `tcp      6 86398 ESTABLISHED ${ENDS} ${REPLY} [ASSURED] mark=0 use=1`],
  [
    'one that was closed',
    { endedAt: 5 * SECOND, end: 'closed' },
    6,
    `tcp      6 118 TIME_WAIT ${ENDS} ${REPLY} [ASSURED] mark=0 use=1`,
  ],
  ['one that was refused', { endedAt: 0, end: 'reset' }, 1, `tcp      6 8 CLOSE ${ENDS} ${REPLY} mark=0 use=1`],
  [
    'one that nobody answers: the third SYN was sent at 3 s',
    { endedAt: 0, end: 'lost' },
    5,
    `tcp      6 117 SYN_SENT ${ENDS} [UNREPLIED] ${REPLY} mark=0 use=1`,
  ],
  ['a datagram', { protocol: 'udp', bytesReceived: 0 }, 9, `udp      17 20 ${ENDS} [UNREPLIED] ${REPLY} mark=0 use=1`],
  ['its answer', { protocol: 'udp' }, 9, `udp      17 20 ${ENDS} ${REPLY} mark=0 use=1`],
  [
    'a stream of datagrams',
    { protocol: 'udp', lastAt: 9 * SECOND },
    9,
    `udp      17 119 ${ENDS} ${REPLY} [ASSURED] mark=0 use=1`,
  ],
  [
    'an echo',
    { protocol: 'icmp' },
    0,
    'icmp     1 29 src=10.244.1.5 dst=10.96.0.9 type=8 code=0 id=40000 ' +
      'src=10.244.2.3 dst=10.244.1.5 type=0 code=0 id=40000 mark=0 use=1',
  ],
])('%s', (_, fields, seconds, expected) => {
  expect(printTrack(entryOf(fields), seconds * SECOND)).toBe(expected);
});

test('in /proc, and with -o extended', () => {
  expect(printProcTrack(entryOf(), 0)).toBe(
    `ipv4     2 tcp      6 86399 ESTABLISHED ${ENDS} ${REPLY} [ASSURED] mark=0 zone=0 use=2`,
  );
  expect(printTrack(entryOf(), 0, true)).toMatch(/^ipv4 {5}2 tcp/);
});

test.each<[string, Partial<Track>, number, number]>([
  ['an open one after a day', {}, 86_399, 86_400],
  ['a closed one', { endedAt: 0, end: 'closed' }, 119, 120],
  ['a datagram', { protocol: 'udp', bytesReceived: 0 }, 29, 30],
  ['one that nobody answers, after its last SYN', { endedAt: 0, end: 'lost' }, 63, 63 + 120],
])('%s is forgotten', (_, fields, before, after) => {
  expect(isForgotten(track(fields), before * SECOND)).toBe(false);
  expect(isForgotten(track(fields), after * SECOND)).toBe(true);
  expect(stateOf(track(fields), before * SECOND).until).toBeGreaterThan(before * SECOND);
});
