import { expect, test } from '@jest/globals';
import type { Machine } from '../../../../engine/kernel/machine.js';
import { BOOT, exchange, execute, get, logOf, runTo, serverFiles, startServer } from '../../testing.js';

const FILES = serverFiles({ '/agnhost': 'agnhost:agnhost' });

function server(args: readonly string[], fields: object = {}): Machine {
  const { machine } = startServer(FILES, ['/agnhost', ...args], fields);
  runTo(machine, BOOT + 1_000);
  return machine;
}

const post = (machine: Machine, port: number, path: string, body: string): string =>
  exchange(
    machine,
    port,
    `POST ${path} HTTP/1.1\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );

test('fake-gitserver', () => {
  expect(get(server(['fake-gitserver']), 8000, '/a')).toMatchObject({ status: 200, body: 'I am a fake git server' });
});

test('audit-proxy prints events one a line, and refuses what is none', () => {
  const machine = server(['audit-proxy']);
  post(
    machine,
    8080,
    '/',
    '{"kind":"EventList","apiVersion":"audit.k8s.io/v1","items":[{"verb":"get"},{"verb":"list"}]}',
  );
  expect(logOf(machine, 'stdout')).toBe(
    '{"apiVersion":"audit.k8s.io/v1","kind":"Event","verb":"get"}\n{"apiVersion":"audit.k8s.io/v1","kind":"Event","verb":"list"}\n',
  );
  expect(post(machine, 8080, '/', 'no')).toMatch(/^HTTP\/1.1 500 /);
  expect(logOf(machine, 'stderr')).toMatch(/failed decoding buf: \[1101110 1101111\], apiVersion/);
});

test('http-echo', () => {
  const { body } = get(server(['http-echo'], { env: { POD_NAME: 'p' } }), 8080, '/x?y=1', 'X-Own: z\r\n');
  expect(JSON.parse(body)).toEqual({
    ...{ path: '/x?y=1', host: 'test', method: 'GET', proto: 'HTTP/1.1', httpPort: '8080', namespace: '', pod: 'p' },
    headers: { Connection: ['close'], 'X-Own': ['z'] },
  });
});

test('no-snat-test', () => {
  const env = { POD_IP: '127.0.0.1', NODE_IP: '10.0.0.1' };
  const machine = server(['no-snat-test'], { env });
  expect(get(machine, 8080, '/checknosnat?ips=127.0.0.1:8080')).toMatchObject({ status: 200 });
  expect(get(machine, 8080, '/checknosnat?ips=127.0.0.1:9')).toMatchObject({ status: 500 });
  expect(server(['no-snat-test']).container('c1').exit).toMatchObject({ code: 1 });
});

test('grpc-health-checking says what it is told to say', () => {
  const machine = server(['grpc-health-checking', '--service=x', '--delay-unhealthy-sec=100']);
  const check = (service: string): string => {
    const answer = post(machine, 5000, '/grpc.health.v1.Health/Check', service);
    return `${/Grpc-Status: (\d+)/.exec(answer)![1]} ${answer.split('\r\n\r\n')[1]}`;
  };
  expect([check('x'), check('y')]).toEqual(['0 SERVING', '5 ']);
  expect(get(machine, 8080, '/make-not-serving').status).toBe(200);
  expect(check('x')).toBe('0 NOT_SERVING');
  get(machine, 8080, '/make-serving');
  expect(check('x')).toBe('0 SERVING');
  runTo(machine, BOOT + 101_000);
  expect(check('x')).toBe('0 NOT_SERVING');
});

test('resource-consumer uses CPU and memory, and shows metrics', () => {
  const machine = server(['resource-consumer'], { cpuLimit: 500 });
  expect(post(machine, 8080, '/ConsumeCPU', 'millicores=300&durationSec=30')).toMatch(
    /ConsumeCPU\n300 millicores\n30 durationSec\n$/,
  );
  post(machine, 8080, '/ConsumeMem', 'megabytes=100&durationSec=300');
  post(machine, 8080, '/BumpMetric', 'metric=qps&delta=5&durationSec=60');
  expect(get(machine, 8080, '/metrics').body).toBe('# HELP qps info message.\n# TYPE qps gauge\nqps 5.000000\n');
  expect(post(machine, 8080, '/ConsumeCPU', 'millicores=x&durationSec=30')).toMatch(
    / 400 .*incorrect function argument\n$/s,
  );
  expect(get(machine, 8080, '/ConsumeCPU').body).toBe('Bad request. Not a POST request\n');
  runTo(machine, BOOT + 100_000);
  const usage = execute(machine, ['cat', '/sys/fs/cgroup/cpu.stat']).stdout;
  expect(Math.round(Number(/usage_usec (\d+)/.exec(usage)![1]) / 1e6)).toBe(9);
  const memory = Number(execute(machine, ['cat', '/sys/fs/cgroup/memory.current']).stdout);
  expect(Math.floor(memory / 2 ** 20)).toBeGreaterThanOrEqual(110);
});

test('resource-consumer is OOMKilled', () => {
  const machine = server(['resource-consumer'], { memoryLimit: 64 * 2 ** 20 });
  post(machine, 8080, '/ConsumeMem', 'megabytes=100&durationSec=300');
  expect(machine.container('c1').exit).toMatchObject({ outOfMemory: true });
});
