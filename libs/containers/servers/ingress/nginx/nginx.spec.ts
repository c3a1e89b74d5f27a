import { expect, test } from '@jest/globals';
import { admitIngress } from './config/admission.js';
import { after, ask, ingress, shop, START, tell, type Rule } from './testing.js';

const WEB = '10.244.1.1:8080';
const API = '10.244.1.2:8080';

test.each<[string, readonly Rule[], string, string]>([
  ['a host', [{ host: 'a.test' }], 'http://a.test/x?y=1', `${WEB} /x?y=1`],
  ['a port in the host', [{ host: 'a.test' }], 'http://a.test:30080/', `${WEB} /`],
  ['another host', [{ host: 'a.test' }], 'http://b.test/', '404'],
  ['no host', [{}], 'http://b.test/', `${WEB} /`],
  ['a wildcard', [{ host: '*.test' }], 'http://b.test/', `${WEB} /`],
  ['a wildcard of one label', [{ host: '*.test' }], 'http://c.b.test/', '404'],
  ['the host before the wildcard', [{ host: '*.test' }, { host: 'a.test', to: 'api' }], 'http://a.test/', `${API} /`],
  ['a prefix', [{ path: '/foo' }], 'http://a.test/foo/bar', `${WEB} /foo/bar`],
  ['a prefix of whole elements', [{ path: '/foo' }], 'http://a.test/foobar', '404'],
  [
    'what the implementation says',
    [{ path: '/foo', type: 'ImplementationSpecific' }],
    'http://a.test/foobar',
    `${WEB} /foobar`,
  ],
  ['an exact path', [{ path: '/foo', type: 'Exact' }], 'http://a.test/foo/', '404'],
  ['the longest path', [{ path: '/' }, { path: '/api', to: 'api' }], 'http://a.test/api/1', `${API} /api/1`],
  ['no endpoints', [{ to: 'idle' }], 'http://a.test/', '503'],
  ['no such Service', [{ to: 'none' }], 'http://a.test/', '503'],
])('%s', (_case, rules, url, expected) => {
  expect(tell(ask(shop(ingress('one', rules)), url))).toBe(expected);
});

test.each<[string, Record<string, string>, Rule, string, string]>([
  [
    'rewrite-target',
    { 'rewrite-target': '/$2' },
    { path: '/app(/|$)(.*)' },
    'http://a.test/app/x?q=1',
    `${WEB} /x?q=1`,
  ],
  ['rewrite-target', { 'rewrite-target': '/' }, { path: '/app' }, 'http://a.test/APP/x', `${WEB} /`],
  ['permanent-redirect', { 'permanent-redirect': 'https://b.test' }, {}, 'http://a.test/', '301 https://b.test'],
  ['temporal-redirect', { 'temporal-redirect': 'https://b.test' }, {}, 'http://a.test/', '302 https://b.test'],
  ['app-root', { 'app-root': '/start' }, {}, 'http://a.test/', '302 http://a.test/start'],
  ['force-ssl-redirect', { 'force-ssl-redirect': 'true' }, {}, 'http://a.test/x', '308 https://a.test/x'],
  ['auth-type without its Secret', { 'auth-type': 'basic' }, {}, 'http://a.test/x', '503'],
])('the annotation %s', (_name, annotations, rule, url, expected) => {
  expect(tell(ask(shop(ingress('one', [rule], annotations)), url))).toBe(expected);
});

const TLS = { tls: [{ hosts: ['a.test'], secretName: 'cert' }] };

test('with TLS, plain requests are sent there', () => {
  const look = shop(ingress('one', [{ host: 'a.test' }], {}, TLS));
  expect(tell(ask(look, 'http://a.test/x'))).toBe('308 https://a.test/x');
  expect(tell(ask(look, 'https://a.test/x'))).toBe(`${WEB} /x`);
});

test('a canary has its share, its header and its cookie', () => {
  const by = (annotations: Record<string, string>) =>
    shop(ingress('main', [{}]), ingress('new', [{ to: 'api' }], { canary: 'true', ...annotations }));
  expect(tell(ask(by({ 'canary-weight': '0' }), 'http://a.test/'))).toBe(`${WEB} /`);
  expect(tell(ask(by({ 'canary-weight': '100' }), 'http://a.test/'))).toBe(`${API} /`);
  const header = { headers: { canary: 'always' } };
  expect(tell(ask(by({ 'canary-by-header': 'Canary' }), 'http://a.test/', header))).toBe(`${API} /`);
  const cookie = { headers: { cookie: 'a=b; canary=always' } };
  expect(tell(ask(by({ 'canary-by-cookie': 'canary' }), 'http://a.test/', cookie))).toBe(`${API} /`);
});

