import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { refuseConnection, refuseUrl } from './broken-requests.js';

const CASES: [code: string | undefined, status: number, reason: string, message: string][] = [
  ['HPE_HEADER_OVERFLOW', 431, '', 'Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413, 'RequestEntityTooLarge', 'Request entity too large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'Timeout', 'the request was not received in time'],
  ['FST_ERR_MAX_PARAM_LENGTH', 414, '', 'URI Too Long'],
  ['HPE_INVALID_METHOD', 400, 'BadRequest', 'Bad Request'],
  [undefined, 400, 'BadRequest', 'Bad Request'],
];

/** What a client reads when the server meets this error on its connection. */
async function exchange(error: Error & { code?: string }): Promise<string> {
  const server = http.createServer();
  server.on('clientError', (_error, socket) => refuseConnection(error, socket as net.Socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('\0\r\n\r\n');
  let answer = '';
  await new Promise((resolve) =>
    socket
      .on('data', (chunk) => (answer += String(chunk)))
      .on('close', resolve)
      .on('error', () => undefined),
  );
  server.close();
  return answer;
}

test.each(CASES)('on a connection, %s is answered %i', async (code, status, reason, message) => {
  const answer = await exchange(Object.assign(new Error(), { code }));
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\ncontent-type: application/json\r\n`));
  const body: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
  expect(body).toMatchObject({
    kind: 'Status',
    status: 'Failure',
    code: status,
    message,
    ...(reason ? { reason } : {}),
  });
});

test('a connection that was reset is not answered', async () => {
  expect(await exchange(Object.assign(new Error(), { code: 'ECONNRESET' }))).toBe('');
});

test.each(CASES)('at a URL, %s is answered %i', (code, status, _reason, message) => {
  const answer = { status: 0, headers: {}, body: '' };
  const reply = {
    code: (value: number) => ((answer.status = value), reply),
    headers: (value: object) => ((answer.headers = value), reply),
    send: (value: string) => ((answer.body = value), reply),
  };
  refuseUrl({ code }, undefined, reply as unknown as FastifyReply);
  expect([answer.status, answer.headers]).toEqual([status, { 'content-type': 'application/json' }]);
  expect(JSON.parse(answer.body)).toMatchObject({ kind: 'Status', code: status, message });
});
