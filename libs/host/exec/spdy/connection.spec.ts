import { afterEach, describe, expect, test } from '@jest/globals';
import { waitUntil } from '../../testing.js';
import { SpdyConnection, type SpdyLimits } from './connection.js';
import { encodePing, encodeSynStream, encodeWindowUpdate } from './frames.js';
import type { SpdyStream } from './stream.js';
import { SpdyClient, duplexPair } from './testing.js';

const clients: SpdyClient[] = [];
afterEach(() => clients.splice(0).forEach(({ transport }) => transport.destroy()));

interface Bed {
  readonly client: SpdyClient;
  readonly connection: SpdyConnection;
  readonly streams: SpdyStream[];
  readonly served: Promise<void>;
}

function serve(onStream: (stream: SpdyStream) => void = () => undefined, limits: Partial<SpdyLimits> = {}): Bed {
  const [near, far] = duplexPair();
  const streams: SpdyStream[] = [];
  const connection = new SpdyConnection(far, {
    onStream: (stream) => {
      streams.push(stream);
      onStream(stream);
    },
    limits,
  });
  const client = new SpdyClient(near);
  clients.push(client);
  return { client, connection, streams, served: connection.serve() };
}

const echo = (stream: SpdyStream): void => void stream.pipe(stream);

test('a stream has its headers and is answered before its first byte', async () => {
  const { client, streams } = serve(echo);
  const id = await client.open({ streamtype: 'data', port: '80' });
  client.send(id, 'hello');
  await waitUntil(() => client.stream(id).text === 'hello');
  expect(client.stream(id)).toMatchObject({ isReplied: true, isOver: false });
  expect(Object.fromEntries(streams[0]!.headers)).toEqual({ streamtype: 'data', port: '80' });
  client.send(id, ' world', true);
  await waitUntil(() => client.stream(id).isOver);
  expect(client.stream(id)).toMatchObject({ text: 'hello world', isReset: false });
});

test('each direction ends by itself', async () => {
  const { client } = serve((stream) => {
    stream.end('first');
    stream.resume().on('end', () => ended.push('client'));
  });
  const ended: string[] = [];
  const id = await client.open({});
  await waitUntil(() => client.stream(id).isOver);
  expect(ended).toEqual([]);
  client.send(id, 'late', true);
  await waitUntil(() => ended.length > 0);
});

test('many streams at once, each with its own bytes', async () => {
  const { client } = serve(echo);
  const ids: number[] = [];
  for (let i = 0; i < 50; i++) ids.push(await client.open({}));
  for (let round = 0; round < 20; round++) for (const id of ids) client.send(id, `${id}-${round};`, round === 19);
  await waitUntil(() => ids.every((id) => client.stream(id).isOver));
  const expected = (id: number): string => Array.from({ length: 20 }, (_, round) => `${id}-${round};`).join('');
  expect(ids.map((id) => client.stream(id).text)).toEqual(ids.map(expected));
});

test('a reset of either side ends the stream alone', async () => {
  const { client, streams } = serve();
  const [a, b] = [await client.open({}), await client.open({})];
  await waitUntil(() => streams.length === 2);
  streams[0]!.destroy();
  await waitUntil(() => client.stream(a).isReset);
  client.transport.write(Buffer.from('80030003' + '00000008' + `0000000${b}` + '00000005', 'hex'));
  await waitUntil(() => streams[1]!.destroyed);
  const c = await client.open({});
  await waitUntil(() => client.stream(c).isReplied);
});

test('pings of the client are answered, and those of nobody are not', async () => {
  const { client } = serve();
  client.transport.write(Buffer.concat([encodePing(2), encodePing(1), encodePing(3)]));
  await waitUntil(() => client.pings.length === 2);
  expect(client.pings).toEqual([1, 3]);
});

test('close() sends what was written, says GOAWAY and ends', async () => {
  const { client, connection, streams, served } = serve();
  const id = await client.open({});
  await waitUntil(() => streams.length === 1);
  streams[0]!.end('bye');
  connection.close();
  await client.ended;
  expect(client.stream(id)).toMatchObject({ text: 'bye', isOver: true });
  expect(client.hasGoAway).toBe(true);
  client.transport.end();
  await served;
});

test('streams end with the transport', async () => {
  const { client, streams, served } = serve();
  await client.open({});
  await waitUntil(() => streams.length === 1);
  client.transport.end();
  await served;
  expect(streams[0]!.destroyed).toBe(true);
});

