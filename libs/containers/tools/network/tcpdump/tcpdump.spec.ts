import { expect, test } from '@jest/globals';
import { NO_NETWORK, type Network } from '../../../../engine/kernel/network.js';
import { runLine } from '../../testing/run-line.js';
import { programs } from '../index.js';

/** 10.96.0.8:80 answers every request with 'ok'; nothing else is there. */
const network: Network = {
  ...NO_NETWORK,
  connect: (_from, address) =>
    address === '10.96.0.8'
      ? { remote: { answer: () => ({ send: 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nok\n', close: true }) } }
      : { error: 'ECONNREFUSED', after: 0 },
};
const TOOLS = {
  ...{ tcpdump: programs['tcpdump:tcpdump']!, nc: programs['netcat:nc']!, curl: programs['curl:curl']! },
};
const FILES = { '/etc/resolv.conf': 'nameserver 10.96.0.10\n', '/etc/hosts': '127.0.0.1\tlocalhost\n' };
const run = (line: string) => runLine(TOOLS, line, FILES, {}, { network });
/** Without what differs from run to run of the real one, too: numbers and ports. */
const plain = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) =>
      line
        .replace(/seq \d+/, 'seq N')
        .replace(/ack \d{4,}/, 'ack N')
        .replace(/127\.0\.0\.1\.\d{5}/g, 'C'),
    );

test('a connection within the pod, from its handshake to its end', () => {
  const { stdout, stderr } = run(
    'tcpdump -t -nn -i lo -c 7 tcp port 8080 & sleep 1; sleep 9 | nc -l 8080 >/dev/null & sleep 1; echo hi | nc -N 127.0.0.1 8080; wait %1',
  );
  expect(plain(stdout).slice(0, 5)).toEqual([
    'IP C > 127.0.0.1.8080: Flags [S], seq N, win 64240, options [mss 1460,nop,nop,sackOK,nop,wscale 7], length 0',
    'IP 127.0.0.1.8080 > C: Flags [S.], seq N, ack N, win 64240, options [mss 1460,nop,nop,sackOK,nop,wscale 7], length 0',
    'IP C > 127.0.0.1.8080: Flags [.], ack 1, win 502, length 0',
    'IP C > 127.0.0.1.8080: Flags [P.], seq N:4, ack 1, win 502, length 3',
    'IP 127.0.0.1.8080 > C: Flags [.], ack 4, win 502, length 0',
  ]);
  expect(stderr).toContain(
    'tcpdump: verbose output suppressed, use -v[v]... for full protocol decode\n' +
      'listening on lo, link-type EN10MB (Ethernet), snapshot length 262144 bytes\n',
  );
  expect(stderr).toContain('7 packets captured\n7 packets received by filter\n0 packets dropped by kernel\n');
});

test.each([
  ['curl -s 10.96.0.8', 'tcp port 80', ['HTTP: GET / HTTP/1.1', 'HTTP: HTTP/1.1 200 OK']],
  ['nc -z 10.96.0.9 81', 'tcp', ['Flags [S]', 'Flags [R.]']],
])('%s', (command, filter, seen) => {
  const { stdout } = run(`tcpdump -n -i any ${filter} & sleep 1; ${command} >/dev/null; sleep 1; kill $!; wait`);
  for (const text of seen) expect(stdout).toContain(text);
});

test.each([
  ['tcpdump -i nowhere', 'tcpdump: nowhere: No such device exists\n(No such device exists)\n', 1],
  ['tcpdump -w /tmp/x', 'tcpdump: -w is not simulated here\n', 1],
  ['tcpdump port', "tcpdump: can't parse filter expression: syntax error\n", 1],
  ['tcpdump -c 0', 'tcpdump: invalid packet count 0\n', 1],
])('%s', (line, stderr, code) => expect(run(line)).toEqual({ stdout: '', stderr, code }));

test('nobody who may not look does', () => {
  const { stderr, code } = runLine(TOOLS, 'tcpdump', FILES, { capabilities: [] }, { network });
  expect([stderr, code]).toEqual([
    expect.stringContaining("You don't have permission to perform this capture on that device\n"),
    1,
  ]);
});
