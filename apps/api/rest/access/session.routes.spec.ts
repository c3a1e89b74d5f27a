import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ensureOperatorKey } from '@terrarium/platform';
import { WebSocket } from 'ws';
import { createKey, startTestApi, type TestApi } from '../../testing.js';

const START_MS = 120_000;
let service: TestApi;
let key = '';
let cluster = '';

beforeAll(async () => {
  service = await startTestApi();
  key = await createKey(service, 'alice');
  const made = await call('POST', '/v1/clusters', { authorization: `Bearer ${key}` }, { name: 'hers' });
  cluster = ((await made.json()) as { id: string }).id;
}, START_MS);
afterAll(() => service?.close(), START_MS);

const call = (method: string, url: string, headers: Record<string, string> = {}, body?: unknown): Promise<Response> =>
  fetch(service.api.url + url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
const bearer = (credential: string): Record<string, string> => ({ authorization: `Bearer ${credential}` });

async function signIn(credential: string): Promise<{ status: number; cookie: string }> {
  const response = await call('POST', '/v1/session', bearer(credential));
  return { status: response.status, cookie: (response.headers.get('set-cookie') ?? '').split(';')[0]! };
}
const createLink = async (credential: string): Promise<string> =>
  ((await (await call('POST', '/v1/session/links', bearer(credential))).json()) as { link: string }).link;
const page = (cookie: string): Record<string, string> => ({ cookie, 'x-terrarium-console': '1' });

describe('a session', () => {
  test('stands for its key at every edge, and ends when it is signed out', async () => {
    const { cookie } = await signIn(key);
    const get = async (url: string): Promise<number> => (await call('GET', url, page(cookie))).status;
    expect(await (await call('GET', '/v1/session', page(cookie))).json()).toMatchObject({
      kind: 'key',
      scope: 'manage',
    });
    expect(await get('/v1/clusters')).toBe(200);
    expect(await get(`/clusters/${cluster}/api/v1/namespaces`)).toBe(200);
    const query = { query: '{ clusters { items { name } } }' };
    expect(await (await call('POST', '/graphql', page(cookie), query)).json()).toMatchObject({
      data: { clusters: { items: [{ name: 'hers' }] } },
    });
    expect((await call('DELETE', '/v1/session', page(cookie))).status).toBe(204);
    expect(await get('/v1/clusters')).toBe(401);
  });

  test('counts for no request that another site can make', async () => {
    const { cookie } = await signIn(key);
    expect((await call('GET', '/v1/clusters', { cookie })).status).toBe(401);
    const foreign = { ...page(cookie), origin: 'https://evil.example' };
    expect((await call('GET', '/v1/clusters', foreign)).status).toBe(401);
    expect((await call('GET', `/clusters/${cluster}/api/v1/namespaces`, { cookie })).status).toBe(401);
  });

  test('ends with its key, and makes neither links nor other sessions', async () => {
    const made = await call('POST', '/v1/keys', bearer(key), { name: 'short', scope: 'read' });
    const { id, key: short } = (await made.json()) as { id: string; key: string };
    const { cookie } = await signIn(short);
    expect((await call('POST', '/v1/clusters', page(cookie), { name: 'x' })).status).toBe(403);
    expect((await call('POST', '/v1/session/links', page(cookie))).status).toBe(403);
    expect((await call('POST', '/v1/session', page(cookie))).status).toBe(403);
    expect((await call('DELETE', `/v1/keys/${id}`, bearer(key))).status).toBe(204);
    expect((await call('GET', '/v1/session', page(cookie))).status).toBe(401);
  });

  test('opens the WebSocket of GraphQL for pages of our own origin', async () => {
    const { cookie } = await signIn(key);
    const open = (origin: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${service.api.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
          headers: { cookie, origin },
        });
        socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init' })));
        socket.on('message', (data) => {
          resolve((JSON.parse(String(data)) as { type: string }).type);
          socket.close();
        });
        socket.on('close', (code) => resolve(`closed ${code}`));
        socket.on('error', ({ message }) => resolve(message));
      });
    expect(await open(service.api.url)).toBe('connection_ack');
    expect(await open('https://evil.example')).toMatch(/403/);
  });

  test('of the operator reaches tenants and no cluster', async () => {
    const operator = (await ensureOperatorKey(service.database, undefined))!;
    const { cookie } = await signIn(operator);
    expect(await (await call('GET', '/v1/session', page(cookie))).json()).toMatchObject({ kind: 'operator' });
    expect((await call('GET', '/v1/operator/tenants', page(cookie))).status).toBe(200);
    expect((await call('GET', '/v1/clusters', page(cookie))).status).toBe(403);
  });
});

describe('a link', () => {
  test('signs one browser in, once', async () => {
    const link = await createLink(key);
    const both = await Promise.all([signIn(link), signIn(link)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 401]);
    const { cookie } = both.find(({ status }) => status === 201)!;
    expect((await call('GET', '/v1/clusters', page(cookie))).status).toBe(200);
  });

  test('is good for nothing else, and ends', async () => {
    const link = await createLink(key);
    for (const url of ['/v1/clusters', '/v1/session', `/clusters/${cluster}/api/v1/namespaces`])
      expect((await call('GET', url, bearer(link))).status).toBe(401);
    await service.database.signInLink.updateMany({ data: { expiresAt: new Date(0) } });
    expect((await signIn(link)).status).toBe(401);
  });
});

test.each(['tk_wrong', 'ts_wrong', 'tl_wrong', ''])('"%s" signs nobody in', async (credential) =>
  expect((await signIn(credential)).status).toBe(401),
);

test('to a browser a page of a cluster is of no origin', async () => {
  const url = `/clusters/${cluster}/version`;
  const get = async (agent: string): Promise<string | null> =>
    (await call('GET', url, { ...bearer(key), 'user-agent': agent })).headers.get('content-security-policy');
  expect(await get('Mozilla/5.0 (X11)')).toMatch(/^sandbox /);
  expect(await get('kubectl/v1.36')).toBeNull();
});
