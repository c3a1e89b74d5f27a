import { expect, test } from '@jest/globals';
import { rulesOf } from './iptables-rules.js';
import { protocolOf, sniff } from './protocol.js';

test.each<[object | undefined, string]>([
  [undefined, 'unknown'],
  [{ name: 'http', port: 80 }, 'http'],
  [{ name: 'http-web', port: 80 }, 'http'],
  [{ name: 'grpc', port: 80 }, 'http'],
  [{ name: 'tcp-db', port: 80 }, 'tcp'],
  [{ name: 'https', port: 443 }, 'tcp'],
  [{ name: 'web', appProtocol: 'http', port: 80 }, 'http'],
  [{ name: 'db', port: 3_306 }, 'tcp'],
  [{ name: 'web', port: 80 }, 'unknown'],
])('%j speaks %s', (port, expected) => expect(protocolOf(port as never)).toBe(expected));

test.each([
  ['', undefined],
  ['GET', undefined],
  ['GET / HTTP/1.1', 'http'],
  ['*1\r\n$4', 'tcp'],
  ['\x16hello', 'tcp'],
  ['ABCDEFGHI', 'tcp'],
])('%j is %s', (bytes, expected) => expect(sniff(bytes)).toBe(expected));
test('the rules of a command line', () => {
  const rules = rulesOf([
    'istio-iptables',
    '-p',
    '15001',
    '-z',
    '15006',
    '-b',
    '80',
    '-o',
    '3306',
    '-i',
    '10.96.0.0/16',
  ]);
  expect(rules).toEqual(
    expect.arrayContaining([
      '-A ISTIO_INBOUND -p tcp --dport 80 -j ISTIO_IN_REDIRECT',
      '-A ISTIO_OUTPUT -p tcp --dport 3306 -j RETURN',
      '-A ISTIO_OUTPUT -d 10.96.0.0/16 -j ISTIO_REDIRECT',
    ]),
  );
});
