import { expect, test } from '@jest/globals';
import { FlowQueue } from './flow-queue.js';

/** Serves `count` pieces of work; each costs its flow what `costs` says (ms), and is queued again. */
function serve(queue: FlowQueue<readonly string[]>, count: number, costs: Record<string, number>): string[] {
  return Array.from({ length: count }, () => {
    const path = queue.shift()!;
    queue.charge(path, costs[path.join('/')] ?? 1);
    queue.push(path, path);
    return path.join('/');
  });
}

function queueOf(...paths: string[]): FlowQueue<readonly string[]> {
  const queue = new FlowQueue<readonly string[]>();
  for (const path of paths) queue.push(path.split('/'), path.split('/'));
  return queue;
}

const countOf = (served: readonly string[], name: string): number =>
  served.filter((path) => path.startsWith(name)).length;

test('work of one flow leaves in the order of its arrival', () => {
  const queue = new FlowQueue<number>();
  for (const n of [1, 2, 3]) queue.push(['a'], n);
  expect([queue.shift(), queue.shift(), queue.size, queue.shift(), queue.shift()]).toEqual([1, 2, 1, 3, undefined]);
});

test('flows whose work costs nothing take turns', () => {
  expect(serve(queueOf('a', 'b', 'c'), 6, { a: 0, b: 0, c: 0 })).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});

test('flows get the same time, whatever one piece of their work costs', () => {
  const served = serve(queueOf('cheap', 'dear'), 110, { cheap: 1, dear: 10 });
  expect([countOf(served, 'cheap'), countOf(served, 'dear')]).toEqual([100, 10]);
});

test('a flow of many flows gets no more than a flow of one', () => {
  const many = Array.from({ length: 100 }, (_, i) => `many/c${i}`);
  const served = serve(queueOf(...many, 'one/c'), 400, {});
  expect(countOf(served, 'one/c')).toBe(200);
  expect(new Set(served.filter((path) => path.startsWith('many'))).size).toBe(100);
});

test('a flow that was idle is next, and has saved up no time', () => {
  const queue = queueOf('a', 'b');
  serve(queue, 1_000, {});
  queue.push(['late'], ['late']);
  expect(countOf(serve(queue, 30, {}), 'late')).toBe(10);
});

test('flows that cannot run are passed over, and keep their place', () => {
  const queue = queueOf('a', 'b');
  expect(queue.shift((name) => name !== 'a')).toEqual(['b']);
  expect(queue.shift((name) => name !== 'a')).toBeUndefined();
  expect([queue.sizeOf(['a']), queue.sizeOf(['b']), queue.sizeOf(['c'])]).toEqual([1, 0, 0]);
  expect(queue.shift()).toEqual(['a']);
});

test('idle flows are forgotten', () => {
  const queue = new FlowQueue<number>();
  for (let i = 0; i < 10_000; i++) {
    queue.push([`t${i}`], i);
    queue.shift();
    queue.charge([`t${i}`], 1);
  }
  const { root } = queue as unknown as { root: { flows: Map<string, unknown> } };
  expect(root.flows.size).toBeLessThanOrEqual(1_000);
});
