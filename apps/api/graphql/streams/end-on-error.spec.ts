import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, jest, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocket, WebSocketServer } from 'ws';
import { endOnError } from './end-on-error.js';

const brokenPipe = (): Error => Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });

test('a socket that breaks is ended, each time, whoever listened before', () => {
  const client = Object.assign(new EventEmitter(), { terminate: jest.fn() });
  const told = jest.fn();
  client.once('error', told);
  endOnError(client as unknown as WebSocket);
  client.emit('error', brokenPipe());
  client.emit('error', brokenPipe());
  expect([told.mock.calls.length, client.terminate.mock.calls.length]).toEqual([0, 2]);
});

test('graphql-ws prints nothing of a peer that is gone', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const sockets = new WebSocketServer({ noServer: true });
  useServer({ schema: buildSchema('type Query { a: Int }') }, sockets);
  const server = http.createServer();
  const ended = new Promise<void>((resolve) =>
    server.on('upgrade', (raw, socket, head) =>
      sockets.handleUpgrade(raw, socket, head, (client) => {
        sockets.emit('connection', client, raw);
        endOnError(client);
        client.once('close', () => resolve());
        socket.destroy(brokenPipe());
        client.emit('error', brokenPipe());
      }),
    ),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const peer = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, 'graphql-transport-ws');
  peer.on('error', () => undefined);
  await ended;
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
  peer.terminate();
  server.close();
});
