/** What an Ingress's annotations refuse, limit and add. */
import { expect, test } from '@jest/globals';
import type { KubeObject } from '@terrarium/engine';
import type { ProxyRequest } from '../../proxy/proxy.js';
import { isInRanges } from './config/annotations.js';
import { after, ask, ingress, shop, tell } from './testing.js';

const WEB = '10.244.1.1:8080';
const OK = { answer: { status: 200, headers: { server: 'x' }, body: 'ok' }, took: 1 } as const;
const secret = (auth: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'users', namespace: 'shop' },
    data: { auth: btoa(auth) },
  }) as never;
const basic = (user: string, password: string): Partial<ProxyRequest> => ({
  headers: { authorization: `Basic ${btoa(`${user}:${password}`)}` },
});

/** What `openssl passwd -apr1 -salt lZL6V/ci`, `htpasswd -s` and a system's crypt say. */
const FILE = 'ann:$apr1$lZL6V/ci$eASCP2lqHiLzdels9VFvx0\nbob:{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=\ncid:$6$x$y\n';

test.each([
  ['nobody', {}, '401'],
  ['the right password', basic('bob', 'bar'), `${WEB} /`],
  ['the right password of another form', basic('ann', 'bar'), `${WEB} /`],
  ['a wrong password', basic('bob', 'no'), '401'],
  ['an unknown user', basic('eve', 'bar'), '401'],
  ['a hash that is not known', basic('cid', 'bar'), '500'],
  ['no base64', { headers: { authorization: 'Basic ====' } }, '401'],
])('basic authentication: %s', (_case, fields, expected) => {
  const one = ingress('one', [{}], { 'auth-type': 'basic', 'auth-secret': 'users', 'auth-realm': 'in' });
  const look = shop(one, secret(FILE));
  const step = ask(look, 'http://a.test/', fields);
  expect(tell(step)).toBe(expected);
  if (expected === '401')
    expect(step).toMatchObject({ answer: { headers: { 'www-authenticate': 'Basic realm="in"' } } });
  // The backend does not hear the password.
  if ('forward' in step) expect(step.forward.headers).not.toHaveProperty('authorization');
});

test.each([
  ['whitelist-source-range', '10.244.0.0/16', `${WEB} /`],
  ['whitelist-source-range', '192.168.0.0/16, 10.244.3.3', `${WEB} /`],
  ['whitelist-source-range', '192.168.0.0/16', '403'],
  ['denylist-source-range', '10.244.3.0/24', '403'],
  ['whitelist-source-range', 'nonsense', '503'],
])('%s %s', (name, value, expected) => {
  expect(tell(ask(shop(ingress('one', [{}], { [name]: value })), 'http://a.test/'))).toBe(expected);
});

test.each([
  ['10.0.0.1', ['0.0.0.0/0'], true],
  ['10.0.0.1', ['10.0.0.2/31'], false],
  ['10.0.0.1', ['10.0.0.0/33'], false],
  ['::1', ['10.0.0.0/8'], false],
])('%s in %j: %s', (address, ranges, expected) => expect(isInRanges(address, ranges)).toBe(expected));

test('limit-rps lets a burst pass, then one each second; limit-allowlist is not counted', () => {
  const count = (annotations: Record<string, string>): string => {
    const look = shop(ingress('one', [{}], annotations));
    const at = (later: number): string =>
      tell(ask({ ...look, now: look.now + later }, 'http://a.test/')) === '503' ? '-' : '+';
    return [0, 0, 0, 0, 1_000, 1_000, 3_000, 3_000].map(at).join('');
  };
  expect(count({ 'limit-rps': '1', 'limit-burst-multiplier': '2' })).toBe('+++-+-++');
  expect(count({ 'limit-rps': '1', 'limit-burst-multiplier': '2', 'limit-allowlist': '10.0.0.0/8' })).toBe('++++++++');
});

