import { expect, test } from '@jest/globals';
import type { KubeObject } from '@terrarium/engine';
import { answered, custom, meshLook, requestTo, tell, virtualService, workloadIn } from '../testing.js';
import { finish } from './finish.js';
import { openOutbound, takeOutbound } from './outbound.js';

const SUBSETS = custom('networking', 'DestinationRule', 'web', {
  host: 'web',
  subsets: ['v1', 'v2'].map((name) => ({ name, labels: { version: name } })),
});
const to = (subset: string, weight?: number): object => ({
  destination: { host: 'web', subset },
  ...(weight === undefined ? {} : { weight }),
});
const V1 = '10.244.1.1:8080';
const V2 = '10.244.1.2:8080';

function ask(objects: readonly KubeObject[], url = 'http://web/', fields: object = {}): string {
  const look = meshLook(SUBSETS, ...objects);
  return tell(takeOutbound(workloadIn(look), requestTo(url, fields), look));
}

test.each<[string, object[], string, object, string]>([
  ['no route: any endpoint', [], 'http://web/x?y=1', {}, `${V2} /x?y=1 tls`],
  ['a subset', [{ route: [to('v1')] }], 'http://web/', {}, `${V1} /`],
  ['weights', [{ route: [to('v1', 40), to('v2', 60)] }], 'http://web/', {}, `${V2} / tls`],
  ['a header', [{ match: [{ headers: { a: { exact: 'b' } } }], route: [to('v1')] }], 'http://web/', {}, '404'],
  [
    'a header that is there',
    [{ match: [{ headers: { a: { exact: 'b' } } }], route: [to('v1')] }],
    'http://web/',
    { headers: { a: 'b' } },
    `${V1} /`,
  ],
  [
    'a prefix that is rewritten',
    [{ match: [{ uri: { prefix: '/api' } }], rewrite: { uri: '/' }, route: [to('v1')] }],
    'http://web/api/x?y=1',
    {},
    `${V1} /x?y=1`,
  ],
  ['a redirect', [{ redirect: { uri: '/new', authority: 'other' } }], 'http://web/', {}, '301 http://other/new'],
  ['an answer', [{ directResponse: { status: 418, body: { string: 'tea' } } }], 'http://web/', {}, '418 tea'],
  [
    'an abort',
    [{ fault: { abort: { httpStatus: 500 } }, route: [to('v1')] }],
    'http://web/',
    {},
    '500 fault filter abort',
  ],
  [
    'an abort for a few',
    [{ fault: { abort: { httpStatus: 500, percentage: { value: 10 } } }, route: [to('v1')] }],
    'http://web/',
    {},
    `${V1} /`,
  ],
  ['a delay', [{ fault: { delay: { fixedDelay: '7s' } }, route: [to('v1')] }], 'http://web/', {}, `7000: ${V1} /`],
  ['a subset that nothing defines', [{ route: [to('v9')] }], 'http://web/', {}, '503'],
  ['another method', [{ match: [{ method: { exact: 'POST' } }], route: [to('v1')] }], 'http://web/', {}, '404'],
])('%s', (_case, http, url, fields, expected) => {
  expect(ask(http.length > 0 ? [virtualService(http)] : [], url, fields)).toBe(expected);
});

test('a Service without endpoints, a host of nobody, and one that may not be reached', () => {
  expect(ask([], 'http://idle/')).toBe('503 no healthy upstream');
  expect(ask([], 'http://example.org/', { original: { address: '203.0.113.1', port: 80 } })).toBe('203.0.113.1:80 /');
  const mesh = {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'istio', namespace: 'istio-system' } },
    data: { mesh: 'outboundTrafficPolicy: {mode: REGISTRY_ONLY}' },
  };
  const fields = { original: { address: '203.0.113.1', port: 80 } };
  expect(ask([mesh as never], 'http://example.org/', fields)).toBe('502');
});

test('what is not answered is asked again as often as the route says', () => {
  const look = meshLook(SUBSETS, virtualService([{ retries: { attempts: 1, retryOn: '5xx' }, route: [to('v1')] }]));
  const workload = workloadIn(look);
  const request = requestTo('http://web/');
  const first = takeOutbound(workload, request, look);
  if (!('forward' in first)) throw new Error('an answer');
  expect(first.forward.headers).toMatchObject({ 'x-envoy-attempt-count': '1', 'x-forwarded-proto': 'http' });
  const second = finish(workload, request, first.forward, answered(503), look);
  if (!('forward' in second)) throw new Error('an answer');
  expect(second.forward.headers['x-envoy-attempt-count']).toBe('2');
  const last = finish(workload, request, second.forward, { failure: 'refused', took: 0 }, look);
  expect(tell(last)).toContain('retried and the latest reset reason: remote connection failure');
  const fine = finish(workload, request, second.forward, answered(200), look);
  expect('answer' in fine && fine.answer.headers).toMatchObject({
    ...{ server: 'envoy', 'x-envoy-upstream-service-time': '3' },
  });
});

test.each<[string, number, string, unknown]>([
  ['10.96.0.1', 80, '', 'http'],
  ['203.0.113.1', 443, '', 'wait'],
  ['203.0.113.1', 443, '\x16hello', 'pass'],
  ['203.0.113.1', 8_080, 'GET / HTTP/1.1', 'http'],
  ['203.0.113.1', 3_306, '', 'pass'],
])('a connection to %s:%d that begins with %j', (address, port, received, expected) => {
  const look = meshLook();
  const met = { port: 15_001, original: { address, port }, client: '10.244.3.3', received };
  const opened = openOutbound(workloadIn(look), met, look);
  expect(typeof opened === 'string' ? opened : 'http' in opened ? 'http' : 'pass').toBe(expected);
});
