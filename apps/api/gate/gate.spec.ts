import { describe, expect, test } from '@jest/globals';
import { ApiError } from '@terrarium/engine';
import { FairQueue, LIMITS } from '@terrarium/host';
import { Refusal, unauthenticated, type KeyPrincipal } from '@terrarium/platform';
import type { Gate } from './gate.js';
import type { Identified } from './request-context.js';
import { GATE_LIMITS } from './gate-limits.js';
import type { Edge, FinishedRequest, StartedRequest } from './observer.js';
import { ClientLeft, type RequestContext } from './request-context.js';
import { testGate, testHost, UNLIMITED } from './testing.js';

const arrive = (gate: Gate, edge: Edge, { headers = {}, remoteAddress = '192.0.2.1' } = {}): RequestContext =>
  gate.begin({ edge, verb: 'get', headers, remoteAddress });

const principalOf = (tenantId: string): KeyPrincipal => ({
  kind: 'key',
  tenantId,
  userId: 'u',
  userName: 'u',
  keyId: 'k',
  scope: 'use',
});
const identified = (tenantId: string): Identified => ({ principal: principalOf(tenantId), tenantId, clusterId: 'c1' });

async function enter(gate: Gate, edge: Edge, tenantId: string): Promise<RequestContext> {
  const context = arrive(gate, edge);
  await gate.identify(context, `key of ${tenantId}`, async () => identified(tenantId));
  return context;
}

/** Many iterations of the event loop, in each of which one operation may begin. */
async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
}
const forever = (): Promise<never> => new Promise(() => undefined);
/** What is left over at the end of a test. */
const DEADLINE_MS = 300;
const forget = (running: Promise<unknown>): void => void running.catch(() => undefined);

describe('what is observed', () => {
  test('each request starts once and finishes once, with what became known of it', async () => {
    const seen: (StartedRequest | FinishedRequest)[] = [];
    const pairs: boolean[] = [];
    const observer = {
      started: (request: StartedRequest) => void seen.push(request),
      finished: (request: FinishedRequest, started: StartedRequest) => {
        pairs.push(started === seen[0]);
        seen.push(request);
      },
    };
    const gate = testGate(testHost(), { observers: [observer] });
    const context = arrive(gate, 'kubernetes', {
      headers: { 'x-request-id': 'r-1', traceparent: '00-a-b-01', 'user-agent': 'kubectl' },
    } as object);
    await gate.identify(context, 'key', async () => identified('alice'));
    await gate.run(context, 0, async () => undefined);
    gate.finish(context, 200);
    expect(seen[1]).toMatchObject({
      edge: 'kubernetes',
      verb: 'get',
      requestId: 'r-1',
      traceparent: '00-a-b-01',
      userAgent: 'kubectl',
      code: 200,
      waitMs: 0,
      tenantId: 'alice',
      clusterId: 'c1',
      error: undefined,
    });
    expect([seen.length, pairs]).toEqual([2, [true]]);
  });

  test('an unforeseen error is reported with its request; a client that leaves is 499', () => {
    const reported: unknown[] = [];
    const codes: number[] = [];
    const gate = testGate(testHost(), {
      onError: (error, { requestId }) => void reported.push([error, requestId]),
      observers: [{ started: () => undefined, finished: ({ code }) => void codes.push(code) }],
    });
    const context = arrive(gate, 'rest', { headers: { 'x-request-id': 'r-2' } });
    const error = new Error('broken');
    context.error = error;
    gate.finish(context);
    expect([reported, codes]).toEqual([[[error, 'r-2']], [499]]);
  });
});

