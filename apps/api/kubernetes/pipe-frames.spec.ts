import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FrameStream } from '@terrarium/host';
import { pipeFrames } from './pipe-frames.js';

let server: http.Server;
let streams: FrameStream[];
/** Pieces of large frames. */
let pieces: number;
beforeEach(async () => {
  pieces = 0;
  streams = [];
  server = http.createServer((_request, response) => {
    const stream = new FrameStream(1_000_000);
    streams.push(stream);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    void pipeFrames(stream, response, async () => void pieces++);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** An answer whose headers have come. */
const open = (): Promise<http.IncomingMessage> =>
  new Promise((resolve) => http.get(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, resolve));

async function text(response: http.IncomingMessage): Promise<string> {
  let all = '';
  for await (const chunk of response) all += String(chunk);
  return all;
}

test('frames of every size and kind arrive whole and in order, at several clients', async () => {
  const frames = ['{"a":1}\n', 'é\n', `${'x'.repeat(600_000)}\n`, Buffer.from('bytes\n'), '{"a":1}\n'];
  const responses = [await open(), await open()];
  for (const frame of frames) {
    for (const stream of streams) stream.write([frame]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const stream of streams) stream.end();
  const expected = frames.map(String).join('');
  expect(await Promise.all(responses.map(text))).toEqual([expected, expected]);
  expect(pieces).toBe(4);
});

test('a client that leaves ends its stream', async () => {
  const response = await open();
  const ended = new Promise<void>((resolve) => streams[0]!.onEnd(resolve));
  response.destroy();
  await ended;
  expect(streams[0]!.hasEnded).toBe(true);
});

test('a target that is full is written to again when it has drained', async () => {
  const written: string[] = [];
  let release: (() => void) | undefined;
  const target = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      written.push(String(chunk));
      release = done;
    },
  });
  const stream = new FrameStream(1_000);
  const piping = pipeFrames(stream, target);
  stream.write(['a']);
  await new Promise((resolve) => setImmediate(resolve));
  stream.write(['b']);
  stream.write(['c']);
  stream.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toEqual(['a']);
  release!();
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toEqual(['a', 'bc']);
  release!();
  await piping;
});
