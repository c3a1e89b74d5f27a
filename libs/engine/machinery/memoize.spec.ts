import { expect, test } from '@jest/globals';
import { memoize } from './memoize.js';

test('remembers answers, and forgets them all when there are too many', () => {
  const asked: string[] = [];
  const double = memoize(2, (text: string) => {
    asked.push(text);
    return text + text;
  });
  expect(['a', 'a', 'b', 'a', 'c', 'a'].map(double)).toEqual(['aa', 'aa', 'bb', 'aa', 'cc', 'aa']);
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});

test.each([
  [256, 1],
  [257, 2],
])('a key of %d characters is computed %d times of two', (length, times) => {
  let computed = 0;
  const measure = memoize(2, (text: string) => (computed++, text.length));
  expect([measure('x'.repeat(length)), measure('x'.repeat(length))]).toEqual([length, length]);
  expect(computed).toBe(times);
});
