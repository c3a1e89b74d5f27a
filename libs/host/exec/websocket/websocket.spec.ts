import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import WebSocket from 'ws';
import type { Handshake } from '../upgrades/handshake.js';
import { acceptFrames, acceptLog, authorizeByProtocol } from './websocket.js';

let server: http.Server;
let accept: (handshake: Handshake) => void;
beforeEach(async () => {
  server = http.createServer();
  server.on('upgrade', (raw, socket, head) => accept({ raw, socket, head, headers: { 'x-request-id': 'r1' } }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => void server.close());

describe('a watch on a WebSocket', () => {
  const listen = (): Promise<[boolean, string][]> => {
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const heard: [boolean, string][] = [];
    return new Promise((resolve) =>
      client
        .on('message', (data: Buffer, isBinary) => heard.push([isBinary, data.toString()]))
        .on('close', () => resolve(heard)),
    );
  };

  test('gives each frame a message, however they were joined', async () => {
    accept = (handshake) =>
      acceptFrames(handshake, (frames) => {
        frames.write('{"a":1}\n{"b":2}\n');
        frames.end(
          Buffer.concat([Buffer.from([0, 0, 0, 2]), Buffer.from('xy'), Buffer.from([0, 0, 0, 1]), Buffer.from('z')]),
        );
      });
    expect(await listen()).toEqual([
      [false, '{"a":1}\n'],
      [false, '{"b":2}\n'],
      [true, 'xy'],
      [true, 'z'],
    ]);
  });
});

test.each([
  ['while it is open', false],
  ['before it is', true],
])('a client that may not go on is told by the close, %s', async (_, isEarly) => {
  const closing = new AbortController();
  if (isEarly) closing.abort();
  accept = (handshake) =>
    acceptFrames({ ...handshake, closing: closing.signal }, () => setImmediate(() => closing.abort()));
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await new Promise((resolve) => client.on('close', resolve))).toBe(1008);
});

describe('a token among the protocols', () => {
  const BEARER = 'base64url.bearer.authorization.k8s.io.';
  const secret = `${BEARER}${Buffer.from('secret').toString('base64url')}`;
  const authorize = (protocols: string, authorization?: string): string | undefined => {
    const headers: http.IncomingHttpHeaders = { 'sec-websocket-protocol': protocols, authorization };
    authorizeByProtocol({ headers });
    return headers.authorization;
  };

  test.each([
    ['is the Authorization header', `${secret}, base64.binary.k8s.io`, undefined, 'Bearer secret'],
    ['does not replace the header', `${secret}, base64.binary.k8s.io`, 'Bearer other', 'Bearer other'],
    ['may be missing', 'base64.binary.k8s.io', undefined, undefined],
  ])('%s', (_, protocols, authorization, expected) => expect(authorize(protocols, authorization)).toBe(expected));

  test.each([
    ['that is alone', secret],
    ['that is there twice', `${secret}, ${secret}, v5.channel.k8s.io`],
    ['with padding', `${BEARER}YQ==, v5.channel.k8s.io`],
    ['that is no UTF-8', `${BEARER}${Buffer.from([0xff]).toString('base64url')}, v5.channel.k8s.io`],
    ['that is empty', `${BEARER}, v5.channel.k8s.io`],
  ])('%s is refused', (_, protocols) => expect(() => authorize(protocols)).toThrow('Unauthorized'));

  test.each(['', 'v5.channel.k8s.io,', ',v5.channel.k8s.io'])('the list %j is refused', (protocols) =>
    expect(() => authorize(protocols)).toThrow('Invalid Sec-WebSocket-Protocol header'),
  );
});

describe("a pod's log on a WebSocket", () => {
  const listen = (protocols: string[]): Promise<{ protocol: string; id: unknown; messages: (string | Buffer)[] }> => {
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`, protocols);
    const messages: (string | Buffer)[] = [];
    let id: unknown;
    return new Promise((resolve, reject) =>
      client
        .on('upgrade', ({ headers }) => (id = headers['x-request-id']))
        .on('message', (data: Buffer, isBinary) => messages.push(isBinary ? data : data.toString()))
        .on('close', () => resolve({ protocol: client.protocol, id, messages }))
        .on('error', reject),
    );
  };

  test.each<[string[], (string | Buffer)[]]>([
    [[], [Buffer.alloc(0), Buffer.from('häl'), Buffer.from('lo\n')]],
    [['binary.k8s.io'], [Buffer.alloc(0), Buffer.from('häl'), Buffer.from('lo\n')]],
    [
      ['v5.channel.k8s.io', 'base64.binary.k8s.io'],
      ['', Buffer.from('häl').toString('base64'), Buffer.from('lo\n').toString('base64')],
    ],
  ])('offered %j', async (protocols, expected) => {
    accept = (handshake) =>
      acceptLog(handshake, (log) => {
        log.write('häl');
        log.end('lo\n');
      });
    const { protocol, id, messages } = await listen(protocols);
    expect([protocol, id, messages]).toEqual([protocols.at(-1) ?? '', 'r1', expected]);
  });

  test('no protocol of commands serves it', () => {
    const raw = { headers: { 'sec-websocket-protocol': 'v4.channel.k8s.io' } } as unknown as http.IncomingMessage;
    expect(() => acceptLog({ raw } as Handshake, () => undefined)).toThrow(
      'requested protocol(s) are not supported: [v4.channel.k8s.io]',
    );
  });
});
