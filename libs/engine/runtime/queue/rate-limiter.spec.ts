import { describe, expect, test } from '@jest/globals';
import { RateLimiter } from './rate-limiter.js';

const LIMIT = { burst: 3, perSecond: 10 };

describe('a bucket of 3 tokens, and 10 a second', () => {
  test.each([
    ['untouched has one', 0, 0, 1, 0],
    ['untouched has all', 0, 0, 3, 0],
    ['emptied gets one after 100 ms', 3, 0, 1, 100],
    ['emptied gets three after 300 ms', 3, 0, 3, 300],
    ['emptied has got one by then', 3, 100, 1, 0],
    ['overdrawn waits for its debt first', 8, 0, 1, 600],
    ['is full again, not fuller', 3, 10_000, 4, 100],
  ])('%s', (_, taken, at, tokens, delay) => {
    const limiter = new RateLimiter(LIMIT);
    if (taken > 0) limiter.take('a', 0, taken);
    expect(limiter.delay('a', at, tokens)).toBe(delay);
  });

  test('knows nothing of another', () => {
    const limiter = new RateLimiter(LIMIT);
    limiter.take('a', 0, 3);
    expect(limiter.delay('b', 0)).toBe(0);
  });

  test('waits whole ms', () => {
    const limiter = new RateLimiter({ burst: 1, perSecond: 3 });
    limiter.take('a', 0);
    expect(limiter.delay('a', 0)).toBe(334);
    expect(limiter.delay('a', 334)).toBe(0);
  });
});

test('buckets that are full again are dropped', () => {
  const limiter = new RateLimiter(LIMIT);
  for (let i = 0; i < 10_000; i++) limiter.take(`key ${i}`, i * 10);
  expect(limiter.size).toBeLessThan(100);
});

test('a rollback gives back what has been taken since the last commit', () => {
  const limiter = new RateLimiter(LIMIT);
  limiter.take('a', 0, 2);
  limiter.commit();
  limiter.take('a', 0);
  limiter.take('a', 0, 5);
  limiter.take('b', 0);
  limiter.rollback();
  expect(limiter.delay('a', 0, 1)).toBe(0);
  expect(limiter.delay('a', 0, 2)).toBe(100);
  expect(limiter.size).toBe(1);
});
