import { describe, expect, test } from '@jest/globals';
import { WorkQueue } from './work-queue.js';

const key = (name: string) => ({ namespace: 'default', name });
const drain = (queue: WorkQueue): [string, number][] => [...queue.drain()].map(([text, item]) => [text, item.cause]);

describe('a queue', () => {
  test('holds each key once, in the order of arrival, with the cause that came first', () => {
    const queue = new WorkQueue();
    queue.add(key('b'), 1);
    queue.add(key('a'), 2);
    queue.add(key('b'), 3);
    expect(queue.size).toBe(2);
    expect(drain(queue)).toEqual([
      ['default/b', 1],
      ['default/a', 2],
    ]);
    expect(queue.size).toBe(0);
  });

  test('keeps what comes while a round works for the next one', () => {
    const queue = new WorkQueue();
    queue.add(key('a'), 1);
    for (const _ of queue.drain()) queue.add(key('a'), 2);
    expect(drain(queue)).toEqual([['default/a', 2]]);
  });

  test('keeps names only, and not the object that was given as the key', () => {
    const queue = new WorkQueue();
    queue.add({ ...key('a'), object: {} } as never, 1);
    expect([...queue.drain().values()]).toEqual([{ key: key('a'), cause: 1 }]);
  });

  test('is empty when cleared', () => {
    const queue = new WorkQueue();
    queue.add(key('a'), 1);
    queue.clear();
    expect(drain(queue)).toEqual([]);
  });
});

test('the back-off doubles from 5 ms to 1000 s for each key, until it is forgotten', () => {
  const queue = new WorkQueue();
  const delays = Array.from({ length: 40 }, () => queue.backOff('a'));
  expect(delays.slice(0, 5)).toEqual([5, 10, 20, 40, 80]);
  expect(delays.slice(17, 19)).toEqual([655_360, 1_000_000]);
  expect(delays.at(-1)).toBe(1_000_000);
  expect(queue.backOff('b')).toBe(5);
  queue.forget('a');
  expect(queue.backOff('a')).toBe(5);
});
