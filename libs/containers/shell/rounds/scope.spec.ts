import { expect, test } from '@jest/globals';
import { textsOfActs, Unsure, type Act } from './scope.js';

/** i=i+1, and prints it. */
const count: Act = (scope) => {
  const next = String(Number(scope.values.get('i')) + 1);
  scope.note(next.length);
  scope.values.set('i', next);
  scope.prints.push(next);
  scope.last = next;
};
const failAt =
  (value: string): Act =>
  ({ values }) => {
    if (values.get('i') === value) throw new Unsure();
  };

test('texts go on from round to round', () => {
  const course = textsOfActs(['i'], [count]).start(['3', '']);
  expect(course.next([])).toBe(true);
  expect(course.values).toEqual(['4', '4']);
  expect(course.prints).toEqual(['4']);
  expect(course.lengths).toEqual([1]);
});

test.each<[string, Act[], readonly string[]]>([
  ['another length', [count], []],
  ['an act that is not sure', [count, failAt('10')], []],
  ['an answer that nobody takes', [count], ['x']],
])('%s ends it, and leaves the values as they were', (_what, acts, answers) => {
  const course = textsOfActs(['i'], acts).start(['9', '9'], [1]);
  expect(course.next(answers)).toBe(false);
  expect(course.values).toEqual(['9', '9']);
});

test('a text that is longer than it was in a known round is other work', () => {
  const course = textsOfActs(['i'], [count]).start(['8', ''], [1]);
  expect([course.next([]), course.next([])]).toEqual([true, false]);
  expect(course.values).toEqual(['9', '9']);
});
