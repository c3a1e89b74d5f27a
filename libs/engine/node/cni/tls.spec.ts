import { expect, test } from '@jest/globals';
import { formatHello, parseHello } from './tls.js';

test('a hello is found again, with what follows it', () => {
  const hello = { serverName: 'grün.local' };
  expect(parseHello(`${formatHello(hello)}GET / HTTP/1.1\r\n`)).toEqual({ hello, rest: 'GET / HTTP/1.1\r\n' });
});

test.each<[string, null | undefined]>([
  ['', undefined],
  ['\x16{"serverName":', undefined],
  ['GET / HTTP/1.1\r\n', null],
  ['\x16no JSON\n', null],
])('%j is no hello: %s', (received, expected) => expect(parseHello(received)).toBe(expected));
