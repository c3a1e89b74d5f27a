import { expect, test } from '@jest/globals';
import type { KubeObject, Start } from '@terrarium/engine';
import { STAMP } from '../../../engine/node/kubelet/testing.js';
import type { Look, Step } from '../proxy/proxy.js';
import { ingress, requestTo, shop, tell } from '../ingress/nginx/testing.js';
import { finishRequest, takeRequest } from './serve.js';
import { matches, parseRule } from './rules.js';
import { staticOf } from './static.js';

const ARGV = [
  ...['traefik', '--entryPoints.web.address=:8000/tcp', '--entryPoints.websecure.address=:8443', '--api.insecure=true'],
  ...['--providers.kubernetesingress', '--providers.kubernetescrd', '--ping', '--entryPoints.websecure.http.tls=true'],
  '--accesslog=true',
];
const start = (...more: string[]): Start =>
  ({
    argv: [...ARGV, ...more],
    pod: { name: 'traefik-0' },
    container: { image: 'traefik:v3.3' },
    seed: 's',
    at: 0,
  }) as unknown as Start;
const custom = (kind: string, name: string, spec: object): KubeObject =>
  ({
    ...{ apiVersion: 'traefik.io/v1alpha1', kind, spec },
    metadata: { name, namespace: 'shop', creationTimestamp: STAMP },
  }) as never;
const route = (match: string, more: object = {}, spec: object = {}): KubeObject =>
  custom('IngressRoute', `r${match.length}`, {
    ...{ entryPoints: ['web'], ...spec },
    routes: [{ match, kind: 'Rule', services: [{ name: 'web', port: 80 }], ...more }],
  });
const withMiddleware = (spec: object): KubeObject[] => [
  custom('Middleware', 'm', spec),
  route('Host(`a.test`)', { middlewares: [{ name: 'm' }] }),
];
const at = (port: number, url: string, fields: object = {}) => ({ ...requestTo(url, fields), port });
const ask = (look: Look, url: string, fields: object = {}, own = start()): Step =>
  takeRequest(own, at(8_000, url, fields), look);
const [WEB, API] = ['10.244.1.1:8080', '10.244.1.2:8080'];

test.each([
  ['Host(`a.test`)', 'http://A.test/', true],
  ['Host(`a.test`) && PathPrefix(`/api`)', 'http://a.test/api/x', true],
  ['Host(`a.test`) && (Path(`/x`) || Path(`/y`))', 'http://a.test/y', true],
  ['Host(`a.test`) && !Path(`/x`)', 'http://a.test/x', false],
  ['HostRegexp(`^[a-z]+\\.test$`)', 'http://b.test/', true],
  ['Host("a.test", "b.test")', 'http://b.test/', true],
  ['Method(`POST`)', 'http://a.test/', false],
  ['Header(`X-Own`, `yes`)', 'http://a.test/', true],
  ['Query(`v`, `2`)', 'http://a.test/?v=2', true],
  ['ClientIP(`10.0.0.0/8`)', 'http://a.test/', true],
])('%s of %s: %s', (text, url, expected) => {
  const rule = parseRule(text);
  if (typeof rule === 'string') throw new Error(rule);
  const request = requestTo(url, { headers: { 'x-own': 'yes' } });
  expect(matches(rule, request, new URL(url).host)).toBe(expected);
});

test.each([
  ['Host(`a.test`', 'error while parsing rule Host(`a.test`: unexpected "EOF"'],
  ['Hosts(`a.test`)', 'error while checking rule Hosts(`a.test`): unsupported function: Hosts'],
  ['Host(`a.test`) &&', 'error while parsing rule Host(`a.test`) &&: unexpected "EOF"'],
  ['', 'error while parsing rule '],
])('%j is no rule', (text, expected) => expect(String(parseRule(text)).slice(0, expected.length)).toBe(expected));

test('a command line', () => {
  expect(staticOf(start('--entrypoints.web.http.redirections.entryPoint.to=websecure'))).toMatchObject({
    entryPoints: [
      { name: 'web', port: 8_000, isTls: false, redirect: { scheme: 'https', port: '8443', isPermanent: true } },
      { name: 'websecure', port: 8_443, isTls: true },
      { name: 'traefik', port: 8_080, isTls: false },
    ],
    ...{ isInsecure: true, hasPing: true, providers: ['kubernetes', 'kubernetescrd'] },
  });
});

test.each<[string, object[], string, string]>([
  ['nothing', [], 'http://a.test/', '404'],
  [
    'an Ingress of its class',
    [{ ...ingress('one', [{ host: 'a.test' }], {}, { ingressClassName: undefined }) }],
    'http://a.test/x',
    `${WEB} /x`,
  ],
  ['an Ingress of another class', [ingress('one', [{ host: 'a.test' }])], 'http://a.test/', '404'],
  ['an IngressRoute', [route('Host(`a.test`)')], 'http://a.test/', `${WEB} /`],
  [
    'the longer of two rules',
    [route('Host(`a.test`)'), route('Host(`a.test`) && PathPrefix(`/api`)', { services: [{ name: 'api', port: 80 }] })],
    'http://a.test/api',
    `${API} /api`,
  ],
  [
    'a priority',
    [
      route('Host(`a.test`)', { priority: 99 }),
      route('Host(`a.test`) && PathPrefix(`/api`)', { services: [{ name: 'api', port: 80 }] }),
    ],
    'http://a.test/api',
    `${WEB} /api`,
  ],
  [
    'a Service without endpoints',
    [route('Host(`a.test`)', { services: [{ name: 'idle', port: 80 }] })],
    'http://a.test/',
    '404',
  ],
  ['a route of TLS at the other port', [route('Host(`a.test`)', {}, { tls: {} })], 'http://a.test/', '404'],
])('%s', (_case, objects, url, expected) => {
  expect(tell(ask(shop(...(objects as never[])), url))).toBe(expected);
});