describe('who may come in', () => {
  test('a suspended tenant is refused by one sentence', async () => {
    const gate = testGate(testHost(), { tenantLimits: () => ({ ...UNLIMITED, suspended: true }) });
    await expect(enter(gate, 'rest', 'alice')).rejects.toMatchObject({ status: 403, message: expect.any(String) });
  });

  test('beyond its rate a tenant is told when to come again; others are not concerned', async () => {
    let now = 0;
    const tenantLimits = (id: string) => ({ ...UNLIMITED, requestsPerSecond: id === 'slow' ? 2 : undefined });
    const gate = testGate(testHost(), { now: () => now, tenantLimits });
    await enter(gate, 'kubernetes', 'slow');
    await enter(gate, 'rest', 'slow');
    await expect(enter(gate, 'graphql', 'slow')).rejects.toMatchObject({
      code: 429,
      details: { retryAfterSeconds: 1 },
    });
    await enter(gate, 'kubernetes', 'fast');
    now += 500;
    await enter(gate, 'kubernetes', 'slow');
  });

  const refusals = { perSecond: 1, burst: 3 };
  const attempt = async (gate: Gate, remoteAddress: string, credential: string): Promise<unknown> => {
    const context = arrive(gate, 'rest', { remoteAddress });
    try {
      await gate.identify(context, credential, async () => {
        if (credential === 'good') return identified('alice');
        if (credential === 'forged') throw new ApiError(401, 'Unauthorized', 'Unauthorized');
        throw unauthenticated();
      });
      return 200;
    } catch (error) {
      return error instanceof Refusal ? error.status : (error as ApiError).code;
    }
  };

  test('failures of one address are bounded, before credentials are looked at', async () => {
    let now = 0;
    const gate = testGate(testHost(), { now: () => now, limits: { failures: refusals, heldRefusalMs: 0 } });
    const codes = [];
    for (const credential of ['bad', 'forged', 'bad', 'bad', 'forged', 'good'])
      codes.push(await attempt(gate, '192.0.2.1', credential));
    expect(codes).toEqual([401, 401, 401, 429, 429, 429]);
    expect(await attempt(gate, '::ffff:192.0.2.1', 'bad')).toBe(429);
    expect(await attempt(gate, '192.0.2.2', 'bad')).toBe(401);
    now += 1_000;
    expect([await attempt(gate, '192.0.2.1', 'bad'), await attempt(gate, '192.0.2.1', 'bad')]).toEqual([401, 429]);
  });

  test('who was let in before does not suffer for its neighbour behind the same address', async () => {
    const gate = testGate(testHost(), { now: () => 0, limits: { failures: refusals } });
    expect(await attempt(gate, '192.0.2.1', 'good')).toBe(200);
    for (let i = 0; i < 4; i++) await attempt(gate, '192.0.2.1', 'bad');
    expect([await attempt(gate, '192.0.2.1', 'bad'), await attempt(gate, '192.0.2.1', 'good')]).toEqual([429, 200]);
  });

  test('operations of nobody, which may read the schema, count as failures', async () => {
    const gate = testGate(testHost(), { now: () => 0, limits: { failures: refusals } });
    const anonymous = (): Promise<void> =>
      gate.identify(arrive(gate, 'graphql'), undefined, async () => ({ principal: undefined, tenantId: '' }));
    for (let i = 0; i < 3; i++) await anonymous();
    await expect(anonymous()).rejects.toMatchObject({ code: 429 });
  });

  test('visitors whom a cluster refuses count as failures, those whom it lets in do not', async () => {
    const gate = testGate(testHost(), { now: () => 0, limits: { failures: refusals } });
    const visit = async (isRefused: boolean): Promise<void> => {
      const context = arrive(gate, 'kubernetes');
      await gate.identify(context, undefined, async () => ({ principal: undefined, tenantId: 'alice' }));
      if (isRefused) gate.recordRefusal(context);
    };
    for (let i = 0; i < 5; i++) await visit(false);
    for (let i = 0; i < 3; i++) await visit(true);
    await expect(visit(false)).rejects.toMatchObject({ code: 429 });
  });
});

