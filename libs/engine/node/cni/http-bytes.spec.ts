import { expect, test } from '@jest/globals';
import { formatAnswer, parseRequest } from './http-bytes.js';

test.each<[string, unknown]>([
  [
    'GET /a?b=1 HTTP/1.1\r\nHost: web\r\nX-Name: Ã¼\r\n\r\nGET',
    { method: 'GET', path: '/a?b=1', headers: { host: 'web', 'x-name': 'ü' }, body: '', keepsAlive: true, length: 46 },
  ],
  [
    'POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabcd',
    { method: 'POST', path: '/', headers: { 'content-length': '3' }, body: 'abc', keepsAlive: false, length: 41 },
  ],
  ['POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x\r\nde\r\n0\r\n\r\n', { body: 'abcde' }],
  ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', { keepsAlive: false }],
])('%j is a request', (bytes, expected) => expect(parseRequest(bytes)).toMatchObject(expected as object));

test.each<[string, undefined | 'bad']>([
  ['GET / HTTP/1.1\r\nHost: web\r\n', undefined],
  ['POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nab', undefined],
  ['POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab', undefined],
  ['hello\r\n\r\n', 'bad'],
  ['hello\n', 'bad'],
  ['hello', undefined],
  ['POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n', 'bad'],
  ['POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n', 'bad'],
])('%j is none yet, or never: %s', (bytes, expected) => expect(parseRequest(bytes)).toBe(expected));

test('an answer has its length, and names as Go writes them', () => {
  const parts = { status: 404, headers: { 'content-type': 'text/plain', warning: ['a', 'b'] }, body: 'no' };
  const head =
    'HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nWarning: a\r\nWarning: b\r\nContent-Length: 2\r\n';
  expect(formatAnswer(parts, 'GET', false)).toBe(`${head}\r\nno`);
  expect(formatAnswer(parts, 'HEAD', true)).toBe(`${head}Connection: close\r\n\r\n`);
});
