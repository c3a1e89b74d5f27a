import { expect, test } from '@jest/globals';
import { formatHello } from '../../cni/tls.js';
import { HttpRemote } from './http-remote.js';

const tls = { subject: 'CN = api', issuer: 'CN = kubernetes', names: ['kubernetes'], chain: [] };
const remote = (own: object = {}): HttpRemote =>
  new HttpRemote({
    port: 80,
    serve: ({ scheme, method, path, body }, now) =>
      path === '/later' && now < 10 ? undefined : { status: 200, body: `${scheme} ${method} ${path} ${body}` },
    ...own,
  });
const GET = 'GET / HTTP/1.1\r\n\r\n';

test('requests are answered one after the other, until one closes the connection', () => {
  const { send, close } = remote().answer(
    `${GET}POST /a HTTP/1.1\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx`,
    0,
  );
  expect(send.split('HTTP/1.1 200 OK\r\n')).toEqual([
    '',
    'Content-Length: 11\r\n\r\nhttp GET / ',
    'Content-Length: 14\r\nConnection: close\r\n\r\nhttp POST /a x',
  ]);
  expect(close).toBe(true);
});

test.each<[string, object]>([
  ['GET / HTTP/1.1\r\n', { send: '', close: false }],
  ['nonsense\r\n\r\n', { send: expect.stringContaining('400 Bad Request'), close: true }],
  ['GET /later HTTP/1.1\r\n\r\n', { send: '', close: false }],
])('%j is answered with %j', (bytes, expected) => expect(remote().answer(bytes, 0)).toEqual(expected));

test('a server that takes its time says when it is asked again, since when it has the request', () => {
  const server = remote({
    serve: (_request: unknown, now: number, since: number) =>
      now < since + 20 ? { askAgainAt: now + 15 } : { status: 200 },
  });
  expect(server.answer(GET, 100, 100)).toEqual({ send: '', close: false, askAgainAt: 115 });
  expect(server.answer(GET, 120, 100).send).toContain('200 OK');
});

test('a server with TLS greets first', () => {
  const server = remote({ tls });
  expect(server.answer(formatHello({ serverName: '' }), 0)).toEqual({ send: formatHello(tls), close: false });
  expect(server.answer(GET, 0).send).toContain('https GET / ');
  expect(remote({ tls }).answer(GET, 0)).toEqual({
    send: 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n',
    close: true,
  });
});

test('a server that a client is not good enough for ends the handshake behind its hello', () => {
  const server = remote({ tls, refuses: (certificate?: Uint8Array) => (certificate ? undefined : 116) });
  expect(server.answer(formatHello({ serverName: '' }) + GET, 0)).toEqual({
    send: `${formatHello(tls)}\x15\x03\x03\0\x02\x02t`,
    close: true,
  });
});
