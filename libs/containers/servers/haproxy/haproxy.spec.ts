import { expect, test } from '@jest/globals';
import type { KubeObject, Start } from '@terrarium/engine';
import type { Ingress } from '../../../engine/api/networking_v1.js';
import type { Look, Step } from '../proxy/proxy.js';
import { ingress, requestTo, shop, tell, type Rule } from '../ingress/nginx/testing.js';
import { finishRequest, takeRequest } from './serve.js';
import { serveOwn } from './proxy.js';

const WEB = '10.244.1.1:8080';
const start = {
  argv: ['/haproxy-ingress-controller', '--ingress.class=haproxy', '--configmap=haproxy/conf'],
  seed: 's',
  at: 0,
} as unknown as Start;
const classes = {
  ...{ apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name: 'haproxy' } },
  spec: { controller: 'haproxy.org/ingress-controller/haproxy' },
} as never;
function own(annotations: Record<string, string> = {}, spec: object = {}, rule: Rule = { host: 'a.test' }): Ingress {
  const made = ingress('one', [rule], {}, { ingressClassName: 'haproxy', ...spec });
  const prefixed = Object.entries(annotations).map(([name, value]) => [`haproxy.org/${name}`, value]);
  return { ...made, metadata: { ...made.metadata, annotations: Object.fromEntries(prefixed) } };
}
const config = (data: Record<string, string>): KubeObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'haproxy', name: 'conf' }, data }) as never;
const users = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'users', namespace: 'shop' } },
  data: { bob: btoa('{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=') },
} as never;
const ask = (look: Look, url: string, fields: object = {}): Step => takeRequest(start, requestTo(url, fields), look);

test.each<[string, Record<string, string>, object, string, object, string]>([
  ['an Ingress', {}, {}, 'http://a.test/x?y=1', {}, `${WEB} /x?y=1`],
  ['another class', {}, { ingressClassName: 'nginx' }, 'http://a.test/', {}, '404'],
  ['another host', {}, {}, 'http://b.test/', {}, '404'],
  ['a path of one word', { 'path-rewrite': '/z' }, {}, 'http://a.test/x?y=1', {}, `${WEB} /z?y=1`],
  ['a path of groups', { 'path-rewrite': '/foo/(.*) /\\1' }, {}, 'http://a.test/foo/bar', {}, `${WEB} /bar`],
  ['TLS', {}, { tls: [{ hosts: ['a.test'], secretName: 's' }] }, 'http://a.test/x', {}, '302 https://a.test:8443/x'],
  [
    'TLS that may be plain',
    { 'ssl-redirect': 'false' },
    { tls: [{ secretName: 's' }] },
    'http://a.test/',
    {},
    `${WEB} /`,
  ],
  [
    'a port and a code',
    { 'ssl-redirect': 'true', 'ssl-redirect-port': '443', 'ssl-redirect-code': '301' },
    {},
    'http://a.test/x',
    {},
    '301 https://a.test:443/x',
  ],
  ['another host to go to', { 'request-redirect': 'b.test' }, {}, 'http://a.test/x', {}, '302 http://b.test/x'],
  ['who may not come', { 'deny-list': '10.244.0.0/16' }, {}, 'http://a.test/', {}, '403'],
  ['who else may', { 'allow-list': '192.168.0.0/16' }, {}, 'http://a.test/', {}, '403'],
  ['no password', { 'auth-type': 'basic-auth', 'auth-secret': 'users' }, {}, 'http://a.test/', {}, '401'],
  [
    'a password',
    { 'auth-type': 'basic-auth', 'auth-secret': 'users' },
    {},
    'http://a.test/',
    { headers: { authorization: `Basic ${btoa('bob:bar')}` } },
    `${WEB} /`,
  ],
])('%s', (_case, annotations, spec, url, fields, expected) => {
  expect(tell(ask(shop(own(annotations, spec), classes, users), url, fields))).toBe(expected);
});

test('what is said for all, headers, limits, pages, and the line of its log', () => {
  const all = shop(own(), classes, config({ 'request-redirect': 'b.test' }));
  expect(tell(ask(all, 'http://a.test/'))).toBe('302 http://b.test/');
  const look = shop(own({ 'request-set-header': 'X-Own "yes"', 'response-set-header': 'X-Answer no' }), classes);
  const request = requestTo('http://a.test/');
  const step = takeRequest(start, request, look);
  if (!('forward' in step)) throw new Error('an answer');
  expect(step.forward.headers).toMatchObject({ 'x-own': 'yes', 'x-forwarded-for': '10.244.3.3' });
  const done = finishRequest(
    request,
    step.forward,
    { answer: { status: 200, headers: {}, body: 'ok' }, took: 1 },
    look,
  );
  expect(done).toMatchObject({ answer: { headers: { 'x-answer': 'no' } } });
  expect('line' in done && done.line).toContain(`shop_svc_web_80/${WEB} 0/0/0/0/0 200 2`);
  expect(finishRequest(request, step.forward, { failure: 'timeout', took: 1 }, look)).toMatchObject({
    answer: { status: 504 },
  });
  const limited = shop(own({ 'rate-limit-requests': '1' }), classes);
  expect([1, 2].map(() => tell(ask(limited, 'http://a.test/')))).toEqual([`${WEB} /`, '403']);
  const idle = ask(shop(own({}, {}, { host: 'a.test', to: 'idle' }), classes), 'http://a.test/');
  expect(idle).toMatchObject({ answer: { status: 503, body: expect.stringContaining('No server is available') } });
  expect(serveOwn({ port: 1_042, path: '/healthz', method: 'GET' } as never).status).toBe(200);
});
