import { expect, test } from '@jest/globals';
import type { Start } from '@terrarium/engine';
import { finishRequest, takeRequest } from './take.js';
import { ingress, requestTo, shop, START, tell } from './testing.js';

const [WEB, API] = ['10.244.1.1:8080', '10.244.1.2:8080'];
const start = { ...START, argv: [...START.argv, '--default-backend-service=shop/api'] } as Start;
const asked = requestTo('http://a.test/cart?x=1', { headers: { accept: 'text/html' } });
const answerOf = (status: number) => ({ answer: { status, headers: {}, body: 'theirs' }, took: 1 });

test.each<[string, Record<string, string>, Start, number, string]>([
  ['a code that is listed', { 'custom-http-errors': '404,503' }, start, 404, `${API} /`],
  ['another code', { 'custom-http-errors': '503' }, start, 404, '404'],
  ['a backend of its own', { 'custom-http-errors': '404', 'default-backend': 'web' }, start, 404, `${WEB} /`],
  ['nobody who makes pages', { 'custom-http-errors': '500' }, START, 500, '404'],
  [
    'pages of the backend that stay',
    { 'custom-http-errors': '404', 'disable-proxy-intercept-errors': 'true' },
    start,
    404,
    '404',
  ],
])('the page of %s', (_case, annotations, own, status, expected) => {
  const look = shop(ingress('one', [{ host: 'a.test' }], annotations));
  const first = takeRequest(own, asked, look);
  if (!('forward' in first)) throw new Error('an answer');
  expect(tell(finishRequest(own, asked, first.forward, answerOf(status), look))).toBe(expected);
});

test('what the maker of pages hears, and that its answer is the answer', () => {
  const look = shop(ingress('one', [{ host: 'a.test', to: 'idle' }], { 'custom-http-errors': '503' }));
  const first = takeRequest(start, asked, look);
  if (!('forward' in first)) throw new Error('an answer');
  expect(first.forward.headers).toMatchObject({
    ...{ 'x-code': '503', 'x-format': 'text/html', 'x-original-uri': '/cart?x=1', 'x-namespace': 'shop' },
    ...{ 'x-ingress-name': 'one', 'x-service-name': 'idle', 'x-service-port': '80' },
  });
  const last = finishRequest(start, asked, first.forward, answerOf(503), look);
  expect(last).toMatchObject({ answer: { status: 503, body: 'theirs' } });
  expect('line' in last && last.line).toContain('[upstream-default-backend]');
});

test('the stand-in of a backend without endpoints gets the path', () => {
  const look = shop(ingress('one', [{ host: 'a.test', to: 'idle' }], { 'default-backend': 'web' }));
  expect(tell(takeRequest(START, asked, look))).toBe(`${WEB} /cart?x=1`);
});
