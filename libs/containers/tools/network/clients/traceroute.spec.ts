import { expect, test } from '@jest/globals';
import { NO_NETWORK, type Network } from '../../../../engine/kernel/network.js';
import { programs as coreutils } from '../../coreutils/index.js';
import { runLine } from '../../testing/run-line.js';
import { programs } from '../index.js';

const ETH0 = { name: 'eth0', index: 2, addresses: ['10.244.1.7/24'], mac: '0a:00:00:00:00:02', mtu: 1_500, isUp: true };
/** Pods answer, a Service's address does not. */
const network: Network = {
  ...NO_NETWORK,
  interfaces: () => [...NO_NETWORK.interfaces(), ETH0],
  routes: () => [
    { destination: 'default', gateway: '10.244.1.1', device: 'eth0' },
    { destination: '10.244.1.0/24', gateway: '10.244.1.1', device: 'eth0' },
  ],
  connect: (_from, address) =>
    address.startsWith('10.244.') ? { error: 'ECONNREFUSED', after: 0 } : { error: 'ETIMEDOUT', after: 130_000 },
};
const FILES = { '/etc/hosts': '127.0.0.1\tlocalhost\n10.244.2.9\tfar\n' };
const GNU = { traceroute: programs['traceroute:traceroute']!, date: coreutils['coreutils:date']! };
const BUSYBOX = { traceroute: programs['busybox:traceroute']!, date: coreutils['coreutils:date']! };

/** Times of answers differ each time. */
const mask = (text: string): string => text.replace(/\d\.\d{3} ms/g, 'T');
const HEAD = (host: string, most = 30, size = 60) => `traceroute to ${host}, ${most} hops max, ${size} byte packets\n`;

test.each([
  [
    GNU,
    'traceroute far',
    `${HEAD('far (10.244.2.9)')} 1  10.244.1.1 (10.244.1.1)  T  T  T\n 2  * * *\n 3  10.244.2.9 (10.244.2.9)  T  T  T\n`,
  ],
  [GNU, 'traceroute -n -q 1 10.244.1.9', `${HEAD('10.244.1.9 (10.244.1.9)')} 1  10.244.1.1  T\n 2  10.244.1.9  T\n`],
  [GNU, 'traceroute -n localhost', `${HEAD('localhost (127.0.0.1)')} 1  127.0.0.1  T  T  T\n`],
  [
    BUSYBOX,
    'traceroute -n -m 3 10.96.0.9',
    `${HEAD('10.96.0.9 (10.96.0.9)', 3, 46)} 1  10.244.1.1  T  T  T\n 2  *  *  *\n 3  *  *  *\n`,
  ],
])('%# %s', (tools, line, stdout) => {
  const outcome = runLine(tools, line, FILES, {}, { network });
  expect({ ...outcome, stdout: mask(outcome.stdout) }).toEqual({ stdout, stderr: '', code: 0 });
});

test.each([
  [GNU, '5'],
  [BUSYBOX, '9'],
])('%# waits for who does not answer', (tools, seconds) => {
  const line = 'began=$(date +%s); traceroute -m 2 10.96.0.9 >/dev/null; echo $(($(date +%s) - began))';
  expect(runLine(tools, line, FILES, {}, { network }).stdout).toBe(`${seconds}\n`);
});

test.each([
  [
    GNU,
    'traceroute nosuch',
    'nosuch: Temporary failure in name resolution\nCannot handle "host" cmdline arg `nosuch\' on position 1 (argc 1)\n',
    2,
  ],
  [BUSYBOX, 'traceroute nosuch', "traceroute: bad address 'nosuch'\n", 1],
])('%# %s', (tools, line, stderr, code) =>
  expect(runLine(tools, line, FILES, {}, { network })).toEqual({ stdout: '', stderr, code }),
);
