import { beforeEach, describe, expect, test } from '@jest/globals';
import { Cluster, defaultWorkers, kinds, makeTemplate, type Kind } from '@terrarium/engine';
import type { ImageSpec } from '../../engine/kinds/terrarium/image/spec.js';
import { catalog } from '../index.js';
import { programs } from '../programs/index.js';
import { exchange, execute, get, logOf, runTo, startImage } from '../servers/testing.js';
import { authoredImage } from './image.js';

const start = (spec: ImageSpec, fields: object = {}) => startImage(authoredImage(spec), programs, fields);

describe('an image with a script', () => {
  test('the script is the main program', () => {
    const machine = start({
      base: 'busybox',
      env: [{ name: 'COLOR', value: 'red' }],
      files: [{ path: '/etc/shop/a.txt', content: 'grüße\n', mode: 0o640 }],
      workingDir: '/app',
      entrypoint: 'pwd; echo $COLOR; cat /etc/shop/a.txt; stat -c %a /etc/shop/a.txt; exit 3',
    });
    runTo(machine, machine.now + 1_000);
    expect(Buffer.from(logOf(machine, 'stdout'), 'latin1').toString()).toBe('/app\nred\ngrüße\n640\n');
    expect(machine.container('c1').exit).toMatchObject({ code: 3 });
  });

  test('beside a server it reads files and runs commands in substitutions', () => {
    const machine = start({
      ...{ base: 'alpine', ports: [{ port: 80 }], files: [{ path: '/etc/menu', content: 'tea\ncake\n' }] },
      entrypoint: 'echo "$(wc -l < /etc/menu) dishes"',
    });
    runTo(machine, machine.now + 1_000);
    expect(logOf(machine, 'stdout')).toBe('2 dishes\n');
  });

  test('beside a server it ends, and the server goes on', () => {
    const machine = start({ base: 'alpine', entrypoint: 'echo ready', ports: [{ port: 80 }] });
    runTo(machine, machine.now + 1_000);
    expect(logOf(machine, 'stdout')).toBe('ready\n');
    expect(get(machine, 80, '/x')).toMatchObject({ status: 200, body: '' });
  });

  test('beside a server it fails, and so does the container', () => {
    const machine = start({ base: 'alpine', entrypoint: 'sleep 2; exit 4', ports: [{ port: 80 }] });
    runTo(machine, machine.now + 3_000);
    expect(machine.container('c1').exit).toMatchObject({ code: 4 });
  });

  test('scratch has no shell', () => {
    const machine = start({ base: 'scratch', entrypoint: 'echo', ports: [] });
    runTo(machine, machine.now + 1_000);
    expect(logOf(machine, 'stderr')).toBe('image-server: /entrypoint.sh: No such file or directory\n');
    expect(machine.container('c1').exit).toMatchObject({ code: 127 });
  });
});

