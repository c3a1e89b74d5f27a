import { expect, test } from '@jest/globals';
import type { Probe } from '../../../api/core_v1.js';
import type { PodHttpRequest } from '../../../machinery/requests/http.js';
import type { Process } from '../../cri/image.js';
import { container, process } from '../testing.js';
import { runProbe } from './prober.js';

const server = process({
  listens: [80],
  readyAfterMs: 1_000,
  serve: ({ path }) => ({ status: path === '/moved' ? 399 : path === '/' ? 200 : 404 }),
  exec: ([command]) =>
    command === 'cat' ? { code: 1, output: "cat: can't open '/tmp/healthy'" } : { code: 0, output: '' },
});
const run = (probe: Probe, sinceStart = 1_000, target: Process = server): string => {
  const own = container('c', { ports: [{ name: 'http', containerPort: 80 }] });
  const { ok, output } = runProbe(probe, { container: own, process: target, podIP: '10.0.0.1' }, sinceStart);
  return ok ? 'success' : output;
};
const refused = (host: string): string => `dial tcp ${host}: connect: connection refused`;

const NO_NUMBER = 'strconv.Atoi: parsing "web": invalid syntax';

test.each<[string, Probe, number, string]>([
  ['HTTP', { httpGet: { port: 80 } }, 1_000, 'success'],
  ['HTTP, a port by its name', { httpGet: { port: 'http' } }, 1_000, 'success'],
  ['HTTP, status 399', { httpGet: { port: 80, path: '/moved' } }, 1_000, 'success'],
  ['HTTP, status 404', { httpGet: { port: 80, path: '/x' } }, 1_000, 'HTTP probe failed with statuscode: 404'],
  [
    'HTTP, before the process is ready',
    { httpGet: { port: 80 } },
    999,
    `Get "http://10.0.0.1:80/": ${refused('10.0.0.1:80')}`,
  ],
  [
    'HTTPS, another host and port',
    { httpGet: { port: 81, host: 'h', scheme: 'HTTPS', path: '/x' } },
    1_000,
    `Get "https://h:81/x": ${refused('h:81')}`,
  ],
  ['TCP', { tcpSocket: { port: 'http' } }, 1_000, 'success'],
  ['TCP, no listener', { tcpSocket: { port: 81 } }, 1_000, refused('10.0.0.1:81')],
  ['TCP, another host', { tcpSocket: { port: 81, host: 'h' } }, 1_000, refused('h:81')],
  ['gRPC', { grpc: { port: 80 } }, 1_000, 'success'],
  [
    'gRPC, no listener',
    { grpc: { port: 9090 } },
    1_000,
    'timeout: failed to connect service "10.0.0.1:9090" within 1s: context deadline exceeded',
  ],
  ['exec', { exec: { command: ['true'] } }, 1_000, 'success'],
  ['exec, exit code 1', { exec: { command: ['cat', '/tmp/healthy'] } }, 1_000, "cat: can't open '/tmp/healthy'"],
  ['exec, before the process is ready', { exec: { command: ['true'] } }, 999, 'command failed'],
  ['no handler', {}, 0, 'success'],
  ['HTTP, a name that no port has', { httpGet: { port: 'web' } }, 1_000, NO_NUMBER],
  ['TCP, a number as text', { tcpSocket: { port: '80' } }, 1_000, 'success'],
])('%s', (_case, probe, sinceStart, expected) => {
  expect(run(probe, sinceStart)).toBe(expected);
});

test.each([
  ['pg_isready', 'success'],
  ['false', 'command failed'],
])('exec of %s in an image that knows no commands: %s', (command, expected) => {
  expect(run({ exec: { command: [command] } }, 1_000, process())).toBe(expected);
});

test.each<[string, Probe, string]>([
  [
    'HTTPS',
    { httpGet: { port: 80, scheme: 'HTTPS' } },
    'Get "https://10.0.0.1:80/": http: server gave HTTP response to HTTPS client',
  ],
  [
    'gRPC',
    { grpc: { port: 80 }, timeoutSeconds: 2 },
    'timeout: failed to connect service "10.0.0.1:80" within 2s: context deadline exceeded',
  ],
])('a web server without TLS does not answer %s', (_case, probe, expected) => {
  const nginx = process({ listens: [80], serve: () => ({ status: 200, headers: { server: 'nginx/1.27.3' } }) });
  expect(run(probe, 1_000, nginx)).toBe(expected);
});

test('a command that cannot be started says nothing of its container', () => {
  const target = process({ isMachine: true, exec: () => ({ code: 126, output: 'why', isUnstarted: true }) });
  const probed = { container: container('c'), process: target, podIP: '10.0.0.1' };
  expect(runProbe({ exec: { command: ['x'] } }, probed, 0)).toEqual({ ok: false, output: 'why', errored: true });
});

test('an HTTP probe says who it is, and sends the headers of the spec', () => {
  const requests: PodHttpRequest[] = [];
  const target = process({ serve: (request) => (requests.push(request), { status: 200 }) });
  run({ httpGet: { port: 80, path: '/ready', httpHeaders: [{ name: 'X-Own', value: '1' }] } }, 1_000, target);
  expect(requests).toEqual([
    {
      scheme: 'http',
      port: 80,
      method: 'GET',
      path: '/ready',
      headers: { 'user-agent': 'kube-probe/1.36', 'x-own': '1' },
      body: '',
    },
  ]);
});
