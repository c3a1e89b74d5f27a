import { expect, test } from '@jest/globals';
import { accessLine } from './access-line.js';

const now = Date.UTC(2026, 10, 28, 1, 2, 3);

test.each([
  [
    { method: 'GET', path: '/', headers: { 'user-agent': 'curl/8.9' } },
    200,
    '"GET / HTTP/1.1" 200 615 "-" "curl/8.9" "-"',
  ],
  [{ method: 'HEAD', path: '/a?b=c', headers: {} }, 404, '"HEAD /a?b=c HTTP/1.1" 404 0 "-" "-" "-"'],
  [
    { method: 'GET', path: '/', headers: { referer: 'http://a/', 'x-forwarded-for': '10.0.0.1' } },
    304,
    '"GET / HTTP/1.1" 304 615 "http://a/" "-" "10.0.0.1"',
  ],
])('%j with %d is logged as the image’s configuration says', (request, status, expected) => {
  expect(accessLine({ address: '10.244.1.7', request, answer: { status }, size: 615, now })).toBe(
    `10.244.1.7 - - [28/Nov/2026:01:02:03 +0000] ${expected}`,
  );
});
