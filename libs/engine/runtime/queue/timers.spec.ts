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

test('a timer is found by its id until it fires', () => {
  const t = new Timers<string>();
  t.set('a', 10, 'x');
  expect(t.get('a')).toMatchObject({ due: 10, value: 'x' });
  t.take();
  expect(t.get('a')).toBeUndefined();
});

test('timers that are replaced again and again keep their order', () => {
  const t = new Timers<string>();
  for (let i = 0; i < 10_000; i++) {
    t.set('a', 20_000 - i, 'a');
    t.set('b', 20_000 - i, 'b');
  }
  expect(drain(t)).toEqual(['a@10001', 'b@10001']);
});

test('a time that is none is refused', () =>
  expect(() => new Timers<string>().set('a', NaN, 'a')).toThrow('timer a has no time'));

test('all timers are cleared at once', () => {
  const t = new Timers<string>();
  t.set('a', 10, 'a');
  t.clearAll();
  expect([t.size, t.peek()]).toEqual([0, undefined]);
});
