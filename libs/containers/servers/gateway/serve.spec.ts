import { expect, test } from '@jest/globals';
import { finishRequest } from './serve.js';
import { ask, gateway, grant, requestTo, route, shop, tell, to } from './testing.js';
import type { Filter, Route, RouteMatch } from './resources.js';

const WEB = '10.244.1.1:8080';
const API = '10.244.1.2:8080';
const one = (match: RouteMatch, name = 'web'): Route => route([{ matches: [match], backendRefs: [to(name)] }]);
const two = (first: RouteMatch, second: RouteMatch): Route =>
  route([
    { matches: [first], backendRefs: [to('web')] },
    { matches: [second], backendRefs: [to('api')] },
  ]);
const path = (value: string, type = 'PathPrefix'): RouteMatch => ({ path: { type, value } });
const header = (name: string, value: string, type?: string): RouteMatch => ({
  headers: [{ name, value, ...(type && { type }) }],
});

test.each<[string, Route, string, object, string]>([
  ['a rule without matches', route([{ backendRefs: [to('web')] }]), 'http://a.test/x', {}, `${WEB} /x`],
  ['a prefix of whole elements', one(path('/foo')), 'http://a.test/foobar', {}, '404'],
  ['a prefix with a slash', one(path('/foo/')), 'http://a.test/foo', {}, `${WEB} /foo`],
  ['an exact path', one(path('/foo', 'Exact')), 'http://a.test/foo/', {}, '404'],
  ['an expression', one(path('/f[o]+', 'RegularExpression')), 'http://a.test/fooo', {}, `${WEB} /fooo`],
  ['the longest prefix', two(path('/'), path('/api')), 'http://a.test/api/1', {}, `${API} /api/1`],
  ['the exact path first', two(path('/api'), path('/api', 'Exact')), 'http://a.test/api', {}, `${API} /api`],
  ['a method', one({ method: 'POST' }), 'http://a.test/', {}, '404'],
  ['a header', two({}, header('X-A', '1')), 'http://a.test/', { headers: { 'x-a': '1' } }, `${API} /`],
  [
    'a header by an expression',
    one(header('x-a', '[12]', 'RegularExpression')),
    'http://a.test/',
    { headers: { 'x-a': '3' } },
    '404',
  ],
  ['a query', one({ queryParams: [{ name: 'a', value: 'b c' }] }), 'http://a.test/?a=b+c', {}, `${WEB} /?a=b+c`],
  [
    'a method before headers',
    two(header('a', '1'), { method: 'GET' }),
    'http://a.test/',
    { headers: { a: '1' } },
    `${API} /`,
  ],
  ['the first of two that are alike', two(path('/a'), path('/a')), 'http://a.test/a', {}, `${WEB} /a`],
  ['another host', route([{ backendRefs: [to('web')] }], { hostnames: ['b.test'] }), 'http://a.test/', {}, '404'],
  ['a wildcard', route([{ backendRefs: [to('web')] }], { hostnames: ['*.test'] }), 'http://a.b.test/', {}, `${WEB} /`],
  ['no endpoints', one({}, 'idle'), 'http://a.test/', {}, '503'],
  ['no such Service', one({}, 'none'), 'http://a.test/', {}, '500'],
  ['no backend', route([{}]), 'http://a.test/', {}, '500'],
  [
    'a weight of nothing',
    route([{ backendRefs: [to('web', { weight: 0 }), to('api')] }]),
    'http://a.test/',
    {},
    `${API} /`,
  ],
  ['another namespace', route([{ backendRefs: [to('far', { namespace: 'other' })] }]), 'http://a.test/', {}, '500'],
])('%s', (_case, given, url, fields, expected) => {
  expect(tell(ask(shop(gateway({}), given), url, fields))).toBe(expected);
});

test('a ReferenceGrant opens another namespace', () => {
  const far = route([{ backendRefs: [to('far', { namespace: 'other' })] }]);
  expect(tell(ask(shop(gateway({}), far, grant('HTTPRoute', 'Service')), 'http://a.test/'))).toBe('10.244.1.3:8080 /');
  expect(tell(ask(shop(gateway({}), far, grant('GRPCRoute', 'Service')), 'http://a.test/'))).toBe('500');
  expect(tell(ask(shop(gateway({}), far, grant('HTTPRoute', 'Service', 'x')), 'http://a.test/'))).toBe('500');
});

test('a GRPCRoute is one of paths', () => {
  const match = { method: { service: 'shop.Cart', method: 'Add' } } as never;
  const grpc = route([{ matches: [match], backendRefs: [to('web')] }], {}, {}, 'GRPCRoute');
  const post = { method: 'POST' };
  expect(tell(ask(shop(gateway({}), grpc), 'http://a.test/shop.Cart/Add', post))).toBe(`${WEB} /shop.Cart/Add`);
  expect(tell(ask(shop(gateway({}), grpc), 'http://a.test/shop.Cart/Drop', post))).toBe('404');
});

