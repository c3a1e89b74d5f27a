import { describe, expect, test } from '@jest/globals';
import { ReconcileLimits } from './reconcile-limits.js';

const newLimits = (rateLimit?: { burst: number; perSecond: number }) =>
  new ReconcileLimits({ component: 'kube-controller-manager', rateLimit });
const ACTOR = 'system:c';

describe('a key', () => {
  test('is reconciled 100 times at once, then every 100 ms; others are not held up', () => {
    const limits = newLimits();
    for (let i = 0; i < 100; i++) {
      expect(limits.waitOf('default/a', ACTOR, 0)).toBeUndefined();
      limits.charge('default/a', ACTOR, 0, 0);
    }
    expect(limits.waitOf('default/a', ACTOR, 0)).toEqual({ name: 'key default/a', delay: 100 });
    expect(limits.waitOf('default/a', ACTOR, 100)).toBeUndefined();
    expect(limits.waitOf('default/b', ACTOR, 0)).toBeUndefined();
  });

  test('is reconciled as often as its controller declares', () => {
    const limits = newLimits({ burst: 2, perSecond: 1 });
    for (let i = 0; i < 2; i++) limits.charge('default/a', ACTOR, 0, 0);
    expect(limits.waitOf('default/a', ACTOR, 0)).toEqual({ name: 'key default/a', delay: 1000 });
  });
});

describe('the changes of a user of kube-controller-manager', () => {
  test('are 20 a second beyond the first 20,000, for all of its keys together', () => {
    const limits = newLimits();
    limits.charge('default/a', ACTOR, 0, 19_998);
    expect(limits.waitOf('default/b', ACTOR, 0)).toBeUndefined();
    limits.charge('default/b', ACTOR, 0, 2);
    // The two reconciles have cost 0.2 changes themselves.
    expect(limits.waitOf('default/c', ACTOR, 0)).toEqual({ name: `writes of ${ACTOR}`, delay: 1010 });
    expect(limits.waitOf('default/c', ACTOR, 1010)).toBeUndefined();
  });

  test('are taken up by reconciles that change nothing, ten for one', () => {
    const limits = newLimits();
    for (let i = 0; i < 200_000; i++) limits.charge(`default/${i}`, ACTOR, 0, 0);
    expect(limits.waitOf('default/a', ACTOR, 0)?.name).toBe(`writes of ${ACTOR}`);
  });

  test('do not hold up another user', () => {
    const limits = newLimits();
    limits.charge('default/a', 'system:node:one', 0, 30_000);
    expect(limits.waitOf('default/b', 'system:node:one', 0)).toEqual({
      name: 'writes of system:node:one',
      delay: 501_005,
    });
    expect(limits.waitOf('default/b', 'system:node:two', 0)).toBeUndefined();
  });
});

describe('retries', () => {
  test('of one key come later each time, from 5 ms doubling to 1000 s, until it is forgotten', () => {
    const limits = newLimits();
    const delays = Array.from({ length: 40 }, () => limits.backOff('a', 0));
    expect(delays.slice(0, 5)).toEqual([5, 10, 20, 40, 80]);
    expect(delays.slice(17, 19)).toEqual([655_360, 1_000_000]);
    expect(delays.at(-1)).toBe(1_000_000);
    expect(limits.backOff('b', 0)).toBe(5);
    limits.forget('a');
    expect(limits.backOff('a', 0)).toBe(5);
  });

  test('of all keys together are 10 a second beyond the first 100', () => {
    const limits = newLimits();
    const delays = Array.from({ length: 103 }, (_, i) => limits.backOff(`key ${i}`, 0));
    expect(delays.slice(98)).toEqual([5, 5, 100, 200, 300]);
  });
});

test('what a rollback has undone costs nothing', () => {
  const limits = newLimits({ burst: 1, perSecond: 1 });
  limits.charge('a', ACTOR, 0, 25_000);
  limits.rollback();
  expect(limits.waitOf('a', ACTOR, 0)).toBeUndefined();
});
