import { describe, expect, test } from '@jest/globals';
import { TestServer } from '../testing.js';

const server = new TestServer();

test('/ lists every path', () => {
  const { paths } = server.get('/').body;
  expect(paths).toEqual(
    expect.arrayContaining(['/api/v1', '/apis/apps/v1', '/readyz/shutdown', '/openid/v1/jwks', '/metrics']),
  );
  expect(paths).toEqual([...paths].sort());
});

test('/version is indented for every client', () => {
  const { text, body } = server.get('/version');
  expect(text).toMatch(/^\{\n {2}"major": "1",\n {2}"minor": "36",\n/);
  expect(body).toMatchObject({
    major: '1',
    minor: '36',
    gitVersion: expect.stringMatching(/^v1\.36\.\d+$/),
    platform: 'linux/amd64',
  });
});

test.each([
  ['/healthz', 'ok'],
  ['/livez', 'ok'],
  ['/readyz', 'ok'],
  ['/readyz/ping', 'ok'],
])('%s', (url, text) => expect(server.get(url)).toMatchObject({ status: 200, text }));

test.each([
  ['/metrics', 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'],
  ['/metrics/slis', 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'],
  ['/openapi/v3', 'application/json'],
  ['/apis', 'application/json'],
  ['/.well-known/openid-configuration', 'application/json'],
  ['/openid/v1/jwks', 'application/jwk-set+json'],
])('%s is %s', (url, type) =>
  expect(server.get(url)).toMatchObject({ status: 200, headers: { 'content-type': type } }),
);

test.each([
  '/livez/moon',
  '/livez/shutdown',
  '/metrics/moon',
  '/openid/v1/moon',
  '/.well-known',
  '/version/1',
  '/moon',
  '/constructor',
])('%s is not there', (url) => expect(server.get(url)).toMatchObject({ status: 404, text: '404 page not found\n' }));

describe('methods', () => {
  test.each([
    ['/version', 405],
    ['/api', 405],
    ['/api/v1', 405],
    ['/apis/apps/v1', 405],
    ['/apis', 200],
    ['/apis/apps', 200],
    ['/healthz', 200],
  ])('POST %s is answered %i', (url, status) => expect(server.post(url, {}).status).toBe(status));
});

test('a cluster without keys publishes none', () => {
  const keyless = new TestServer();
  Object.assign(keyless.server.writer, { keys: undefined });
  expect(keyless.get('/openid/v1/jwks').status).toBe(404);
});
