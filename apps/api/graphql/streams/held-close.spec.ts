import { EventEmitter } from 'node:events';
import { expect, jest, test } from '@jest/globals';
import type { WebSocket } from 'ws';
import { holdRefusedCloses } from './held-close.js';

class FakeClient extends EventEmitter {
  readonly closed: (number | undefined)[] = [];
  isPaused = false;
  close = (code?: number): void => void this.closed.push(code);
  pause = (): void => void (this.isPaused = true);
  resume = (): void => void (this.isPaused = false);
}

function holding(): FakeClient {
  const client = new FakeClient();
  holdRefusedCloses(client as unknown as WebSocket, 1_000);
  return client;
}

test.each([
  ['a subscription before the connection is acknowledged', 4401, true],
  ['a message that is none', 4400, true],
  ['a second connection_init', 4429, true],
  ['a refused or revoked key', 4403, false],
  ['an error of the server', 4500, false],
  ['the end of the service', 1001, false],
  ['a close without a code', undefined, false],
])('%s (%s): held %s', (_, code, isHeld) => {
  jest.useFakeTimers();
  const client = holding();
  client.on('message', () => expect(true).toBe(false));
  client.close(code);
  expect([client.closed, client.isPaused]).toEqual(isHeld ? [[], true] : [[code], false]);
  if (isHeld) client.emit('message', 'more');
  client.close(code);
  jest.advanceTimersByTime(1_000);
  expect(client.isPaused).toBe(false);
  expect(client.closed[0]).toBe(code);
  jest.useRealTimers();
});

test('a client that goes meanwhile is not closed again', () => {
  jest.useFakeTimers();
  const client = holding();
  client.close(4401);
  client.emit('close');
  jest.advanceTimersByTime(2_000);
  expect(client.closed).toEqual([]);
  jest.useRealTimers();
});
