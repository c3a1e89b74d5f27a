import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ClusterHost } from '@terrarium/host';
import { ensureOperatorKey, LOGGER } from '@terrarium/platform';
import { createClient } from 'graphql-ws';
import type { Logger } from 'pino';
import { WebSocket } from 'ws';
import { createKey, startTestApi, type TestApi } from './testing.js';

const START_MS = 60_000;
const PAGE = 'https://learn.example.com';
const REQUEST_ID = 'e2e-1';

let service: TestApi;
let url: string;
let key: string;
let operatorKey: string;
let cluster: string;

interface Call {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly as?: string;
}

const call = (path: string, { method, headers, body, as = key }: Call = {}): Promise<Response> =>
  fetch(url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      authorization: `Bearer ${as}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
const json = async <T>(response: Promise<Response>): Promise<T> => (await (await response).json()) as T;
const kubernetes = (path: string): string => `/clusters/${cluster}${path}`;

beforeAll(async () => {
  service = await startTestApi({ CORS_ORIGINS: PAGE });
  ({ url } = service.api);
  key = await createKey(service, 'alice');
  operatorKey = (await ensureOperatorKey(service.database, 'unknown'))!;
  cluster = (await json<{ id: string }>(call('/v1/clusters', { body: { name: 'hers' } }))).id;
}, START_MS);
afterAll(() => service?.close(), START_MS);

/** A WebSocket of a watch: 101, or the status with which it is refused; with the answer's headers. */
function openWatch(headers: Record<string, string> = {}, as = key): Promise<{ status: number; id: unknown }> {
  const path = kubernetes('/api/v1/namespaces?watch=1&timeoutSeconds=1');
  // A page has no headers of its own: its key is one of the protocols that it offers.
  const isPage = headers['origin'] !== undefined;
  const bearer = `base64url.bearer.authorization.k8s.io.${Buffer.from(as).toString('base64url')}`;
  const client = new WebSocket(url.replace('http', 'ws') + path, isPage ? [bearer, 'binary.k8s.io'] : [], {
    headers: isPage ? headers : { authorization: `Bearer ${as}`, ...headers },
  });
  return new Promise((resolve, reject) => {
    client.on('upgrade', ({ headers: answered }) => {
      resolve({ status: 101, id: answered['x-request-id'] });
      client.on('open', () => client.close());
    });
    client.on('unexpected-response', (request, response) => {
      resolve({ status: response.statusCode!, id: response.headers['x-request-id'] });
      request.destroy();
    });
    client.on('error', reject);
  });
}

/** What the first event or error of a subscription is; 'refused' when the connection is. */
async function subscribe(as = key): Promise<string> {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { apiKey: as },
    retryAttempts: 0,
  });
  const query = `subscription { changes(clusterId: "${cluster}", fromRevision: 1) { name } }`;
  try {
    const { value } = await client.iterate({ query }).next();
    return JSON.stringify(value);
  } catch (error) {
    return Array.isArray(error) ? JSON.stringify(error) : 'refused';
  } finally {
    await client.dispose();
  }
}

/** One request to each edge, by a tenant. */
const EDGES: readonly (readonly [string, (as: string) => Promise<number | string>])[] = [
  ['Kubernetes', async (as) => (await call(kubernetes('/api/v1/namespaces'), { as })).status],
  ['a watch on a WebSocket', async (as) => (await openWatch({}, as)).status],
  ['REST', async (as) => (await call(`/v1/clusters/${cluster}`, { as })).status],
  ['GraphQL', async (as) => (await call('/graphql', { body: { query: '{ clusters { items { id } } }' }, as })).status],
  ['a subscription', (as) => subscribe(as)],
];

describe('the id of a request', () => {
  test.each<[string, Call]>([
    ['/clusters/:id/api/v1/namespaces', {}],
    ['/clusters/:id/api/v1/namespaces?watch=1&timeoutSeconds=1', {}],
    ['/clusters/none/api', {}],
    ['/v1/clusters', {}],
    ['/v1/clusters/none', {}],
    ['/graphql', { body: { query: '{ __typename }' } }],
    ['/healthz', {}],
    ['/nowhere', {}],
  ])('is in the answer to %s', async (path, options) => {
    const answer = await call(path.replace(':id', cluster), { ...options, headers: { 'x-request-id': REQUEST_ID } });
    await answer.body?.cancel();
    expect([answer.headers.get('x-request-id'), answer.headers.get('audit-id')]).toEqual([REQUEST_ID, REQUEST_ID]);
  });

  test('is in the answer to an upgrade, accepted or refused', async () => {
    expect(await openWatch({ 'x-request-id': REQUEST_ID })).toEqual({ status: 101, id: REQUEST_ID });
    expect(await openWatch({ 'x-request-id': REQUEST_ID }, 'tk_wrong')).toEqual({ status: 401, id: REQUEST_ID });
  });
});

describe('a page', () => {
  const from = { origin: PAGE };

  test.each(['/v1/clusters', '/graphql', '/clusters/:id/api/v1/namespaces'])(
    'asks %s before it calls it, without a key',
    async (path) => {
      const headers = {
        ...from,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization,content-type',
      };
      const answer = await fetch(url + path.replace(':id', cluster), { method: 'OPTIONS', headers });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, PAGE]);
      expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH');
      expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    },
  );

  test.each([
    ['/v1/clusters', 200],
    ['/v1/clusters/none', 404],
    ['/clusters/:id/api/v1/namespaces', 200],
    ['/clusters/:id/api/v1/namespaces?watch=1&timeoutSeconds=1', 200],
    ['/clusters/:id/nowhere', 404],
  ])('reads the answer of %s', async (path, status) => {
    const answer = await call(path.replace(':id', cluster), { headers: from });
    await answer.body?.cancel();
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, PAGE]);
    expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After');
  });

  test('reads a refusal too', async () => {
    const answer = await call('/v1/clusters', { headers: from, as: 'tk_wrong' });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([401, PAGE]);
  });

  test('opens WebSockets, and one of another origin neither those nor answers', async () => {
    const other = { origin: 'https://evil.example.com' };
    expect([(await openWatch(from)).status, (await openWatch(other)).status]).toEqual([101, 403]);
    const answer = await call('/v1/clusters', { headers: other });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });
});

describe('a tenant', () => {
  let bob: string;
  let tenantId: string;
  beforeAll(async () => {
    bob = await createKey(service, 'bob');
    tenantId = (await service.database.tenant.findUniqueOrThrow({ where: { name: 'bob' } })).id;
  });
  const operate = async (path: string, options: Call = {}): Promise<void> => {
    const answer = await call(`/v1/operator/tenants/${tenantId}${path}`, {
      method: 'POST',
      as: operatorKey,
      ...options,
    });
    expect(answer.status).toBeLessThan(300);
  };

  test('that is suspended is refused by every edge', async () => {
    const own = cluster;
    cluster = (await json<{ id: string }>(call('/v1/clusters', { body: { name: 'his' }, as: bob }))).id;
    await operate('/suspend');
    for (const [name, ask] of EDGES)
      expect([name, await ask(bob)]).toEqual([name, name === 'a subscription' ? 'refused' : 403]);
    const { message } = await json<{ message: string }>(call(kubernetes('/api'), { as: bob }));
    expect(message).toContain('suspended');
    await operate('/resume');
    expect((await call('/v1/clusters', { as: bob })).status).toBe(200);
    cluster = own;
  });

  test('that is suspended, or whose key is revoked, loses its open streams', async () => {
    const own = cluster;
    cluster = (await json<{ items: { id: string }[] }>(call('/v1/clusters', { as: bob }))).items[0]!.id;
    const path = kubernetes('/api/v1/namespaces?watch=1');
    const openAll = async (as: string): Promise<Promise<unknown>[]> => {
      const watch = (await call(path, { as })).text();
      const open = (protocol?: string, route = path): WebSocket =>
        new WebSocket(url.replace('http', 'ws') + route, protocol, { headers: { authorization: `Bearer ${as}` } });
      const [socket, subscription] = [open(), open('graphql-transport-ws', '/graphql')];
      const closed = [socket, subscription].map(
        (client) => new Promise((resolve) => client.on('close', (code) => resolve(code))),
      );
      await Promise.all([socket, subscription].map((client) => new Promise((done) => client.on('open', done))));
      subscription.send(JSON.stringify({ type: 'connection_init', payload: { apiKey: as } }));
      await new Promise((done) => subscription.once('message', done));
      return [watch.then(() => 'ended'), ...closed];
    };
    const suspendedStreams = await openAll(bob);
    await operate('/suspend');
    expect(await Promise.all(suspendedStreams)).toEqual(['ended', 1008, 4403]);
    await operate('/resume');
    const { id, key: second } = await json<{ id: string; key: string }>(
      call('/v1/keys', { body: { name: 'second' }, as: bob }),
    );
    const revoked = await openAll(second);
    expect((await call(`/v1/keys/${id}`, { method: 'DELETE', as: bob })).status).toBe(204);
    expect(await Promise.all(revoked)).toEqual(['ended', 1008, 4403]);
    cluster = own;
  });

  test('that asks too often is told when to come again, at every edge', async () => {
    const own = cluster;
    cluster = (await json<{ items: { id: string }[] }>(call('/v1/clusters', { as: bob }))).items[0]!.id;
    await operate('/limits', { method: 'PATCH', body: { requestsPerSecond: 1 } });
    for (const [name, ask] of EDGES) {
      await ask(bob);
      expect([name, await ask(bob)]).toEqual([name, name === 'a subscription' ? 'refused' : 429]);
    }
    const answers = await Promise.all(Array.from({ length: 3 }, () => call('/v1/clusters', { as: bob })));
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toEqual({ error: 'Too many requests, please try again later.' });
    await operate('/limits', { method: 'PATCH', body: { requestsPerSecond: null } });
    cluster = own;
  });
});

describe('an error that nobody has foreseen', () => {
  test('of the Kubernetes edge is answered 503, and logged with the id of its request', async () => {
    const host = service.api.app.get(ClusterHost);
    const logger = service.api.app.get<Logger>(LOGGER);
    const { request } = host;
    const { error } = logger;
    const logged: object[] = [];
    host.request = () => Promise.reject(new Error('nobody has foreseen this'));
    logger.error = ((entry: object) => void logged.push(entry)) as Logger['error'];
    try {
      const answer = await call(kubernetes('/api'), { headers: { 'x-request-id': 'unforeseen' } });
      expect([answer.status, await answer.json()]).toEqual([
        503,
        expect.objectContaining({ kind: 'Status', reason: 'ServiceUnavailable' }),
      ]);
      for (let i = 0; i < 50 && logged.length === 0; i++) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(logged).toEqual([
        expect.objectContaining({
          requestId: 'unforeseen',
          edge: 'kubernetes',
          cluster,
          err: expect.objectContaining({ message: 'nobody has foreseen this' }),
        }),
      ]);
    } finally {
      Object.assign(host, { request });
      Object.assign(logger, { error });
    }
  });
});
