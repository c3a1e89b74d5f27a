import { beforeEach, describe, expect, test } from '@jest/globals';
import { Metrics } from '../metrics.js';
import { FairQueue } from './fair-queue.js';
import { ThreadShare } from './thread-share.js';

const LIMITS = { seats: 4, tenantSeats: 3, tenantSeatsMs: 30, tenantQueueLength: 5, tenantQueueBytes: 1_000 };
let turns: FairQueue;
let share: ThreadShare;
let metrics: Metrics;
let started: string[];

beforeEach(() => {
  metrics = new Metrics();
  share = new ThreadShare({ atWorkMs: 2_000, burstMs: 100 });
  turns = new FairQueue(LIMITS, metrics, share);
  started = [];
});

/** Notes when the request starts. */
function ask(tenant: string, bytes = 0): void {
  const turn = turns.acquire(tenant, bytes);
  if (turn) void turn.then(() => started.push(tenant));
  else started.push(tenant);
}
const times = (n: number, work: () => void): void => {
  for (let i = 0; i < n; i++) work();
};
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a tenant leaves a seat for another', () => {
  times(5, () => ask('a'));
  expect(started).toEqual(['a', 'a', 'a']);
  ask('b');
  expect(started).toEqual(['a', 'a', 'a', 'b']);
});

test('tenants that wait take turns', async () => {
  times(6, () => ask('a'));
  times(4, () => ask('b'));
  ask('c');
  started = [];
  turns.release('a');
  turns.release('a');
  turns.release('a');
  await settled();
  expect(started.sort()).toEqual(['a', 'b', 'c']);
});

test('who leaves makes room for one more', async () => {
  times(4, () => ask('a'));
  turns.release('a');
  await settled();
  expect(started).toEqual(['a', 'a', 'a', 'a']);
});

test('a request whose client leaves gives up its place', async () => {
  times(3, () => ask('a'));
  const [leaving, staying] = [new AbortController(), new AbortController()];
  const left = turns.acquire('a', 600, () => leaving.signal);
  const stays = turns.acquire('a', 0, () => staying.signal);
  leaving.abort(new Error('the client has left'));
  await expect(left).rejects.toThrow('the client has left');
  turns.release('a');
  await expect(stays).resolves.toBeUndefined();
  // Neither its place nor its bytes are taken any more.
  times(5, () => ask('a', 200));
  expect(() => turns.acquire('a')).toThrow('Too many requests');
  // A signal that comes when the request runs changes nothing.
  staying.abort();
  turns.release('a');
});

describe('beyond what may wait', () => {
  const OVERLOADED = expect.objectContaining({
    code: 429,
    message: 'Too many requests, please try again later.',
    details: { retryAfterSeconds: 1 },
  }) as unknown as Error;
  test('requests are refused, of this tenant alone', () => {
    times(8, () => ask('a'));
    expect(() => ask('a')).toThrow(OVERLOADED);
    expect([...metrics.refusals()]).toEqual([['tenantQueue', 1]]);
    expect(() => ask('b')).not.toThrow();
  });
  test('bodies are refused', () => {
    times(3, () => ask('a', 900));
    ask('a', 900);
    expect(() => ask('a', 200)).toThrow(OVERLOADED);
    expect(() => ask('a', 100)).not.toThrow();
  });
});

test('expensive requests run one at a time', async () => {
  ask('a');
  times(20, () => turns.recordCost('a', 1, 100));
  times(3, () => ask('a'));
  expect(started).toEqual(['a']);
  turns.release('a');
  await settled();
  expect(started).toEqual(['a', 'a']);
});

test('of tenants that wait, the one that has used the least time is next', async () => {
  times(3, () => ask('dear'));
  ask('cheap');
  times(4, () => ask('dear'));
  times(4, () => ask('cheap'));
  started = [];
  turns.recordCost('dear', 3, 60);
  turns.recordCost('cheap', 1, 1);
  times(3, () => turns.release('dear'));
  await settled();
  expect(started).toEqual(['cheap', 'cheap', 'dear']);
});

test('a tenant that has used more than another one at work waits, although there are seats', async () => {
  turns.recordCost('light', 1, 1);
  turns.recordCost('heavy', 1, 150);
  ask('light');
  ask('heavy');
  expect(started).toEqual(['light']);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(started).toEqual(['light', 'heavy']);
});

test('tenants that do nothing are forgotten', () => {
  times(3_000, () => {
    const name = `t${started.length}`;
    ask(name);
    turns.release(name);
  });
  expect((turns as unknown as { tenants: Map<string, unknown> }).tenants.size).toBeLessThanOrEqual(1_000);
});
