import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Deadlines, type Deadline } from './deadlines.js';

let deadlines: Deadlines;
let expired: string[];
beforeEach(() => {
  jest.useFakeTimers();
  deadlines = new Deadlines(1_000);
  expired = [];
});
afterEach(() => void jest.useRealTimers());

const add = (name: string): Deadline => deadlines.add(() => void expired.push(name));

test('each work ends at its own deadline', () => {
  add('a');
  jest.advanceTimersByTime(400);
  add('b');
  jest.advanceTimersByTime(599);
  expect(expired).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(expired).toEqual(['a']);
  jest.advanceTimersByTime(399);
  expect(expired).toEqual(['a']);
  jest.advanceTimersByTime(1);
  expect(expired).toEqual(['a', 'b']);
});

test('what has ended does not expire, and what follows it does', () => {
  const first = add('a');
  jest.advanceTimersByTime(500);
  deadlines.delete(first);
  add('b');
  jest.advanceTimersByTime(999);
  expect(expired).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(expired).toEqual(['b']);
  add('c');
  jest.advanceTimersByTime(1_000);
  expect(expired).toEqual(['b', 'c']);
});

test('one timer serves all, and none is left when nothing is under way', () => {
  for (let i = 0; i < 100; i++) deadlines.delete(add(`${i}`));
  add('last');
  expect(jest.getTimerCount()).toBe(1);
  jest.advanceTimersByTime(1_000);
  expect(expired).toEqual(['last']);
  expect(jest.getTimerCount()).toBe(0);
});

test('work that has ended is left out wherever it stands, and ends once', () => {
  const [first, middle, last] = [add('a'), add('b'), add('c')];
  add('d');
  for (const deadline of [middle, first, middle]) deadlines.delete(deadline);
  deadlines.delete(last);
  jest.advanceTimersByTime(1_000);
  deadlines.delete(last);
  add('e');
  jest.advanceTimersByTime(1_000);
  expect(expired).toEqual(['d', 'e']);
});
