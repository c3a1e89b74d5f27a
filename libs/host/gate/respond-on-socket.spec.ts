import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { refuseOnSocket, respondOnSocket } from './respond-on-socket.js';

const FORBIDDEN = { status: 403, headers: { 'content-type': 'text/plain', warning: ['a', 'b'] }, body: 'no, thänks' };
const EXPECTED = [
  'HTTP/1.1 403 Forbidden',
  'content-type: text/plain',
  'warning: a',
  'warning: b',
  'content-length: 11',
  'connection: close',
  '',
  'no, thänks',
].join('\r\n');

let server: http.Server;
beforeEach(() => void (server = http.createServer()));
afterEach(() => void server.close());

/** Everything that the server writes on one connection until it ends it. */
async function exchange(text: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

test('a request for an upgrade', async () => {
  server.on('upgrade', (_request, socket) => respondOnSocket(socket, FORBIDDEN));
  expect(await exchange('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')).toBe(
    EXPECTED,
  );
});

test('bytes that are no HTTP', async () => {
  server.on('clientError', (_error, socket) => respondOnSocket(socket, FORBIDDEN));
  expect(await exchange('\0\0\r\n\r\n')).toBe(EXPECTED);
});

test('bytes that are no HTTP, while an earlier request is still unanswered', async () => {
  server.on('request', () => undefined);
  server.on('clientError', (_error, socket) => respondOnSocket(socket, FORBIDDEN));
  expect(await exchange('GET / HTTP/1.1\r\nhost: x\r\n\r\n\0\0\r\n\r\n')).toBe(EXPECTED);
});

test('a connection that nobody accepts: a Go client fails with the text of the header, others read the 503', async () => {
  const refused = { headers: { 'content-type': 'application/json' }, body: '{}' };
  server.on('request', ({ socket }) => refuseOnSocket(socket, refused));
  expect(await exchange('GET / HTTP/1.1\r\nhost: x\r\n\r\n')).toBe(
    'HTTP/1.1 503 Service Unavailable\r\nconnection refused\r\ncontent-type: application/json\r\n' +
      'content-length: 2\r\nconnection: close\r\n\r\n{}',
  );
});
