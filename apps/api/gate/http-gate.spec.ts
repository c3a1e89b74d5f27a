import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Gate } from './gate.js';
import { serveThroughGate, type HttpEdge } from './http-gate.js';
import type { FinishedRequest } from './observer.js';
import { testGate, testHost } from './testing.js';

let fastify: FastifyInstance;
let gate: Gate;
let finished: FinishedRequest[];
let refusal: Error | undefined;

const below = (prefix: string) => (route: { url: string }) => route.url.startsWith(prefix);
const edges = (): HttpEdge[] => [
  {
    edge: 'rest',
    inTurns: true,
    isServedBy: below('/v1/'),
    identify: async ({ requestContext }) => {
      if (refusal) throw refusal;
      await gate.identify(requestContext, undefined, async () => ({ principal: undefined, tenantId: 'alice' }));
    },
  },
  {
    edge: 'graphql',
    inTurns: true,
    isServedBy: below('/graphql'),
    refuse: (error, reply) => reply.code(429).send({ errors: [(error as Error).message] }),
  },
  { edge: 'open', inTurns: false, isServedBy: below('/healthz') },
];

beforeEach(() => {
  finished = [];
  refusal = undefined;
  gate = testGate(testHost(), {
    limits: { tenantOperations: 1, waitingOperations: 0 },
    observers: [{ started: () => undefined, finished: (request) => void finished.push(request) }],
  });
  fastify = Fastify({ forceCloseConnections: true });
  serveThroughGate(fastify, gate, edges());
});
afterEach(() => fastify.close());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

async function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  if (!fastify.server.listening) await fastify.listen({ port: 0, host: '127.0.0.1' });
  const { port } = fastify.server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

test('a route that no edge has cannot be added', () => {
  expect(() => fastify.get('/new', () => 'open to all')).toThrow(
    'GET /new is of no edge: add it to the table that has its kind',
  );
});

test('every answer says which request it is of, also that of a path that nothing serves', async () => {
  fastify.get('/v1/x', () => 'x');
  for (const [url, code] of [
    ['/v1/x', 200],
    ['/nowhere', 404],
  ] as const) {
    const { status, headers } = await get(url, { 'x-request-id': 'r-1' });
    expect([status, headers.get('x-request-id'), headers.get('audit-id')]).toEqual([code, 'r-1', 'r-1']);
  }
  expect(finished.map(({ edge, code, requestId, tenantId }) => [edge, code, requestId, tenantId])).toEqual([
    ['rest', 200, 'r-1', 'alice'],
    ['open', 404, 'r-1', undefined],
  ]);
});

test('a request that is refused does not reach its handler', async () => {
  refusal = Object.assign(new Error('no'), { statusCode: 403 });
  let isReached = false;
  fastify.get('/v1/x', () => {
    isReached = true;
    return 'x';
  });
  expect([(await get('/v1/x')).status, isReached]).toEqual([403, false]);
});

describe('a handler', () => {
  test('runs in a turn of its tenant, and an edge may answer by itself when there is none', async () => {
    let end: (() => void) | undefined;
    const slow = (): Promise<string> => new Promise((resolve) => (end = () => resolve('done')));
    fastify.get('/v1/slow', slow);
    fastify.get('/graphql', slow);
    for (const [url, refused] of [
      ['/v1/slow', expect.stringContaining('Too many requests')],
      ['/graphql', '{"errors":["Too many requests, please try again later."]}'],
    ] as const) {
      end = undefined;
      const first = get(url);
      while (!end) await new Promise((resolve) => setTimeout(resolve, 5));
      expect((await get(url)).body).toEqual(refused);
      (end as () => void)();
      expect((await first).body).toBe('done');
    }
  });

  test('holds its turn no longer than until the answer is known', async () => {
    fastify.get('/v1/x', async (_request, reply) => {
      void reply.send('known');
      // As a client that reads slowly.
      await new Promise((resolve) => setTimeout(resolve, 200));
      return reply;
    });
    const startedAt = performance.now();
    for (let i = 0; i < 3; i++) expect((await get('/v1/x')).body).toBe('known');
    expect(performance.now() - startedAt).toBeLessThan(200);
  });

  test('that fails leaves no turn behind', async () => {
    fastify.get('/v1/x', () => Promise.reject(new Error('broken')));
    for (let i = 0; i < 3; i++) expect((await get('/v1/x')).status).toBe(500);
  });
});
