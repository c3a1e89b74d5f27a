import { expect, test } from '@jest/globals';
import type { Remote } from '../../../kernel/network.js';
import { NOW } from '../../kubelet/testing.js';
import { judgePacket } from '../index.js';
import type { HttpMatch } from '../packet.js';
import { packetOf, partyOf, podAt } from '../testing.js';
import { HttpFilter } from './http-filter.js';
import { ciliumPolicy, ciliumWorld } from './testing.js';

const server: Remote = { answer: (received) => ({ send: `<${received.split(' ', 2).join(' ')}>`, close: false }) };
const rule = (more: Partial<HttpMatch>): HttpMatch => ({ method: '', path: '', host: '', headers: [], ...more });
const request = (line: string, header = 'host: web'): string => `${line} HTTP/1.1\r\n${header}\r\n\r\n`;
const ask = (rules: readonly HttpMatch[], bytes: string): string =>
  new HttpFilter(server, [rules]).answer(bytes, NOW).send.replace(/\r\n[^]*/, '');

test.each<[string, HttpMatch, string, string]>([
  ['any', rule({}), request('GET /x'), '<GET /x>'],
  ['a method', rule({ method: 'GET' }), request('GET /x'), '<GET /x>'],
  ['another method', rule({ method: 'GET' }), request('PUT /x'), 'HTTP/1.1 403 Forbidden'],
  ['a path', rule({ path: '/v1/.*' }), request('GET /v1/pods'), '<GET /v1/pods>'],
  ['the whole path', rule({ path: '/v1' }), request('GET /v1/pods'), 'HTTP/1.1 403 Forbidden'],
  ['a host', rule({ host: 'web|shop' }), request('GET /'), '<GET />'],
  ['a header', rule({ headers: [['x-token', '1']] }), request('GET /', 'X-Token: 1'), '<GET />'],
  ['a header that is missing', rule({ headers: [['x-token', undefined]] }), request('GET /'), 'HTTP/1.1 403 Forbidden'],
  ['no HTTP', rule({}), 'PING\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
  ['half a request', rule({}), 'GET / HTTP/1.1\r\n', ''],
])('%s', (_case, one, bytes, expected) => {
  expect(ask([one], bytes)).toBe(expected);
});

test('what Envoy says, and the next request of the connection', () => {
  const { send, close } = new HttpFilter(server, [[rule({ path: '/a' })]]).answer(
    request('GET /b') + request('GET /a'),
    NOW,
  );
  expect(send).toContain('\r\nserver: envoy\r\n\r\nAccess denied\r\n<GET /a>');
  expect(close).toBe(false);
});

test('a rule without HTTP lets everything through', () => {
  const web = podAt('shop/web', '10.0.1.2', { app: 'web' }, { nodeName: 'worker-1' });
  const box = podAt('shop/box', '10.0.1.3', { app: 'box' }, { nodeName: 'worker-1' });
  const ports = [{ port: '80', protocol: 'TCP' }];
  const own = (name: string, rules?: object): ReturnType<typeof ciliumPolicy> =>
    ciliumPolicy(`shop/${name}`, {
      endpointSelector: { matchLabels: { app: 'web' } },
      ingress: [{ toPorts: [{ ports, ...(rules ? { rules } : {}) }] }],
    });
  const asked = (...policies: ReturnType<typeof ciliumPolicy>[]): unknown =>
    judgePacket(ciliumWorld([web, box], policies), packetOf(partyOf(box), partyOf(web))).decisions[0]?.http;
  const http = { http: [{ method: 'GET', headers: ['X-A: 1', 'X-B'] }] };
  expect(asked(own('a', http))).toEqual([
    {
      method: 'GET',
      path: '',
      host: '',
      headers: [
        ['x-a', '1'],
        ['x-b', undefined],
      ],
    },
  ]);
  expect(asked(own('a', http), own('b'))).toBeUndefined();
});

test('before a machine, what is allowed goes on, and the rest waits', () => {
  const filter = new HttpFilter(undefined, [[rule({ path: '/a' })]]);
  const [allowed, denied] = [request('GET /a'), request('GET /b')];
  const { forward, send, left, close } = filter.pass(`${allowed}${denied}GET /`, NOW);
  expect({ forward, left, close }).toEqual({ forward: allowed, left: 'GET /', close: false });
  expect(send).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
  expect(filter.pass('PING\r\n\r\n', NOW)).toMatchObject({ forward: '', close: true });
});
