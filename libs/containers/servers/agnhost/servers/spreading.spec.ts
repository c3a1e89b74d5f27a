import { expect, test } from '@jest/globals';
import type { Machine } from '../../../../engine/kernel/machine.js';
import { BOOT, exchange, file, get, runTo, serverFiles, startServer } from '../../testing.js';

const CONSUMERS = 'resource-consumer.default.svc.cluster.local';
const FILES = serverFiles(
  { '/agnhost': 'agnhost:agnhost' },
  {
    '/etc/hosts': file(`127.0.0.1\tlocalhost ${CONSUMERS}\n`),
    '/etc/resolv.conf': file(
      'search default.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\n',
    ),
  },
);

function server(args: readonly string[]): Machine {
  const { machine } = startServer(FILES, ['/agnhost', ...args]);
  runTo(machine, BOOT + 1_000);
  return machine;
}

function post(machine: Machine, path: string, body: string): string {
  const head = `POST ${path} HTTP/1.1\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
  return exchange(machine, 8_080, head + body).replace(/^.*?\r\n\r\n/s, '');
}

const CPU = '/ConsumeCPU';
const CPU_FORM = 'millicores=250&durationSec=10&requestSizeMillicores=100';

test.each([
  [
    ...[CPU, CPU_FORM, []],
    'RC manager: sending 2 requests to consume 100 millicores each and 1 request to consume 50 millicores\n' +
      'Consumed 100 millicores\nConsumed 100 millicores\nConsumed 50 millicores\n',
  ],
  [
    ...['/BumpMetric', 'metric=qps&delta=5&durationSec=9&requestSizeMetrics=5', []],
    'RC manager: sending 1 requests to bump custom metric by 5 each and 1 request to bump by 0\nBumped metric qps by 5\n',
  ],
  [
    ...[CPU, CPU_FORM, ['--consumer-port=9']],
    'RC manager: sending 2 requests to consume 100 millicores each and 1 request to consume 50 millicores\n' +
      `Failed to connect to consumer: Post "http://${CONSUMERS}:9/ConsumeCPU": dial tcp 127.0.0.1:9: connect: connection refused\n`.repeat(
        3,
      ),
  ],
  [CPU, 'millicores=1&durationSec=1', [], 'not given function argument\n'],
  [CPU, 'millicores=x&durationSec=1&requestSizeMillicores=1', [], 'incorrect function argument\n'],
  [CPU, 'millicores=1&durationSec=1&requestSizeMillicores=0', [], 'incorrect function argument\n'],
  ['/Nope', '', [], 'unknown function\n'],
] as [string, string, string[], string][])('resource-consumer-controller: %s %s %j', (path, body, args, words) => {
  expect(post(server(['resource-consumer-controller', ...args]), path, body)).toBe(words);
});

test('no-snat-test-proxy says whom it does not reach', () => {
  const url = 'http://127.0.0.1:9/checknosnat?ips=a';
  const machine = server(['no-snat-test-proxy', '--port=8080']);
  expect(get(machine, 8_080, '/checknosnat?target=127.0.0.1:9&ips=a')).toMatchObject({
    status: 500,
    body: `error querying "${url}", err: Get "${url}": dial tcp 127.0.0.1:9: connect: connection refused`,
  });
});

test.each([
  ['netexec', 'TERM', 0],
  ['test-webserver', 'TERM', 2],
  ['test-webserver', 'INT', 2],
  ['pause', 'TERM', 2],
  ['logs-generator', 'TERM', 2],
] as const)('%s ends at SIG%s', (command, signal, code) => {
  const args = command === 'logs-generator' ? ['-t', '9', '-d', '1h'] : [];
  const machine = server([command, ...args]);
  machine.signal('c1', signal, machine.now);
  runTo(machine, machine.now + 100);
  expect(machine.container('c1').exit?.code).toBe(code);
});

test('netexec ends as late as it is told', () => {
  const machine = server(['netexec', '--delay-shutdown=5']);
  machine.signal('c1', 'TERM', machine.now);
  expect(get(machine, 8_080, '/readyz')).toMatchObject({ status: 503, body: 'shutting down' });
  expect(machine.container('c1').exit).toMatchObject({ code: 0, at: BOOT + 6_000 });
});
