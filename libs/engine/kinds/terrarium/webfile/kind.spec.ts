import { expect, test } from '@jest/globals';
import { AGE, errorsOf, make, row } from '../../testing.js';
import { kind as WebFiles, readWebUrl } from './kind.js';

const URL =
  "must be a URL of http or https with a host name outside of the cluster, such as 'https://example.com/a.yaml'";

test.each<[object, string[]]>([
  [{ url: 'https://example.com/a.yaml', content: 'a: b' }, []],
  [{ url: 'http://raw.example.org:8080/x?y=z', binaryContent: 'AAH/' }, []],
  [{ url: 'https://example.com/', content: '' }, []],
  [{ content: '' }, ['spec.url: Required value']],
  [{ url: 'ftp://example.com/', content: '' }, [`spec.url: Invalid value: "ftp://example.com/": ${URL}`]],
  [{ url: 'https://example.com/' }, ['spec: Required value: one of content and binaryContent']],
  [
    { url: 'https://example.com/', content: '', binaryContent: '' },
    ['spec: Required value: one of content and binaryContent'],
  ],
  [{ url: 'https://a.b/', binaryContent: '?' }, ['spec.binaryContent: Invalid value: "?": must be base64']],
  [{ url: 'https://a.b/', content: 7 }, ['spec.content: Invalid value: 7: must be a string']],
  [
    { url: 'https://a.b/', content: 'x'.repeat(1024 * 1024 + 1) },
    ['spec.content: Too long: may not be more than 1048576 bytes'],
  ],
  [{ url: 'https://a.b/', content: '', size: 1 }, ['spec: Invalid value: "size": unknown field']],
])('the WebFile %#', (spec, errors) => expect(errorsOf(WebFiles, { metadata: { name: 'a' }, spec })).toEqual(errors));

test.each([
  ['https://Example.com', { scheme: 'https', host: 'example.com', port: 443, path: '/' }],
  ['http://a.b:81/c?d', { scheme: 'http', host: 'a.b', port: 81, path: '/c?d' }],
  ['http://10.0.0.1/', undefined],
  ['http://web/', undefined],
  ['http://web.default.svc.cluster.local/', undefined],
  ['http://a..b/', undefined],
  ['http://a.b:0/', undefined],
  ['http://a.b:65536/', undefined],
  [7, undefined],
])('%s', (text, url) => expect(readWebUrl(text)).toEqual(url));

test('a row shows the URL, and its host is an index', () => {
  const file = make(WebFiles, { spec: { url: 'https://example.com/a', content: 'a' } });
  expect(row(WebFiles, file)).toEqual({ Name: 'a', URL: 'https://example.com/a', Age: AGE });
  expect(WebFiles.indexes!['host']!(file)).toEqual(['example.com']);
});
