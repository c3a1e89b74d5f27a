import { expect, test } from '@jest/globals';
import type { TrackEntry } from '../../../engine/kernel/conntrack/print.js';
import { NO_NETWORK } from '../../../engine/kernel/network.js';
import { BOOT } from '../../../engine/kernel/testing.js';
import { runLine } from '../testing/run-line.js';
import type { Outcome } from '../testing/run-tool.js';
import { conntrack } from './conntrack.js';

const from = { source: '10.244.1.5', destination: '10.96.0.9', destinationPort: 80 };
const entry = (protocol: 'tcp' | 'udp', to: Partial<typeof from>): TrackEntry => {
  const passing = { at: 'n', from, to: { ...from, ...to } };
  const sent = { ...from, sourcePort: 40_000 };
  const times = { startedAt: BOOT, lastAt: BOOT, bytesSent: 1, bytesReceived: 1 };
  return { machine: 'm', passing, track: { id: 1, protocol, passed: [passing], decided: '', sent, ...times } };
};
const ENTRIES = [entry('tcp', { destination: '10.244.2.3' }), entry('udp', {})];
const TAIL = 'flow entries have been';
const NAME = 'conntrack v1.4.8 (conntrack-tools):';

const run = (line: string, capabilities = ['NET_ADMIN']): Outcome & { readonly left: number } => {
  const table = [...ENTRIES];
  const forget = (one: TrackEntry): void => void table.splice(table.indexOf(one), 1);
  const outcome = runLine(
    { conntrack },
    line,
    {},
    { capabilities },
    {
      network: { ...NO_NETWORK, tracked: () => [...table], forget },
    },
  );
  return { ...outcome, left: table.length };
};

test.each<[string, string, string, number, number]>([
  ['conntrack -C', '2\n', '', 0, 2],
  ['conntrack -L | wc -l', '2\n', `${NAME} 2 ${TAIL} shown.\n`, 0, 2],
  ['conntrack -L -p udp --dport 80 | wc -l', '1\n', `${NAME} 1 ${TAIL} shown.\n`, 0, 2],
  ['conntrack -L --dst-nat | wc -l', '1\n', `${NAME} 1 ${TAIL} shown.\n`, 0, 2],
  ['conntrack -L -n', '', `${NAME} 0 ${TAIL} shown.\n`, 0, 2],
  [
    'conntrack -L --state established -s 10.244.1.5 -q 10.244.1.5 -r 10.244.2.3 | wc -l',
    '1\n',
    `${NAME} 1 ${TAIL} shown.\n`,
    0,
    2,
  ],
  ['conntrack -D -p udp >/dev/null', '', `${NAME} 1 ${TAIL} deleted.\n`, 0, 1],
  ['conntrack -D -p icmp', '', `${NAME} 0 ${TAIL} deleted.\n`, 1, 2],
  ['conntrack -F', '', `${NAME} connection tracking table has been emptied.\n`, 0, 0],
  ['conntrack -L expect', '', `${NAME} 0 ${TAIL} shown.\n`, 0, 2],
  ['conntrack -E', '', 'conntrack: -E is not simulated here\n', 1, 2],
  ['conntrack -V', 'conntrack v1.4.8 (conntrack-tools)\n', '', 0, 2],
])('%s', (line, stdout, stderr, code, left) => {
  expect(run(line)).toEqual({ stdout, stderr, code, left });
});

test('who may not', () => {
  expect(run('conntrack -L', [])).toMatchObject({ code: 1, stderr: expect.stringMatching('Operation not permitted') });
});
