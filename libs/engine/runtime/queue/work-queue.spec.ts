import { describe, expect, test } from '@jest/globals';
import { keyText } from '../../machinery/meta/object.js';
import { WorkQueue, type WorkItem } from './work-queue.js';

const key = (name: string) => ({ namespace: 'default', name });

/** The keys of one turn, with their causes; `during` is called at each. */
function turn(queue: WorkQueue, during = (): void => {}): [string, number][] {
  const items: WorkItem[] = [];
  queue.beginTurn();
  for (let item = queue.take(); item; item = queue.take()) {
    items.push(item);
    during();
  }
  queue.endTurn();
  return items.map(({ key, cause }) => [keyText(key), cause]);
}

describe('a queue', () => {
  test('holds each key once, in the order of arrival, with the cause that came first', () => {
    const queue = new WorkQueue();
    queue.add(key('b'), 1);
    queue.add(key('a'), 2);
    queue.add(key('b'), 3);
    expect(queue.size).toBe(2);
    expect(turn(queue)).toEqual([
      ['default/b', 1],
      ['default/a', 2],
    ]);
    expect(queue.size).toBe(0);
  });

  test('answers to a user who comes meanwhile, in its turn too, and to the last one', () => {
    const queue = new WorkQueue();
    const byUser = (name: string, cause: number): void => queue.add(key(name), cause, false, true);
    queue.add(key('a'), 1);
    queue.add(key('b'), 2);
    byUser('a', 3);
    queue.add(key('a'), 4);
    const taken = turn(queue, () => byUser('b', 5));
    expect(taken).toEqual([
      ['default/a', 3],
      ['default/b', 5],
    ]);
    byUser('a', 6);
    byUser('a', 7);
    // What came while b ran waits as well.
    expect(turn(queue)).toEqual([
      ['default/b', 5],
      ['default/a', 7],
    ]);
  });

  test('takes the last change for the cause of a key that was loaded, until something happens', () => {
    const queue = new WorkQueue();
    queue.add(key('a'), 1, true);
    queue.add(key('b'), 2, true);
    queue.add(key('a'), 7, true);
    queue.add(key('a'), 3, true);
    queue.add(key('b'), 8);
    expect(turn(queue)).toEqual([
      ['default/a', 7],
      ['default/b', 2],
    ]);
  });

  test('keeps what comes during a turn for the next one', () => {
    const queue = new WorkQueue();
    queue.add(key('a'), 1);
    expect(turn(queue, () => queue.add(key('a'), 2))).toEqual([['default/a', 1]]);
    expect(turn(queue)).toEqual([['default/a', 2]]);
  });

  test('does not repeat a key that is still to come in this turn', () => {
    const queue = new WorkQueue();
    queue.add(key('a'), 1);
    queue.add(key('b'), 2);
    queue.beginTurn();
    queue.take();
    queue.add(key('b'), 3);
    expect(turn(queue)).toEqual([['default/b', 2]]);
    expect(queue.size).toBe(0);
  });

  test('goes on with a turn that was interrupted', () => {
    const queue = new WorkQueue();
    for (const name of ['a', 'b']) queue.add(key(name), 1);
    queue.beginTurn();
    expect(queue.take()?.key.name).toBe('a');
    queue.add(key('c'), 2);
    expect(queue.size).toBe(2);
    expect(turn(queue)).toEqual([['default/b', 1]]);
    expect(turn(queue)).toEqual([['default/c', 2]]);
  });

  test('keeps the rest of a turn that is given up, ahead of what came meanwhile', () => {
    const queue = new WorkQueue();
    for (const name of ['a', 'b']) queue.add(key(name), 1);
    queue.beginTurn();
    queue.take();
    queue.add(key('c'), 2);
    queue.endTurn();
    expect(turn(queue)).toEqual([
      ['default/b', 1],
      ['default/c', 2],
    ]);
  });

  test('keeps names only, and not the object that was given as the key', () => {
    const queue = new WorkQueue();
    queue.add({ ...key('a'), object: {} } as never, 1);
    queue.beginTurn();
    expect(queue.take()).toEqual({ key: key('a'), text: 'default/a', cause: 1 });
  });

  test('gives a key that was put back before all others, once', () => {
    const queue = new WorkQueue();
    for (const name of ['a', 'b']) queue.add(key(name), 1);
    queue.beginTurn();
    const first = queue.take()!;
    queue.add(key('a'), 2);
    queue.putBack(first);
    queue.add(key('a'), 3);
    expect([queue.take(), queue.take()?.text, queue.take(), queue.size]).toEqual([first, 'default/b', undefined, 0]);
  });

  test('is empty when cleared', () => {
    const queue = new WorkQueue();
    queue.add(key('a'), 1);
    queue.clear();
    expect(turn(queue)).toEqual([]);
  });
});