test('a stream that is not read stops the client', async () => {
  const { client, streams } = serve();
  const id = await client.open({});
  let isTaken = false;
  client.transport.write(Buffer.alloc(0), () => undefined);
  for (let i = 0; i < 64; i++) client.send(id, Buffer.alloc(64 * 1024));
  client.transport.write(encodePing(1), () => (isTaken = true));
  await waitUntil(() => streams.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([isTaken, client.pings]).toEqual([false, []]);
  expect(streams[0]!.waitingBytes + streams[0]!.readableLength).toBeLessThan(512 * 1024);
  streams[0]!.resume();
  await waitUntil(() => client.pings.length === 1);
});

test('a connection whose reader does not go on ends with its transport', async () => {
  const { client, streams, served } = serve();
  const id = await client.open({});
  for (let i = 0; i < 64; i++) client.send(id, Buffer.alloc(64 * 1024));
  await waitUntil(() => streams.length === 1 && streams[0]!.waitingBytes > 0);
  await new Promise((resolve) => setTimeout(resolve, 20));
  client.transport.destroy();
  await served;
  expect(streams[0]!.destroyed).toBe(true);
});

describe('a hostile client', () => {
  test('that fills many streams that are not read is stopped by what they keep together', async () => {
    const { client, streams } = serve(undefined, { bytes: 1024 * 1024 });
    const ids: number[] = [];
    for (let i = 0; i < 100; i++) ids.push(await client.open({}));
    for (const id of ids) client.send(id, Buffer.alloc(64 * 1024));
    await waitUntil(() => streams.length === 100);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const kept = streams.reduce((sum, stream) => sum + stream.waitingBytes + stream.readableLength, 0);
    expect(kept).toBeLessThan(2 * 1024 * 1024);
    for (const stream of streams) stream.resume();
    client.transport.write(encodePing(1));
    await waitUntil(() => client.pings.length === 1);
  });

  test('that sends single bytes does not become as many objects', async () => {
    const { client, streams } = serve();
    const id = await client.open({});
    for (let i = 0; i < 20_000; i++) client.send(id, 'x');
    await waitUntil(() => streams[0]?.waitingBytes === 20_000);
    let text = '';
    streams[0]!.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await waitUntil(() => text.length === 20_000);
  });

  test('may have so many streams, and the rest are refused', async () => {
    const { client, streams } = serve(undefined, { streams: 3 });
    const ids: number[] = [];
    for (let i = 0; i < 5; i++) ids.push(await client.open({}));
    await waitUntil(() => client.stream(ids[4]!).isReset);
    expect(ids.map((id) => client.stream(id).isReset)).toEqual([false, false, false, true, true]);
    streams[0]!.destroy();
    const next = await client.open({});
    await waitUntil(() => streams.length === 4);
    expect(client.stream(next).isReset).toBe(false);
  });

  test.each<[string, Buffer]>([
    ['sends nonsense', Buffer.from('GET / HTTP/1.1\r\n\r\n'.repeat(3)).fill(0xff, 0, 4)],
    ['opens a stream with an even id', encodeSynStream(2, Buffer.from('78010000000000ffff', 'hex'))],
    ['sends headers that are none', encodeSynStream(1, Buffer.from('nonsense'))],
  ])('that %s is told to go away', async (_, bytes) => {
    const { client, served } = serve();
    client.transport.write(bytes);
    await client.ended;
    client.transport.end();
    await served;
  });

  test('that opens the same stream twice is told to go away', async () => {
    const { client, served } = serve();
    const block = Buffer.from('7801000400fbff00000000', 'hex');
    client.received.set(1, { text: '', isReplied: false, isOver: false, isReset: false });
    client.transport.write(encodeSynStream(1, block));
    client.transport.write(encodeSynStream(1, block.subarray(2)));
    await client.ended;
    client.transport.end();
    await served;
    expect(client.hasGoAway).toBe(true);
  });

  test('that floods with window updates is told to go away', async () => {
    const { client, served } = serve(undefined, { controlFrameBurst: 1_000, controlFramesPerSecond: 1 });
    client.transport.write(Buffer.concat(Array.from({ length: 1_100 }, () => encodeWindowUpdate(1, 1))));
    await client.ended;
    client.transport.end();
    await served;
    expect(client.hasGoAway).toBe(true);
  });

  test('that sends to streams that are not there is not heard', async () => {
    const { client } = serve(echo);
    for (let i = 1; i < 100; i += 2) client.send(i + 1_000, 'hello', true);
    const id = await client.open({});
    client.send(id, 'x');
    await waitUntil(() => client.stream(id).text === 'x');
  });
});
