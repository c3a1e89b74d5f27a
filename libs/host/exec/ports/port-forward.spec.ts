import { describe, expect, test } from '@jest/globals';
import { ApiError } from '@terrarium/engine';
import { WebSocket, createWebSocketStream } from 'ws';
import { waitUntil } from '../../testing.js';
import { ContainerSession } from '../container-session.js';
import { FakeProcess, capitals } from '../fake-process.js';
import type { PortDialer } from './port-dialer.js';
import { SpdyClient } from '../spdy/testing.js';
import { connectChannels, connectSpdy, serveUpgrades } from '../upgrades/testing.js';
import { acceptPortForward } from '../websocket/websocket.js';

const REFUSED = 'error forwarding port 81 to pod web: connect: connection refused';
const FLOOD_MS = 60_000;
const [ECHO, HTTP, REFUSING, FAILING] = [7, 80, 81, 82] as const;

/** A pod with a process at port 7, HTTP at port 80, nothing at 81, and a cluster that does not answer at 82. */
class FakePod implements PortDialer {
  readonly podName = 'web';
  readonly processes: FakeProcess[] = [];
  readonly requests: string[] = [];

  constructor(private readonly newProcess = capitals) {}

  connect: PortDialer['connect'] = async (port) => {
    if (port === HTTP) return { type: 'http' };
    if (port === REFUSING) return { type: 'failure', message: REFUSED };
    if (port === FAILING) throw new ApiError(429, 'TooManyRequests', 'Too many requests, please try again later.');
    const process = this.newProcess();
    this.processes.push(process);
    return { type: 'session', session: new ContainerSession(process) };
  };

