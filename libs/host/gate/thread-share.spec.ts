import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ThreadShare } from './thread-share.js';

let now: number;
let active: number;
let share: ThreadShare;
beforeEach(() => {
  [now, active] = [10_000, 0];
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  jest.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => ({ active, idle: 0, utilization: 0 }));
  share = new ThreadShare({ atWorkMs: 2_000, burstMs: 100 });
});
afterEach(() => void jest.restoreAllMocks());

test('where nobody else is at work nobody waits', () => {
  share.charge('quiet', 1);
  now += 2_001;
  share.charge('flood', 10_000);
  expect([share.waitOf('flood'), share.waitOf('unknown')]).toEqual([0, 0]);
  expect(share.isOtherAtWork('flood')).toBe(false);
});

test('beyond the burst a tenant waits as long as its work has taken', () => {
  share.charge('quiet', 1);
  share.charge('flood', 100);
  expect(share.waitOf('flood')).toBe(0);
  share.charge('flood', 30);
  expect(share.waitOf('flood')).toBe(60);
  now += 60;
  expect(share.waitOf('flood')).toBe(0);
  share.charge('flood', 1, 9);
  expect(share.waitOf('flood')).toBe(10);
});

test('work alone uses no more than half of the thread while another tenant is at work', () => {
  let worked = 0;
  for (const end = now + 10_000; now < end; now++) {
    share.charge('quiet', 0.001);
    if (share.waitOf('flood') > 0) continue;
    share.charge('flood', 1);
    worked++;
  }
  expect(worked).toBeGreaterThan(5_000);
  expect(worked).toBeLessThan(5_200);
});

test('of two tenants the one that has used less does not wait', () => {
  share.charge('a', 300);
  share.charge('b', 400);
  expect([share.waitOf('a'), share.waitOf('b')]).toEqual([0, 600]);
});

test('nobody waits for longer than two seconds', () => {
  share.charge('quiet', 1);
  share.charge('flood', 60_000);
  expect(share.waitOf('flood')).toBe(2_000);
});

test('time that nobody is charged for is shared by the requests under way', () => {
  share.charge('quiet', 0.001);
  for (let i = 0; i < 3; i++) share.begin('flood');
  share.begin('quiet');
  active += 400;
  now += 0.5;
  share.charge('flood', 40);
  for (let i = 0; i < 3; i++) share.end('flood');
  // 3/4 of 360 ms, and 40 ms: twice that, less the burst.
  expect(share.waitOf('flood')).toBeCloseTo(2 * (270 + 40) - 200, 1);
  expect(share.waitOf('quiet')).toBe(0);
});

test('the time of the loop is read once in half a millisecond, and what is charged meanwhile is not lost', () => {
  share.charge('quiet', 0.001);
  share.begin('flood');
  active += 300;
  share.charge('flood', 100);
  share.end('flood');
  expect(performance.eventLoopUtilization).toHaveBeenCalledTimes(1);
  share.begin('flood');
  now += 0.5;
  share.end('flood');
  // 200 ms that nobody was charged for, and 100 ms: twice that, less the burst and the time that has passed.
  expect(share.waitOf('flood')).toBeCloseTo(2 * (200 + 100) - 200 - 0.5, 1);
});

test('tenants that do nothing are forgotten', () => {
  for (let i = 0; i < 3_000; i++, now += 10) share.charge(`t${i}`, 1);
  expect((share as unknown as { tenants: Map<string, unknown> }).tenants.size).toBeLessThanOrEqual(1_000);
});
