import { beforeEach, describe, expect, test } from '@jest/globals';
import { FairQueue } from './fair-queue.js';

const LIMITS = { seats: 4, tenantSeats: 3, tenantSeatsMs: 30, tenantQueueLength: 5, tenantQueueBytes: 1_000 };
let turns: FairQueue;
let started: string[];

beforeEach(() => {
  turns = new FairQueue(LIMITS);
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

describe('beyond what may wait', () => {
  const OVERLOADED = expect.objectContaining({
    code: 429,
    message: 'Too many requests, please try again later.',
    details: { retryAfterSeconds: 1 },
  }) as unknown as Error;
  test('requests are refused, of this tenant alone', () => {
    times(8, () => ask('a'));
    expect(() => ask('a')).toThrow(OVERLOADED);
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

test('tenants that do nothing are forgotten', () => {
  times(3_000, () => {
    const name = `t${started.length}`;
    ask(name);
    turns.release(name);
  });
  expect((turns as unknown as { tenants: Map<string, unknown> }).tenants.size).toBeLessThanOrEqual(1_000);
});
