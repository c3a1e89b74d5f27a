import { expect, test } from '@jest/globals';
import { NO_NETWORK, type Network } from '../../../../engine/kernel/network.js';
import { programs as coreutils } from '../../coreutils/index.js';
import { runLine } from '../../testing/run-line.js';
import { programs } from '../index.js';

/** 10.96.0.9 takes what it gets and says nothing; the name server does not answer. */
const network: Network = {
  ...NO_NETWORK,
  connect: (_from, address) =>
    address === '10.96.0.9'
      ? { remote: { answer: () => ({ send: '', close: false }) } }
      : { error: 'ETIMEDOUT', after: 130_000 },
  resolve: () => ({ code: 'SERVFAIL', failure: 'lost', records: [], delay: 5_000 }),
};
const FILES = { '/etc/resolv.conf': 'nameserver 10.96.0.10\n', '/etc/hosts': '127.0.0.1\tlocalhost\n' };
const run = (line: string) => {
  const began = 'began=$(date +%s); ';
  return runLine(TOOLS, `${began}${line}; echo "$? after $(($(date +%s) - began))"`, FILES, {}, { network });
};
const TOOLS = {
  date: coreutils['coreutils:date']!,
  nc: programs['netcat:nc']!,
  bnc: programs['busybox:nc']!,
  curl: programs['curl:curl']!,
};

test.each([
  ['echo x | nc -u -w 2 10.96.0.9 53', '0 after 2\n', ''],
  ['sleep 9 | nc -u -w 2 10.96.0.9 53', '0 after 9\n', ''],
  ['echo x | nc -w 3 10.96.0.9 80', '0 after 3\n', ''],
  ['echo x | bnc -u -w 2 10.96.0.9 53', '0 after 4\n', ''],
  ['sleep 5 | bnc -u -w 2 10.96.0.9 53', '0 after 9\n', ''],
  ['curl -sS -m 2 nosuch', '28 after 2\n', 'curl: (28) Resolving timed out after 2000 milliseconds\n'],
  ['curl -sS --connect-timeout 1 nosuch', '28 after 1\n', 'curl: (28) Resolving timed out after 1000 milliseconds\n'],
])('%s', (line, stdout, stderr) => expect(run(line)).toEqual({ stdout, stderr, code: 0 }));
