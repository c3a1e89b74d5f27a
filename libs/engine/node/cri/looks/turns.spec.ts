import { expect, test } from '@jest/globals';
import { UnfinishedWork } from '../../../machinery/unfinished.js';
import { Turns } from './turns.js';

const leaveOften = (turns: Turns, turn: string, times: number): void => {
  for (let i = 0; i < times; i++) turns.leave(turn);
};

test.each([
  [0, false],
  [999, false],
  [1_000, true],
])('work that was left %d times is overdue: %s', (times, isOverdue) => {
  const turns = new Turns();
  leaveOften(turns, 'a', times);
  expect([turns.isOverdue('a'), turns.isOverdue('b')]).toEqual([isOverdue, false]);
});

test('what is finished begins anew', () => {
  const turns = new Turns();
  leaveOften(turns, 'a', 1_000);
  turns.finish('a');
  expect(turns.isOverdue('a')).toBe(false);
});

test('leaving is told by an error of its own', () => expect(new Turns().leave('a')).toBeInstanceOf(UnfinishedWork));

test('only so many pieces of work are remembered', () => {
  const turns = new Turns();
  leaveOften(turns, 'a', 1_000);
  for (let i = 0; i < 500; i++) turns.leave(`other ${i}`);
  expect(turns.isOverdue('a')).toBe(false);
});