test('limit-connections counts the requests that are under way', () => {
  const look = shop(ingress('one', [{}], { 'limit-connections': '1' }));
  const first = ask(look, 'http://a.test/');
  if (!('forward' in first)) throw new Error('an answer');
  expect(tell(ask({ ...look, active: [first.forward.note] }, 'http://a.test/'))).toBe('503');
  expect(tell(ask(look, 'http://a.test/'))).toBe(`${WEB} /`);
});

test.each([
  ['without a list', {}, 'http://x.test', '*'],
  ['of the list', { 'cors-allow-origin': 'https://x.test, https://*.y.test' }, 'https://a.y.test', 'https://a.y.test'],
  ['of two labels', { 'cors-allow-origin': 'https://*.y.test' }, 'https://a.b.y.test', undefined],
  ['not of the list', { 'cors-allow-origin': 'https://x.test' }, 'https://z.test', undefined],
])('CORS: an origin %s', (_case, annotations, origin, expected) => {
  const look = shop(ingress('one', [{}], { 'enable-cors': 'true', ...annotations }));
  const fields = { headers: { origin } };
  const step = after(look, 'http://a.test/', ask(look, 'http://a.test/', fields), OK, fields);
  if (!('answer' in step)) throw new Error('no answer');
  expect(step.answer.headers?.['access-control-allow-origin']).toBe(expected);
  expect(step.answer.headers).not.toHaveProperty('server');
  const asked = ask(look, 'http://a.test/', { ...fields, method: 'OPTIONS' });
  expect(asked).toMatchObject({ answer: { status: 204 } });
});

test('a session stays with the endpoint that its cookie names', () => {
  const look = shop(ingress('one', [{}], { affinity: 'cookie', 'session-cookie-max-age': '60' }));
  const first = ask(look, 'http://a.test/');
  const done = after(look, 'http://a.test/', first, OK);
  if (!('answer' in done)) throw new Error('no answer');
  const [cookie = ''] = [done.answer.headers?.['set-cookie'] ?? []].flat();
  expect(cookie).toMatch(/^INGRESSCOOKIE=[\d.]+\|[0-9a-f]{32}; Max-Age=60; Path=\/; HttpOnly$/);
  const again = { headers: { cookie: cookie.split(';', 1)[0]! } };
  expect(after(look, 'http://a.test/', ask(look, 'http://a.test/', again), OK, again)).not.toHaveProperty(
    'answer.headers.set-cookie',
  );
});

test.each([
  [200, `${WEB} /x`],
  [401, '302 http://in.test/?rd=http://a.test%2Fx'],
  [403, '403'],
  [500, '500'],
])('auth-url that answers %d', (status, expected) => {
  const annotations = {
    ...{ 'auth-url': 'http://auth.test/check', 'auth-signin': 'http://in.test/' },
    'auth-response-headers': 'X-User',
  };
  const look = shop(ingress('one', [{}], annotations));
  const asked = ask(look, 'http://a.test/x');
  expect(asked).toMatchObject({ forward: { address: 'auth.test', port: 80, path: '/check', method: 'GET' } });
  const outcome = { answer: { status, headers: { 'x-user': 'ann', 'set-cookie': ['a', 'b'] } }, took: 1 };
  const next = after(look, 'http://a.test/x', asked, outcome);
  expect(tell(next)).toBe(expected);
  if (status !== 200) return;
  expect(next).toMatchObject({ forward: { headers: { 'x-user': 'ann' } } });
  expect(after(look, 'http://a.test/x', next, OK)).toMatchObject({ answer: { headers: { 'set-cookie': ['a', 'b'] } } });
});

test('a copy of each request goes to mirror-target', () => {
  const look = shop(ingress('one', [{}], { 'mirror-target': 'http://copy.test$request_uri' }));
  expect(ask(look, 'http://a.test/x?y=1')).toMatchObject({ copies: [{ address: 'copy.test', path: '/x?y=1' }] });
});
