import { expect, test } from '@jest/globals';
import { Timers } from './timers.js';

const drain = (t: Timers<string>): string[] => {
  const out: string[] = [];
  for (let x = t.take(); x; x = t.take()) out.push(`${x.id}@${x.due}`);
  return out;
};

test('timers fire by time, then by the order they were set', () => {
  const t = new Timers<string>();
  for (const [id, due] of [
    ['a', 30],
    ['b', 10],
    ['c', 30],
    ['d', 20],
  ] as const)
    t.set(id, due, id);
  expect(drain(t)).toEqual(['b@10', 'd@20', 'a@30', 'c@30']);
});

test('a key has one timer: setting replaces, clearing removes', () => {
  const t = new Timers<string>();
  t.set('a', 10, 'a');
  t.set('a', 50, 'a');
  t.set('b', 20, 'b');
  t.set('c', 30, 'c');
  t.clear('c');
  expect(t.peek()!.id).toBe('b');
  expect(drain(t)).toEqual(['b@20', 'a@50']);
  expect(t.size).toBe(0);
});
