import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { sendInSingleWrites } from './single-write.js';

const TEXTS = [
  '',
  'a',
  'x'.repeat(125),
  'x'.repeat(126),
  'é'.repeat(40_000),
  'x'.repeat(65_535),
  'x'.repeat(65_536),
  '{"a":"日本"}',
];
const sockets = new WebSocketServer({ noServer: true });
let server: Server;

beforeAll(async () => {
  server = createServer();
  server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (client) => {
      sendInSingleWrites(client, socket);
      let told = 0;
      for (const text of TEXTS)
        client.send(text, () => void (++told === TEXTS.length && client.close(4000, 'all told')));
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

test('texts of every length arrive whole and in order, and their senders are told', async () => {
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const received: string[] = [];
  client.on('message', (data: Buffer) => received.push(data.toString()));
  const code = await new Promise((resolve) => client.on('close', resolve));
  expect(code).toBe(4000);
  expect(received).toEqual(TEXTS);
});
