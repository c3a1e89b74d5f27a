import { describe, expect, test } from '@jest/globals';
import { filterOutCondition, findCondition, newCondition, setCondition, setStatusCondition } from './conditions.js';

const [THEN, NOW] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2)];
const old = newCondition('Ready', 'True', 'Fine', 'all well', THEN);
const other = newCondition('Other', 'False', 'Not', '', THEN);
const list = [old, other];

test('a condition is found by its type, and left out by it', () => {
  expect(findCondition(list, 'Other')).toBe(other);
  expect(findCondition(undefined, 'Other')).toBeUndefined();
  expect(filterOutCondition(list, 'Ready')).toEqual([other]);
});

describe('setCondition', () => {
  test.each([
    ['leaves the same status and reason', newCondition('Ready', 'True', 'Fine', 'new words', NOW), list],
    [
      'puts another reason last, with the time of its status',
      newCondition('Ready', 'True', 'Better', '', NOW),
      [other, { ...newCondition('Ready', 'True', 'Better', '', NOW), lastTransitionTime: old.lastTransitionTime }],
    ],
    [
      'puts another status last, with its own time',
      newCondition('Ready', 'False', 'Bad', '', NOW),
      [other, newCondition('Ready', 'False', 'Bad', '', NOW)],
    ],
    [
      'adds a new type',
      newCondition('New', 'True', 'R', '', NOW),
      [...list, newCondition('New', 'True', 'R', '', NOW)],
    ],
  ])('%s', (_, condition, expected) => expect(setCondition(list, condition)).toEqual(expected));
});

describe('setStatusCondition', () => {
  test.each([
    [
      'changes reason and message in place, with the time of its status',
      newCondition('Ready', 'True', 'Better', 'new words', NOW),
      [
        { ...newCondition('Ready', 'True', 'Better', 'new words', NOW), lastTransitionTime: old.lastTransitionTime },
        other,
      ],
    ],
    [
      'changes the status in place, with its own time',
      newCondition('Ready', 'False', 'Bad', '', NOW),
      [newCondition('Ready', 'False', 'Bad', '', NOW), other],
    ],
    [
      'adds a new type',
      newCondition('New', 'True', 'R', '', NOW),
      [...list, newCondition('New', 'True', 'R', '', NOW)],
    ],
  ])('%s', (_, condition, expected) => expect(setStatusCondition(list, condition)).toEqual(expected));
});