test.each<[string, object, object, string]>([
  ['stripPrefix', { stripPrefix: { prefixes: ['/api'] } }, {}, `${WEB} /x?y=1`],
  ['addPrefix', { addPrefix: { prefix: '/v1' } }, {}, `${WEB} /v1/api/x?y=1`],
  ['replacePathRegex', { replacePathRegex: { regex: '^/api/(.*)', replacement: '/$1/z' } }, {}, `${WEB} /x/z?y=1`],
  ['redirectScheme', { redirectScheme: { scheme: 'https', permanent: true } }, {}, '301 https://a.test/api/x?y=1'],
  [
    'redirectRegex',
    { redirectRegex: { regex: '^http://a.test/(.*)', replacement: 'http://b.test/${1}' } },
    {},
    '302 http://b.test/api/x?y=1',
  ],
  ['basicAuth', { basicAuth: { secret: 'users' } }, {}, '401'],
  [
    'basicAuth',
    { basicAuth: { secret: 'users' } },
    { headers: { authorization: `Basic ${btoa('bob:bar')}` } },
    `${WEB} /api/x?y=1`,
  ],
  ['ipAllowList', { ipAllowList: { sourceRange: ['192.168.0.0/16'] } }, {}, '403'],
  ['one that is not simulated', { forwardAuth: { address: 'http://x' } }, {}, '404'],
])('%s', (_case, spec, fields, expected) => {
  const users = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'users', namespace: 'shop' },
    data: { users: btoa('bob:{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=\n') },
  };
  expect(tell(ask(shop(...withMiddleware(spec), users as never), 'http://a.test/api/x?y=1', fields))).toBe(expected);
});

test('headers, a limit, weights, and the line of the log', () => {
  const headers = {
    headers: { customRequestHeaders: { 'X-Own': 'yes' }, customResponseHeaders: { 'X-Answer': 'no' } },
  };
  const look = shop(...withMiddleware(headers));
  const asked = at(8_000, 'http://a.test/');
  const step = takeRequest(start(), asked, look);
  if (!('forward' in step)) throw new Error('an answer');
  expect(step.forward.headers).toMatchObject({
    'x-own': 'yes',
    'x-forwarded-server': 'traefik-0',
    'x-forwarded-proto': 'http',
  });
  const last = finishRequest(
    start(),
    asked,
    step.forward,
    { answer: { status: 200, headers: {}, body: 'ok' }, took: 1 },
    look,
  );
  expect(last).toMatchObject({ answer: { headers: { 'x-answer': 'no' } } });
  expect('line' in last && last.line).toMatch(
    /"GET \/ HTTP\/1.1" 200 2 "-" "-" 1 "shop-r14-[0-9a-f]{20}@kubernetescrd" "http:\/\/10.244.1.1:8080" 0ms/,
  );
  const limited = shop(...withMiddleware({ rateLimit: { average: 1, burst: 2 } }));
  expect([1, 2, 3].map(() => tell(ask(limited, 'http://a.test/')))).toEqual([`${WEB} /`, `${WEB} /`, '429']);
  const weighed = shop(
    route('Host(`a.test`)', {
      services: [
        { name: 'web', port: 80, weight: 3 },
        { name: 'api', port: 80, weight: 1 },
      ],
    }),
  );
  const turns = Array.from({ length: 8 }, () => tell(ask(weighed, 'http://a.test/')));
  expect(turns.filter((one) => one.startsWith(API))).toHaveLength(2);
});

test('its API shows what is configured', () => {
  const look = shop(route('Host(`a.test`)'), custom('Middleware', 'm', { stripPrefix: { prefixes: ['/a'] } }));
  const step = takeRequest(start(), at(8_080, 'http://x/api/rawdata'), look);
  const data = JSON.parse(('answer' in step && step.answer.body) || '{}') as {
    routers: object;
    services: object;
    middlewares: object;
  };
  const [[name, router] = []] = Object.entries(data.routers);
  expect(name).toMatch(/^shop-r14-[0-9a-f]{20}@kubernetescrd$/);
  expect(router).toMatchObject({ rule: 'Host(`a.test`)', status: 'enabled', using: ['web'], priority: 14 });
  expect(Object.values(data.services)[0]).toMatchObject({ serverStatus: { 'http://10.244.1.1:8080': 'UP' } });
  expect(Object.keys(data.middlewares)).toEqual(['shop-m@kubernetescrd']);
  expect(takeRequest(start(), at(8_080, 'http://x/ping'), look)).toMatchObject({ answer: { status: 200, body: 'OK' } });
});