  send: PortDialer['send'] = async ({ method, path, body, port }) => {
    this.requests.push(`${method} ${path} ${port} ${body}`);
    if (path === '/gone') return { error: 'EOF' };
    return {
      status: 200,
      headers: { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' },
      body: `you: ${path}`,
    };
  };
}

type Connect = (pod: FakePod) => Promise<SpdyClient>;
const transports: Record<string, Connect> = {
  'SPDY/3.1': async (pod) => {
    const port = await serveUpgrades((handshake) => acceptPortForward(handshake, [], pod));
    const { client } = await connectSpdy(port, ['portforward.k8s.io']);
    return client!;
  },
  'SPDY in the messages of a WebSocket': async (pod) => {
    const port = await serveUpgrades((handshake) => acceptPortForward(handshake, [], pod));
    const headers = { 'sec-websocket-protocol': 'SPDY/3.1+portforward.k8s.io' };
    const client = new WebSocket(`ws://127.0.0.1:${port}/`, { headers });
    // The client of ws does not know a protocol with a slash either.
    client.on('upgrade', (response) => {
      expect(response.headers).toMatchObject(headers);
      delete response.headers['sec-websocket-protocol'];
    });
    await new Promise((resolve, reject) => client.on('open', resolve).on('error', reject));
    return new SpdyClient(createWebSocketStream(client));
  },
};

/** Opens the two streams of a connection; ids of requests only when there are. */
async function open(client: SpdyClient, port: number, requestID?: string): Promise<{ data: number; error: number }> {
  const headers = { port: String(port), ...(requestID === undefined ? {} : { requestID }) };
  const error = await client.open({ streamType: 'error', ...headers });
  // As kubectl does: nothing will be sent on it.
  client.send(error, '', true);
  return { error, data: await client.open({ streamType: 'data', ...headers }) };
}

describe.each(Object.entries(transports))('%s', (_, connect) => {
  test('several connections at once, both ways, and each way ends by itself', async () => {
    const pod = new FakePod();
    const client = await connect(pod);
    const a = await open(client, ECHO, '0');
    const b = await open(client, ECHO, '1');
    client.send(a.data, 'one ');
    client.send(b.data, 'two ');
    await waitUntil(() => client.stream(a.data).text === 'ONE ' && client.stream(b.data).text === 'TWO ');
    client.send(a.data, 'last', true);
    await waitUntil(() => client.stream(a.data).isOver);
    expect(client.stream(a.data)).toMatchObject({ text: 'ONE LAST', isReset: false });
    await waitUntil(() => client.stream(a.error).isOver);
    expect(client.stream(a.error).text).toBe('');
    client.send(b.data, 'more');
    await waitUntil(() => client.stream(b.data).text === 'TWO MORE');
    await waitUntil(() => pod.processes[0]!.isHungUp);
    expect(pod.processes[1]!.isHungUp).toBe(false);
  });

  test('a client without request ids', async () => {
    const client = await connect(new FakePod());
    const { data } = await open(client, ECHO);
    client.send(data, 'hi');
    await waitUntil(() => client.stream(data).text === 'HI');
  });

  test.each([
    [REFUSING, REFUSED],
    [FAILING, 'error forwarding port 82 to pod web, uid : Too many requests, please try again later.'],
  ])('port %d: the error stream says why, and the next connection is served', async (port, message) => {
    const client = await connect(new FakePod());
    const refused = await open(client, port, '0');
    await waitUntil(() => client.stream(refused.error).isOver && client.stream(refused.data).isOver);
    expect([client.stream(refused.error).text, client.stream(refused.data).text]).toEqual([message, '']);
    const next = await open(client, ECHO, '1');
    client.send(next.data, 'hi');
    await waitUntil(() => client.stream(next.data).text === 'HI');
  });

  test('requests to a server of HTTP are answered one by one, on the same connection', async () => {
    const pod = new FakePod();
    const client = await connect(pod);
    const { data } = await open(client, HTTP, '0');
    const request = (line: string, body = ''): string =>
      `${line} HTTP/1.1\r\nhost: web\r\n${body ? `content-length: ${body.length}\r\n` : ''}\r\n${body}`;
    client.send(data, request('GET /a') + request('POST /b?x=1', 'hello') + request('HEAD /c'));
    await waitUntil(() => pod.requests.length === 3);
    await waitUntil(() => client.stream(data).text.split('HTTP/1.1 200 OK').length === 4);
    expect(pod.requests).toEqual(['GET /a 80 ', 'POST /b?x=1 80 hello', 'HEAD /c 80 ']);
    const [, first, second, third] = client.stream(data).text.split('HTTP/1.1 200 OK\r\n');
    expect(first).toMatch(/^content-type: text\/plain\r\n[^]*content-length: 7\r\n[^]*\r\n\r\nyou: \/a$/i);
    expect(second).toMatch(/you: \/b\?x=1$/);
    expect(third).not.toContain('you:');
    client.send(data, request('GET /gone'));
    await waitUntil(() => client.stream(data).isOver || client.stream(data).isReset);
  });

  test('a client that leaves hangs up on every connection', async () => {
    const pod = new FakePod();
    const client = await connect(pod);
    for (const id of ['0', '1', '2']) await open(client, ECHO, id);
    await waitUntil(() => pod.processes.length === 3);
    client.transport.destroy();
    await waitUntil(() => pod.processes.every(({ isHungUp }) => isHungUp));
  });

  test.each([
    [{ streamType: 'data' }],
    [{ streamType: 'data', port: '0' }],
    [{ streamType: 'data', port: '65536' }],
    [{ streamType: 'data', port: 'http' }],
    [{ port: '7' }],
    [{ streamType: 'stdin', port: '7' }],
  ])('a stream with the headers %j is reset', async (headers) => {
    const client = await connect(new FakePod());
    const id = await client.open(headers as Record<string, string>);
    await waitUntil(() => client.stream(id).isReset);
  });

  test(
    '10,000 streams: those beyond the limit are refused, and the connection goes on',
    async () => {
      const pod = new FakePod(() => new FakeProcess());
      const client = await connect(pod);
      for (let i = 0; i < 5_000; i++) await open(client, ECHO, String(i));
      while (!client.stream(19_999).isReset) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(pod.processes.length).toBeLessThanOrEqual(500);
      const reset = [...client.received.values()].filter(({ isReset }) => isReset);
      expect(reset.length).toBeGreaterThanOrEqual(9_000);
    },
    FLOOD_MS,
  );
});

test('a half-open pair of streams is given up with the connection', async () => {
  const pod = new FakePod();
  const client = await transports['SPDY/3.1']!(pod);
  await client.open({ streamType: 'data', port: '7', requestID: '0' });
  client.transport.end();
  await client.ended;
  expect(pod.processes).toEqual([]);
});

test('a client that knows no protocol of forwarded ports is refused', async () => {
  const port = await serveUpgrades((handshake) => acceptPortForward(handshake, [], new FakePod()));
  const { head } = await connectSpdy(port, ['v4.channel.k8s.io']);
  expect(head).toContain('client supports [v4.channel.k8s.io], server accepts [portforward.k8s.io]');
});

describe.each(['v4.channel.k8s.io', 'v4.base64.channel.k8s.io'])('channels of %s', (protocol) => {
  const numberOf = (port: number): string => String.fromCharCode(port & 0xff, port >> 8);

  test('a connection to each port of the query, whose first message is its number', async () => {
    const pod = new FakePod();
    const port = await serveUpgrades((handshake) => acceptPortForward(handshake, [ECHO, REFUSING, ECHO], pod));
    const client = await connectChannels(port, protocol);
    await waitUntil(() => client.received[3]?.endsWith(REFUSED) ?? false);
    client.send(4, 'hi');
    await waitUntil(() => client.received[4] === `${numberOf(ECHO)}HI`);
    expect(client.received).toEqual({
      0: numberOf(ECHO),
      1: numberOf(ECHO),
      2: numberOf(REFUSING),
      3: numberOf(REFUSING) + REFUSED,
      4: `${numberOf(ECHO)}HI`,
      5: numberOf(ECHO),
    });
    for (const process of pod.processes) process.exit(0);
    expect(await client.closed).toBe(1000);
  });

  test('messages of channels that are not there are borne', async () => {
    const pod = new FakePod();
    const port = await serveUpgrades((handshake) => acceptPortForward(handshake, [ECHO], pod));
    const client = await connectChannels(port, protocol);
    for (const channel of [1, 2, 9]) client.send(channel, 'x');
    client.send(0, 'hi');
    await waitUntil(() => client.received[0] === `${numberOf(ECHO)}HI`);
    client.client.terminate();
    await waitUntil(() => pod.processes[0]!.isHungUp);
  });
});