test.each([
  ['another class', { ingressClassName: 'other' }],
  ['no class', { ingressClassName: undefined }],
])('an Ingress of %s is not served', (_case, spec) => {
  expect(tell(ask(shop(ingress('one', [{}], {}, spec)), 'http://a.test/'))).toBe('404');
});

const OK = { answer: { status: 200, body: 'ok' }, took: 4 } as const;
const failed = (failure: 'refused' | 'timeout') => ({ failure, took: 1 });

test('the backend hears who has asked, and the log has a line of it', () => {
  const look = shop(ingress('one', [{ host: 'a.test' }]));
  const found = ask(look, 'http://a.test/', { headers: { 'x-forwarded-for': '6.6.6.6', connection: 'x' } });
  if (!('forward' in found)) throw new Error('an answer');
  expect(found.forward.headers).toEqual({
    ...{ host: 'a.test', 'x-forwarded-host': 'a.test', 'x-forwarded-port': '80', 'x-forwarded-proto': 'http' },
    ...{ 'x-forwarded-scheme': 'http', 'x-scheme': 'http', 'x-real-ip': '10.244.3.3', 'x-forwarded-for': '10.244.3.3' },
    ...{ 'x-original-forwarded-for': '6.6.6.6', 'x-request-id': '80000000'.repeat(4) },
  });
  expect(after(look, 'http://a.test/', found, OK)).toMatchObject({
    answer: { status: 200, body: 'ok' },
    line: expect.stringMatching(
      /^10\.244\.3\.3 - - \[.*\] "GET \/ HTTP\/1\.1" 200 2 "-" "-" 100 0\.000 \[shop-web-80\] \[\] 10\.244\.1\.1:8080 2 0\.004 200 (80000000){4}$/,
    ),
  });
});

test.each<[string, 'refused' | 'timeout', string, number]>([
  ['GET', 'refused', 'tried three times', 502],
  ['GET', 'timeout', 'tried three times', 504],
  ['POST', 'timeout', 'tried once', 504],
  ['POST', 'refused', 'tried three times', 502],
])('a %s that fails by %s is %s, then %s', (method, failure, tries, status) => {
  const look = shop(ingress('one', [{}]));
  let step = ask(look, 'http://a.test/', { method });
  let count = 0;
  for (; 'forward' in step; count++) step = after(look, 'http://a.test/', step, failed(failure), { method });
  expect([count, step.answer.status]).toEqual([tries === 'tried once' ? 1 : 3, status]);
  expect(step.answer.body).toContain('<hr><center>nginx</center>');
});

test.each([
  [
    'what another one has',
    ingress('two', [{ host: 'a.test' }]),
    'host "a.test" and path "/" is already defined in ingress shop/one',
  ],
  [
    'snippets',
    ingress('two', [{}], { 'server-snippet': 'x' }),
    'nginx.ingress.kubernetes.io/server-snippet annotation cannot be used. Snippet directives are disabled by the Ingress administrator',
  ],
  [
    'what is no number',
    ingress('two', [{}], { 'limit-rps': 'many' }),
    'annotation nginx.ingress.kubernetes.io/limit-rps contains invalid value',
  ],
  ['nothing else', ingress('two', [{ host: 'b.test' }]), undefined],
  ['not itself', ingress('one', [{ host: 'a.test' }]), undefined],
])('its webhook refuses %s', (_case, object, message) => {
  const review = {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: { uid: 'u', operation: 'CREATE', object },
  };
  const request = {
    scheme: 'https',
    port: 8443,
    method: 'POST',
    path: '/',
    headers: {},
    body: JSON.stringify(review),
  } as const;
  const { body = '' } = admitIngress(request, START, shop(ingress('one', [{ host: 'a.test' }])).read);
  const { response } = JSON.parse(body) as { response: { allowed: boolean; status?: { message: string } } };
  expect(response).toMatchObject(message === undefined ? { allowed: true } : { allowed: false, status: { message } });
});