describe('an image with ports', () => {
  const answers = [
    { path: '/cart', method: 'POST', status: 201, body: '{"id":1}', headers: { 'X-Shop': 'yes' } },
    { path: '/slow', delay: '2s', body: 'late' },
    { path: '/api/*', status: 503, body: 'busy' },
  ];
  const spec: ImageSpec = { base: 'distroless', startup: '3s', ports: [{ port: 8080, answers }] };

  test.each([
    ['GET', '/slow', 'HTTP/1.1 200 OK', 'late'],
    ['POST', '/cart', 'HTTP/1.1 201 Created', '{"id":1}'],
    ['GET', '/cart', 'HTTP/1.1 404 Not Found', '404 page not found\n'],
    ['GET', '/api/v1/x?y=1', 'HTTP/1.1 503 Service Unavailable', 'busy'],
  ])('%s %s', (method, path, status, body) => {
    const machine = start(spec);
    runTo(machine, machine.now + 4_000);
    const received = exchange(machine, 8080, `${method} ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    expect([received.split('\r\n')[0], received.split('\r\n\r\n')[1]]).toEqual([status, body]);
  });

  test('it listens when it has started, and has its headers', () => {
    const machine = start(spec);
    const since = machine.now + 3_000;
    runTo(machine, since - 100);
    expect(machine.container('c1').listening).toEqual([]);
    runTo(machine, since);
    expect(machine.container('c1').listening).toEqual([{ port: 8080, protocol: 'tcp', since }]);
    expect(exchange(machine, 8080, 'POST /cart HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
      /\r\nContent-Type: application\/json\r\nX-Shop: yes\r\n/,
    );
  });

  test('SIGTERM ends it', () => {
    const machine = start(spec);
    runTo(machine, machine.now + 4_000);
    machine.signal('c1', 'TERM', machine.now);
    runTo(machine, machine.now);
    expect(machine.container('c1').exit).toMatchObject({ code: 0 });
  });
});

describe('what an image uses', () => {
  const MB = 2 ** 20;

  test('an end of its own', () => {
    const machine = start({ exit: { after: '10s', code: 7 } });
    const begun = machine.now;
    runTo(machine, begun + 20_000);
    const { exit } = machine.container('c1');
    expect([exit?.code, Math.floor((exit!.at - begun) / 100)]).toEqual([7, 100]);
  });

  test('a leak is killed when it reaches the limit', () => {
    const machine = start({ leak: '1Mi', memory: '10Mi' }, { memoryLimit: 64 * MB });
    const begun = machine.now;
    runTo(machine, begun + 600_000);
    const { exit } = machine.container('c1');
    expect(exit).toMatchObject({ outOfMemory: true });
    expect(exit!.at - begun).toBeGreaterThan(45_000);
    expect(exit!.at - begun).toBeLessThan(60_000);
  });

  test('requests queue for the CPU, which counts', () => {
    const machine = start({ load: { cpu: '100ms' }, ports: [{ port: 80 }] }, { cpuLimit: 200 });
    runTo(machine, machine.now + 1_000);
    const sessions = [1, 2, 3].map(() => machine.connect(80, machine.now));
    const at = machine.now;
    for (const session of sessions) machine.input(session, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', at);
    runTo(machine, at + 1_200);
    expect(sessions.map((session) => machine.output(session).stdout !== '')).toEqual([true, true, false]);
    runTo(machine, at + 2_000);
    const stat = execute(machine, ['cat', '/sys/fs/cgroup/cpu.stat']).stdout;
    expect(Number(/usage_usec (\d+)/.exec(stat)![1])).toBeGreaterThanOrEqual(300_000);
  });

  test('requests that hold too much memory end it', () => {
    const answers = [{ delay: '10s' }];
    const machine = start({ load: { memory: '20Mi' }, ports: [{ port: 80, answers }] }, { memoryLimit: 50 * MB });
    runTo(machine, machine.now + 100);
    for (let i = 0; i < 3; i++) {
      machine.input(machine.connect(80, machine.now), 'GET / HTTP/1.1\r\n\r\n', machine.now);
    }
    runTo(machine, machine.now + 1_000);
    expect(machine.container('c1').exit).toMatchObject({ outOfMemory: true });
  });
});

describe('in a cluster', () => {
  const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
  const template = makeTemplate({ workers: defaultWorkers(1), speed: 'realistic' }, catalog);
  const kind = (name: string): Kind =>
    kinds.find((k) => k.kind === name && (k.group === '' || k.group === 'terrarium.dev'))!;
  let cluster: Cluster;

  beforeEach(() => {
    cluster = new Cluster({ seed: 'authored', images: catalog, strict: true });
    cluster.load(template);
  });

  const runPod = (image: string): { state: object; events: string[] } => {
    const client = cluster.client(ADMIN);
    const metadata = { name: 'shop', namespace: 'default' };
    client.create(kind('Pod'), {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: { containers: [{ name: 'c', image }] },
    } as never);
    cluster.advance(cluster.state.now + 40_000);
    const pod = client.get(kind('Pod'), metadata) as unknown as { status: { containerStatuses: { state: object }[] } };
    const events = client.list(kind('Event'), 'default') as unknown as { reason: string; message: string }[];
    return {
      state: pod.status.containerStatuses[0]!.state,
      events: events.map(({ reason, message }) => `${reason}: ${message}`),
    };
  };

  test('a pod runs it', () => {
    const spec = { repository: 'ghcr.io/acme/shop', exit: { after: '5s', code: 9 } };
    cluster.client(ADMIN).create(kind('Image'), { metadata: { name: 'shop' }, spec } as never);
    const { state, events } = runPod('ghcr.io/acme/shop:v1');
    expect(JSON.stringify(state)).toMatch(/"(?:CrashLoopBackOff|exitCode":9)/);
    expect(events.filter((event) => event.startsWith('SimulatedImage'))).toEqual([]);
  });

  test('an image that nobody knows says that it is simulated', () => {
    expect(runPod('example.com/acme/cart:v1').events).toContain(
      'SimulatedImage: Image "example.com/acme/cart:v1" is not in the catalogue of this simulation: the container runs as some server that listens on its declared ports',
    );
  });
});
