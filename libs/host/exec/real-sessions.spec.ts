import { afterEach, describe, expect, test } from '@jest/globals';
import {
  Cluster,
  defaultWorkers,
  makeTemplate,
  type ApiRequest,
  type BodyResponse,
  type SessionResponse,
} from '@terrarium/engine';
import { MemoryLogStore, templateOwner } from '@terrarium/store';
import { boxCatalog } from '../../testkit/beds/box-image.js';
import { ClusterHost, MemoryAnnouncements, encodeCheckpoint, type ContainerSession } from '../index.js';
import { range } from '../testing.js';

const USER = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const PODS = '/api/v1/namespaces/default/pods';
const WAIT_MS = 20_000;
const TEST_MS = 60_000;
const template = makeTemplate({ workers: defaultWorkers(1), speed: 'instant' }, boxCatalog);

const hosts: ClusterHost[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

/** A cluster whose processes come and go: all that lasts is in the store. */
class Bed {
  readonly store = new MemoryLogStore();
  private readonly hub = new MemoryAnnouncements();

  static async start(): Promise<Bed> {
    const bed = new Bed();
    await bed.store.saveCheckpoint(templateOwner('box'), template.revision, await encodeCheckpoint(template));
    await bed.store.createCluster({
      id: 'c',
      tenantId: 'acme',
      settings: {},
      nodes: 0,
      createdAt: Date.now(),
      base: { template: 'box', revision: template.revision },
    });
    return bed;
  }

  open(): ClusterHost {
    const host = new ClusterHost({
      store: this.store,
      announcer: this.hub.announcer(),
      loadEngine: () => new Cluster({ seed: 'c', images: boxCatalog, tokenKey: 'key' }),
      onCommitted: (id) => void host.advance(id),
    });
    hosts.push(host);
    return host;
  }
}

async function send(host: ClusterHost, method: string, path: string, body?: object): Promise<any> {
  const bytes = body && Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json' };
  const request: ApiRequest = { method, path, query: '', headers, user: USER, body: bytes };
  return JSON.parse(((await host.request('c', request)) as BodyResponse).body as string);
}

async function until(isDone: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + WAIT_MS;
  while (!(await isDone())) {
    if (Date.now() > end) throw new Error('too late');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function run(host: ClusterHost, name: string, command: string[]): Promise<void> {
  const spec = { containers: [{ name: 'main', image: 'busybox:1.37', command }], terminationGracePeriodSeconds: 0 };
  await send(host, 'POST', PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
  await until(async () => {
    await host.advance('c');
    return (await send(host, 'GET', `${PODS}/${name}`)).status.phase === 'Running';
  });
}

async function exec(host: ClusterHost, pod: string, query: string): Promise<SessionResponse> {
  const headers = { connection: 'Upgrade', upgrade: 'websocket' };
  const request = { method: 'GET', path: `${PODS}/${pod}/exec`, query, headers, user: USER };
  const response = await host.request('c', request);
  expect(response).toMatchObject({ type: 'session', opened: { session: { pod } } });
  return response as SessionResponse;
}

/** A session, and what it has printed. */
function attach(host: ClusterHost, response: SessionResponse): { session: ContainerSession; out: () => string } {
  const session = host.session('c', response).session!;
  let out = '';
  session.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  return { session, out: () => out };
}

describe('a shell', () => {
  test(
    'is taken up by another process as it was left, with its variables and what it has printed',
    async () => {
      const bed = await Bed.start();
      const first = bed.open();
      await run(first, 'shell', ['sleep', '100000']);
      const response = await exec(first, 'shell', 'command=sh&stdin=1&stdout=1&tty=1');
      const before = attach(first, response);
      before.session.stdin.write('x=41\recho begun\r');
      await until(() => before.out().includes('\r\nbegun\r\n'));
      await first.close();
      const after = attach(bed.open(), response);
      after.session.stdin.write('echo $((x + 1))\r');
      await until(() => after.out().includes('\r\n42\r\n'));
      after.session.stdin.write('exit 5\r');
      expect(await after.session.end).toEqual({ type: 'exit', code: 5 });
    },
    TEST_MS,
  );

  test(
    'has 100 lines typed at once, each of which runs once and in order',
    async () => {
      const host = (await Bed.start()).open();
      await run(host, 'shell', ['sleep', '100000']);
      const { session, out } = attach(host, await exec(host, 'shell', 'command=sh&stdin=1&stdout=1'));
      for (const i of range(1, 100)) session.stdin.write(`echo ${i}\n`);
      session.stdin.end();
      expect(await session.end).toEqual({ type: 'exit', code: 0 });
      expect(out()).toBe(
        range(1, 100)
          .map((i) => `${i}\n`)
          .join(''),
      );
    },
    TEST_MS,
  );

  test(
    'whose client has left is hung up on, and its files stay',
    async () => {
      const host = (await Bed.start()).open();
      await run(host, 'shell', ['sleep', '100000']);
      const { session, out } = attach(host, await exec(host, 'shell', 'command=sh&stdin=1&stdout=1&tty=1'));
      session.stdin.write('echo kept > /tmp/file; echo written\r');
      await until(() => out().includes('\r\nwritten\r\n'));
      session.close();
      const next = attach(host, await exec(host, 'shell', 'command=cat&command=/tmp/file&stdout=1'));
      expect(await next.session.end).toEqual({ type: 'exit', code: 0 });
      await until(() => next.out() !== '');
      expect(next.out()).toBe('kept\n');
    },
    TEST_MS,
  );

  test(
    'ends with its pod: 137',
    async () => {
      const host = (await Bed.start()).open();
      await run(host, 'shell', ['sleep', '100000']);
      const { session } = attach(host, await exec(host, 'shell', 'command=sh&stdin=1&stdout=1&tty=1'));
      await send(host, 'DELETE', `${PODS}/shell`, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 });
      expect(await session.end).toEqual({ type: 'exit', code: 137 });
    },
    TEST_MS,
  );
});

test(
  'bytes both ways: 4 MiB through cat, with back-pressure',
  async () => {
    const host = (await Bed.start()).open();
    await run(host, 'pipe', ['sleep', '100000']);
    const { session } = attach(host, await exec(host, 'pipe', 'command=cat&stdin=1&stdout=1'));
    const chunk = Buffer.from(Array.from({ length: 64 * 1024 }, (_, i) => i % 256));
    let received = 0;
    session.stdout.on('data', (bytes: Buffer) => (received += bytes.length));
    for (let i = 0; i < 64; i++)
      if (!session.stdin.write(chunk)) await new Promise((resolve) => session.stdin.once('drain', resolve));
    session.stdin.end();
    expect(await session.end).toEqual({ type: 'exit', code: 0 });
    await until(() => received === 64 * chunk.length);
  },
  TEST_MS,
);

test(
  'a command that prints for ever costs no more than its client reads',
  async () => {
    const host = (await Bed.start()).open();
    await run(host, 'yes', ['sleep', '100000']);
    const response = await exec(host, 'yes', 'command=yes&stdout=1');
    const session = host.session('c', response).session!;
    await until(() => session.stdout.readableLength > 0);
    const appends = host.metrics.appends;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(host.metrics.appends - appends).toBeLessThan(10);
    session.close();
  },
  TEST_MS,
);