describe('turns', () => {
  test.each<Edge>(['rest', 'graphql', 'subscription'])(
    'a flood by %s keeps to its share, and a neighbour is next',
    async (edge) => {
      const gate = testGate(testHost(), { limits: { operations: 3, tenantOperations: 2, deadlineMs: DEADLINE_MS } });
      const served: string[] = [];
      const ends: (() => void)[] = [];
      const ask = async (tenantId: string): Promise<void> =>
        gate.run(await enter(gate, edge, tenantId), 0, () => {
          served.push(tenantId);
          return new Promise((resolve) => ends.push(resolve));
        });
      for (let i = 0; i < 20; i++) forget(ask('flood'));
      await settled();
      expect(served).toEqual(['flood', 'flood']);
      forget(ask('neighbour'));
      await settled();
      expect(served).toEqual(['flood', 'flood', 'neighbour']);
      forget(ask('neighbour'));
      await settled();
      // Both wait now: the tenant that has had less is first.
      ends[2]!();
      await settled();
      expect(served).toEqual(['flood', 'flood', 'neighbour', 'neighbour']);
    },
  );

  test('requests to clusters take the host’s seats, also within an operation', async () => {
    const { metrics, threadShare } = testHost();
    const host = { ...testHost(), fairQueue: new FairQueue({ ...LIMITS, tenantSeats: 1 }, metrics, threadShare) };
    const gate = testGate(host, { limits: { deadlineMs: DEADLINE_MS } });
    const operation = await enter(gate, 'graphql', 'alice');
    const order: string[] = [];
    const ends: (() => void)[] = [];
    const work = (name: string) => (): Promise<void> => {
      order.push(name);
      return new Promise((resolve) => ends.push(resolve));
    };
    forget(gate.turn(operation, 0, work('of GraphQL')));
    const direct = await enter(gate, 'kubernetes', 'alice');
    forget(gate.run(direct, 0, work('of kubectl')));
    forget(gate.run(await enter(gate, 'kubernetes', 'bob'), 0, work('of a neighbour')));
    await settled();
    expect(order).toEqual(['of GraphQL', 'of a neighbour']);
    ends[0]!();
    await settled();
    expect(order).toEqual(['of GraphQL', 'of a neighbour', 'of kubectl']);
    expect(direct.waitMs).toBeGreaterThan(0);
  });

  test('a request whose client leaves gives up its place', async () => {
    const gate = testGate(testHost(), {
      limits: { tenantOperations: 1, waitingOperations: 1, deadlineMs: DEADLINE_MS },
    });
    forget(gate.run(await enter(gate, 'rest', 'alice'), 0, forever));
    const leaving = await enter(gate, 'rest', 'alice');
    const waiting = gate.run(leaving, 0, forever);
    const next = await enter(gate, 'rest', 'alice');
    await expect(gate.run(next, 0, forever)).rejects.toMatchObject({ code: 429 });
    gate.leave(leaving);
    await expect(waiting).rejects.toBeInstanceOf(ClientLeft);
    forget(gate.run(next, 0, forever));
    await expect(gate.run(await enter(gate, 'rest', 'alice'), 0, forever)).rejects.toMatchObject({ code: 429 });
  });

  test.each<Edge>(['kubernetes', 'rest'])('%s: at the deadline the answer is 504, running or waiting', async (edge) => {
    const { metrics, threadShare } = testHost();
    const fairQueue = new FairQueue({ ...LIMITS, tenantSeats: 1 }, metrics, threadShare);
    const limits = { deadlineMs: 20, tenantOperations: 1 };
    const gate = testGate({ ...testHost(), fairQueue }, { limits });
    const timeout = {
      code: 504,
      reason: 'Timeout',
      message: 'Timeout: request did not complete within the allotted timeout',
    };
    const running = gate.run(await enter(gate, edge, 'alice'), 0, forever);
    const waiting = gate.run(await enter(gate, edge, 'alice'), 0, forever);
    await expect(running).rejects.toMatchObject(timeout);
    await expect(waiting).rejects.toMatchObject(timeout);
  });

  test('work goes on behind a deadline and keeps its seat: who asks again and again gains nothing', async () => {
    const gate = testGate(testHost(), { limits: { deadlineMs: 10, tenantOperations: 1 } });
    let end: () => void = () => undefined;
    const first = gate.run(await enter(gate, 'rest', 'alice'), 0, () => new Promise<void>((r) => (end = r)));
    await expect(first).rejects.toMatchObject({ code: 504 });
    let started = false;
    const second = gate.run(await enter(gate, 'rest', 'alice'), 0, () => void (started = true));
    await expect(second).rejects.toMatchObject({ code: 504 });
    expect(started).toBe(false);
    end();
    await gate.run(await enter(gate, 'rest', 'alice'), 0, () => void (started = true));
    expect(started).toBe(true);
  });

  test('root fields run one after another, and each after the first waits for the tenant’s rate', async () => {
    let now = 0;
    const gate = testGate(testHost(), {
      now: () => now,
      tenantLimits: () => ({ ...UNLIMITED, requestsPerSecond: 1_000 }),
    });
    const context = await enter(gate, 'graphql', 'alice');
    const order: string[] = [];
    const field = (name: string): Promise<void> =>
      gate.runField(context, async () => {
        order.push(`${name} begins`);
        await settled();
        order.push(`${name} ends`);
      });
    const failing = gate.runField(context, () => Promise.reject(new Error('no')));
    await Promise.all([expect(failing).rejects.toThrow('no'), field('a'), field('b')]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    for (let i = 0; i < 997; i++) await gate.runField(context, async () => undefined);
    let isDone = false;
    const last = gate.runField(context, async () => void (isDone = true));
    await settled();
    expect(isDone).toBe(false);
    now += 10;
    await last;
    expect(isDone).toBe(true);
  });
});

test('what is refused is counted by reason', async () => {
  const host = testHost();
  const streams = { ...GATE_LIMITS.streams, exec: { cluster: 0, tenant: 0 }, websocket: { cluster: 0, tenant: 0 } };
  const tenantLimits = (id: string) => ({ ...UNLIMITED, suspended: id === 'gone', requestsPerSecond: 1 });
  const gate = testGate(host, { limits: { streams }, tenantLimits, now: () => 0 });
  await expect(enter(gate, 'rest', 'gone')).rejects.toThrow();
  const session = await enter(gate, 'exec', 'alice');
  expect(() => gate.startStream(session, undefined)).toThrow();
  await expect(enter(gate, 'rest', 'alice')).rejects.toThrow();
  const watch = await enter(gate, 'websocket', 'bob');
  expect(() => gate.startStream(watch, undefined)).toThrow();
  expect(Object.fromEntries(host.metrics.refusals())).toEqual({ suspended: 1, sessions: 1, rate: 1, streams: 1 });
});

describe('streams', () => {
  const limits = { streams: { ...GATE_LIMITS.streams, exec: { cluster: 2, tenant: 3 } } };
  const open = async (gate: Gate, clusterId: string): Promise<RequestContext> => {
    const context = await enter(gate, 'exec', 'alice');
    context.clusterId = clusterId;
    gate.startStream(context, undefined);
    return context;
  };

  test('are counted by cluster and tenant until they finish', async () => {
    const gate = testGate(testHost(), { limits });
    const first = await open(gate, 'c1');
    await open(gate, 'c1');
    await expect(open(gate, 'c1')).rejects.toMatchObject({ code: 429 });
    await open(gate, 'c2');
    await expect(open(gate, 'c3')).rejects.toMatchObject({ code: 429 });
    gate.finish(first, 101);
    await open(gate, 'c1');
  });

  test.each<[string, Partial<{ suspended: boolean; identified: Identified | Error }>, boolean]>([
    ['of a tenant that changes otherwise go on', {}, false],
    ['of a suspended tenant end', { suspended: true }, true],
    ['of a revoked key end', { identified: unauthenticated() }, true],
    ['of a cluster that is gone end', { identified: new ApiError(404, 'NotFound', 'gone') }, true],
    ['of a client whom nobody knows end', { identified: { principal: undefined, tenantId: '' } }, true],
    ['go on while it cannot be found out', { identified: new Error('connection refused') }, false],
  ])('%s', async (_, changed, isEnded) => {
    let now: { suspended?: boolean; identified?: Identified | Error } = {};
    const gate = testGate(testHost(), { tenantLimits: () => ({ ...UNLIMITED, suspended: now.suspended ?? false }) });
    const context = arrive(gate, 'kubernetes');
    await gate.identify(context, 'key', async () => {
      if (now.identified instanceof Error) throw now.identified;
      return now.identified ?? identified('alice');
    });
    let ended = 0;
    gate.startStream(context, () => void ended++);
    now = changed;
    gate.forget('bob');
    await settled();
    expect(ended).toBe(0);
    gate.forget('alice');
    await settled();
    expect(ended).toBe(isEnded ? 1 : 0);
    gate.finish(context, 200);
  });

  test('are watched no more once they have finished', async () => {
    let suspended = false;
    const gate = testGate(testHost(), { tenantLimits: () => ({ ...UNLIMITED, suspended }) });
    const context = await enter(gate, 'kubernetes', 'alice');
    const end = (): never => {
      throw new Error('it has finished');
    };
    gate.startStream(context, end);
    gate.finish(context, 200);
    suspended = true;
    gate.forget();
    await settled();
    expect(() => gate.watchCredential(context, end)()).not.toThrow();
  });

  test('do not hold up a process that ends, and requests do so for a while', async () => {
    const gate = testGate(testHost(), { limits });
    await open(gate, 'c1');
    await gate.whenIdle(60_000);
    const request = await enter(gate, 'rest', 'alice');
    let isIdle = false;
    const idle = gate.whenIdle(60_000).then(() => (isIdle = true));
    await settled();
    expect(isIdle).toBe(false);
    gate.finish(request, 200);
    await idle;
    await enter(gate, 'rest', 'alice');
    await gate.whenIdle(1);
  });
});
