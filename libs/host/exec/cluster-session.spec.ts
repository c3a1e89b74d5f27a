import { describe, expect, test } from '@jest/globals';
import type { PortForwardResponse, SessionResponse } from '@terrarium/engine';
import { MemoryAnnouncements, type ClusterHost } from '../index.js';
import { ID, createStore, openHost, openHostWithWrites, send, waitUntil } from '../testing.js';

const reference = { namespace: '', pod: 'a', uid: 'u', id: '1' };
const streams = { container: 'c', stdin: true, stdout: true, stderr: false, tty: false };

/** In the toy's cluster each input adds one to the counter of its pod, and a session prints its counter. */
const opened: SessionResponse = {
  type: 'session',
  status: 101,
  headers: {},
  opened: { session: reference },
  streams,
  command: ['sh'],
};
const target: PortForwardResponse = {
  type: 'portforward',
  status: 101,
  headers: {},
  target: { namespace: 'default', pod: 'a', uid: 'u' },
  ports: [],
};

/** A session of the host, and what it has printed. */
function open(host: ClusterHost): {
  readonly session: NonNullable<ReturnType<ClusterHost['session']>['session']>;
  out(): string;
} {
  const { session } = host.session(ID, opened);
  let out = '';
  session!.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  return { session: session!, out: () => out };
}

describe('a session', () => {
  test('has its input in the log, and prints what follows', async () => {
    const store = await createStore();
    const { host } = openHost(store);
    const { session, out } = open(host);
    session.stdin.write('key');
    await waitUntil(() => out() === 'x');
    session.stdin.write('key');
    await waitUntil(() => out() === 'xx');
    expect((await store.cluster(ID))!.head).toBe(2);
    session.close();
    await session.end;
  });

  test('prints what the inputs of another process have led to', async () => {
    const store = await createStore();
    const hub = new MemoryAnnouncements();
    const [{ host: near }, { host: far }] = [openHost(store, hub.announcer()), openHost(store, hub.announcer())];
    const { session, out } = open(near);
    await waitUntil(() => near.gauges().listeners === 1);
    await send(far, 'POST', '/a');
    await waitUntil(() => out() === 'x');
    await send(far, 'POST', '/b');
    session.close();
  });

  test('is taken up by another process: what has been printed is there', async () => {
    const store = await createStore();
    const { host } = openHost(store);
    const before = open(host);
    before.session.stdin.write('key');
    await waitUntil(() => before.out() === 'x');
    await host.close();
    expect(await before.session.end).toEqual({ type: 'closed' });
    const after = open(openHost(store).host);
    after.session.stdin.write('key');
    await waitUntil(() => after.out() === 'xx');
    after.session.close();
  });

  test('goes on when its cluster was unloaded to make room', async () => {
    const store = await createStore();
    await store.createCluster({ id: 'other', tenantId: 'acme', settings: {}, nodes: 0, createdAt: 0 });
    const { host } = openHost(store, undefined, { loadedClusters: 1 });
    const { session, out } = open(host);
    session.stdin.write('key');
    await waitUntil(() => out() === 'x');
    await host.request('other', { method: 'GET', path: '/a', query: '', headers: {}, user: { name: 'u', groups: [] } });
    await waitUntil(() => host.metrics.evictions > 0);
    session.stdin.write('key');
    await waitUntil(() => out() === 'xx');
    session.close();
  });

  test('ends with its cluster', async () => {
    const { host } = openHost(await createStore());
    const { session } = open(host);
    await waitUntil(() => host.gauges().listeners === 1);
    await host.deleteCluster(ID);
    expect(await session.end).toEqual({ type: 'closed' });
    expect(host.gauges().listeners).toBe(0);
  });

  test('in which the engine throws ends with 500, and the other requests are served', async () => {
    const host = await openHostWithWrites(await createStore(), 1);
    const { session } = open(host);
    session.stdin.write('crash');
    expect(await session.end).toMatchObject({ type: 'error', error: { code: 500, reason: 'InternalError' } });
    expect(await send(host, 'GET', '/a')).toMatchObject({ status: 200 });
  });

  test('leaves no listener behind', async () => {
    const { host } = openHost(await createStore());
    const { session } = open(host);
    await waitUntil(() => host.gauges().listeners === 1);
    session.close();
    await session.end;
    expect(host.gauges().listeners).toBe(0);
  });
});

describe('ports', () => {
  test('of a server that no request changes are dialed, and nothing is appended', async () => {
    const store = await createStore();
    const { host } = openHost(store);
    const ports = host.ports(ID, target);
    expect(await ports.connect(80)).toEqual({ type: 'http' });
    const request = { scheme: 'http', port: 80, method: 'GET', path: '/x', headers: {}, body: '' } as const;
    expect(await ports.send(request)).toEqual({ status: 200, body: '/x' });
    expect((await store.cluster(ID))!.head).toBe(0);
  });

  test('take a seat of their tenant', async () => {
    const { host } = openHost(await createStore(), undefined, { seats: 1 });
    await host.fairQueue.acquire('acme');
    let isConnected = false;
    const connecting = host
      .ports(ID, target)
      .connect(80)
      .then(() => (isConnected = true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isConnected).toBe(false);
    host.fairQueue.release('acme');
    await connecting;
  });
});