test('a listener with a closer name has its own routes', () => {
  const listeners = gateway({}, { hostname: '*.test' });
  const wide = route([{ backendRefs: [to('web')] }], { parentRefs: [{ name: 'main', sectionName: 'l0' }] });
  expect(tell(ask(shop(listeners, wide), 'http://a.test/'))).toBe('404');
  expect(tell(ask(shop(listeners, wide), 'http://a.example/'))).toBe(`${WEB} /`);
});

const filtered = (filter: Filter, prefix = '/old'): Route =>
  route([{ matches: [path(prefix)], filters: [filter], backendRefs: [to('web')] }]);
const redirect = (requestRedirect: Filter['requestRedirect']): Filter => ({
  type: 'RequestRedirect',
  requestRedirect: requestRedirect!,
});
const rewrite = (urlRewrite: Filter['urlRewrite']): Filter => ({ type: 'URLRewrite', urlRewrite: urlRewrite! });

test.each<[string, Filter, string, string]>([
  ['another host', redirect({ hostname: 'b.test' }), '/old/x?y=1', '302 http://b.test/old/x?y=1'],
  ['another scheme', redirect({ scheme: 'https', statusCode: 301 }), '/old', '301 https://a.test/old'],
  ['another port', redirect({ port: 8080 }), '/old', '302 http://a.test:8080/old'],
  ['the whole path', redirect({ path: { replaceFullPath: '/new' } }), '/old/x?y=1', '302 http://a.test/new?y=1'],
  ['its prefix', redirect({ path: { replacePrefixMatch: '/' } }), '/old/x', '302 http://a.test/x'],
  ['a rewritten prefix', rewrite({ path: { replacePrefixMatch: '/new/' } }), '/old/x?y=1', `${WEB} /new/x?y=1`],
  ['a rewritten prefix alone', rewrite({ path: { replacePrefixMatch: '/' } }), '/old', `${WEB} /`],
])('%s', (_case, filter, asked, expected) => {
  expect(tell(ask(shop(gateway({}), filtered(filter)), `http://a.test${asked}`))).toBe(expected);
});

test('headers are set, added and removed, and a mirror gets a copy', () => {
  const modified = route([
    {
      filters: [
        {
          type: 'RequestHeaderModifier',
          requestHeaderModifier: {
            set: [{ name: 'X-A', value: '2' }],
            add: [{ name: 'X-B', value: '2' }],
            remove: ['x-c'],
          },
        },
        { type: 'ResponseHeaderModifier', responseHeaderModifier: { add: [{ name: 'X-D', value: '4' }] } },
        { type: 'RequestMirror', requestMirror: { backendRef: to('api') } },
        { type: 'CORS', cors: { allowOrigins: ['https://*.test'], allowMethods: ['GET'] } },
      ],
      backendRefs: [to('web')],
    },
  ]);
  const look = shop(gateway({}), modified);
  const fields = { headers: { 'x-a': '1', 'x-b': '1', 'x-c': '1', origin: 'https://x.test' } };
  const step = ask(look, 'http://a.test/', fields);
  if (!('forward' in step)) throw new Error('an answer');
  expect(step.forward.headers).toMatchObject({ 'x-a': '2', 'x-b': '1,2', 'x-forwarded-for': '10.244.3.3' });
  expect(step.forward.headers).not.toHaveProperty('x-c');
  expect(step.copies?.map(({ address }) => address)).toEqual(['10.244.1.2']);
  const outcome = { answer: { status: 200, headers: { 'x-own': '1' }, body: '' }, took: 1 };
  const end = finishRequest(requestTo('http://a.test/', fields), step.forward, outcome, look);
  expect('answer' in end && end.answer.headers).toMatchObject({
    ...{ 'x-own': '1', 'x-d': '4', server: 'nginx' },
    'access-control-allow-origin': 'https://x.test',
  });
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: 'https://x.test', 'access-control-request-method': 'GET' },
  };
  const answered = ask(look, 'http://a.test/', preflight);
  expect('answer' in answered && answered.answer).toMatchObject({
    headers: { 'access-control-allow-methods': 'GET', 'access-control-max-age': '5' },
  });
});

test.each([
  ['refused', 502],
  ['timeout', 504],
] as const)('a backend that is %s', (failure, status) => {
  const look = shop(gateway({}), route([{ backendRefs: [to('web')] }]));
  const step = ask(look, 'http://a.test/');
  if (!('forward' in step)) throw new Error('an answer');
  const end = finishRequest(requestTo('http://a.test/'), step.forward, { failure, took: 1 }, look);
  expect(tell(end)).toBe(String(status));
});
