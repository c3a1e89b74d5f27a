import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { ApiRequest } from '@terrarium/engine';
import { costClassOf, Pacer } from './pacer.js';

const LIMITS = { expensiveMs: 20, expensiveBurstMs: 200, expensiveShare: 0.01, tenantExpensiveRequests: 2 };

let pacer: Pacer;
beforeEach(() => {
  jest.useFakeTimers();
  pacer = new Pacer(LIMITS);
});
afterEach(() => void jest.useRealTimers());

/** The neighbour has just made a request. */
const neighbour = (): void => void pacer.admit('quiet', 'cheap');

/** Runs so many requests of 100 ms; returns how many of them did not have to wait. */
function flood(count: number, costClass = 'big'): number {
  let admitted = 0;
  for (let i = 0; i < count; i++) {
    neighbour();
    if (pacer.admit('flood', costClass) !== undefined) return admitted;
    pacer.record('flood', costClass, 100);
    admitted++;
  }
  return admitted;
}

test('expensive requests use up a budget, and then wait for their share of the time', async () => {
  expect(flood(10)).toBe(2);
  neighbour();
  let isAdmitted = false;
  void pacer.admit('flood', 'big')!.then(() => (isAdmitted = true));
  for (let waited = 0; waited < 9_000; waited += 1_000) {
    neighbour();
    await jest.advanceTimersByTimeAsync(1_000);
  }
  expect(isAdmitted).toBe(true);
});

test.each<[string, () => Promise<void> | undefined]>([
  ['cheap requests of the same tenant', () => pacer.admit('flood', 'small')],
  ['expensive requests of another tenant', () => (pacer.record('quiet', 'big', 100), pacer.admit('quiet', 'big'))],
])('%s do not wait', (_, admit) => {
  flood(10);
  expect(admit()).toBeUndefined();
});

test('a request that has waited for half a minute is refused', async () => {
  for (let i = 0; i < 10; i++) pacer.record('flood', 'big', 1_000);
  neighbour();
  const refusal = expect(pacer.admit('flood', 'big')).rejects.toMatchObject({ code: 429 });
  for (let waited = 0; waited < 31_000; waited += 1_000) {
    neighbour();
    await jest.advanceTimersByTimeAsync(1_000);
  }
  await refusal;
});

test('where nobody else is at work nobody waits', async () => {
  flood(10);
  await jest.advanceTimersByTimeAsync(2_001);
  expect(pacer.admit('flood', 'big')).toBeUndefined();
});

test('a class that has become cheap does not wait', () => {
  flood(10);
  for (let i = 0; i < 4; i++) pacer.record('flood', 'big', 1);
  neighbour();
  expect(pacer.admit('flood', 'big')).toBeUndefined();
});

test.each([
  ['new, small', 'new', 1_000, false],
  ['new, large', 'new', 100_000, true],
  ['known to be expensive', 'big', 0, true],
  ['known to be cheap, large', 'cheap', 100_000, false],
])('%s', (_, costClass, bytes, expected) => {
  pacer.record('flood', 'big', 100);
  pacer.record('flood', 'cheap', 100);
  for (let i = 0; i < 8; i++) pacer.record('flood', 'cheap', 1);
  expect(pacer.isExpensive(costClass, bytes)).toBe(expected);
});

test('a tenant whose requests all wait is refused', () => {
  flood(10);
  neighbour();
  expect(pacer.admit('flood', 'big')).toBeDefined();
  expect(() => pacer.admit('flood', 'big')).toThrow(expect.objectContaining({ code: 429 }) as unknown as Error);
});

test.each<[string, Partial<ApiRequest>, string]>([
  ['a list', { path: '/api/v1/namespaces/shop/pods' }, 'c GET pods   0'],
  ['an object', { path: '/api/v1/namespaces/shop/pods/web' }, 'c GET pods   0'],
  ['a namespace', { path: '/api/v1/namespaces/shop' }, 'c GET namespaces   0'],
  ['of a group', { path: '/apis/apps/v1/namespaces/shop/deployments/web/scale' }, 'c GET deployments scale  0'],
  [
    'a body',
    { method: 'PUT', path: '/api/v1/nodes/n', body: new Uint8Array(1_000), headers: { 'content-type': 'x/y' } },
    'c PUT nodes  x/y 10',
  ],
  ['no resource', { path: '/openapi/v2' }, 'c GET    0'],
])('%s', (_, request, expected) =>
  expect(costClassOf('c', { method: 'GET', headers: {}, query: '', ...request } as ApiRequest)).toBe(expected),
);
