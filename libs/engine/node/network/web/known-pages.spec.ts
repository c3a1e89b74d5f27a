import { expect, test } from '@jest/globals';
import type { Reader } from '../../../machinery/reader.js';
import { webAddressOf, webServerAt } from './web-server.js';

const nothing = { list: () => [], byIndex: () => [] } as unknown as Reader;
const ask = (host: string, path: string): string => {
  const server = webServerAt(nothing, webAddressOf(nothing, host)!, 80);
  return server!.answer(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 0, 0).send;
};

test.each([
  [
    'info.cern.ch',
    '/',
    /^HTTP\/1.1 200 OK\r\n[^]*text\/html[^]*<h1>http:\/\/info\.cern\.ch - home of the first website<\/h1>/,
  ],
  ['INFO.CERN.CH.', '/', /^HTTP\/1.1 404/],
  ['info.cern.ch', '/none', /^HTTP\/1.1 404/],
])('what %s has at %s', (host, path, answer) => expect(ask(host, path)).toMatch(answer));

test('other hosts are out of reach', () => expect(webAddressOf(nothing, 'example.com')).toBeUndefined());
