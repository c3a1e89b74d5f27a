import { expect, test } from '@jest/globals';
import type { Client } from '../../machinery/client.js';
import { defineController } from '../controller.js';
import { Widgets } from '../testing.js';
import { Runner } from './runner.js';
import { Wakes } from './wakes.js';
import type { WorkItem } from './work-queue.js';

const runner = new Runner(
  defineController({ name: 'test', actor: 'system:test', for: Widgets, reconcile: () => undefined }),
  undefined,
  () => ({}) as Client,
);
const key = (name: string) => ({ namespace: 'default', name });
const item = (name: string, cause = 0): WorkItem => ({ key: key(name), text: `default/${name}`, cause });
const take = (wakes: Wakes, now: number): string[] =>
  [...wakes.takeDue(now)].map(({ reason, items }) =>
    [reason, ...[...items.values()].map(({ key: { name }, cause }) => `${name}:${cause}`)].join(' '),
  );

const SETTINGS: Record<string, { readonly set: (wakes: Wakes) => unknown; readonly due: Record<number, string[]> }> = {
  'a delay': { set: (wakes) => wakes.delay(100, runner, key('a'), 7, 0), due: { 99: [], 100: ['delay a:7'] } },
  'a delay while another one lasts': {
    set: (wakes) => [wakes.delay(100, runner, key('a'), 7, 0), wakes.delay(100, runner, key('a'), 8, 50)],
    due: { 100: ['delay a:7'], 200: [] },
  },
  'a delay while another one lasts, of a user': {
    set: (wakes) => [
      wakes.delay(100, runner, key('a'), 7, 0),
      wakes.delay(100, runner, key('a'), 8, 50, true),
      wakes.delay(100, runner, key('a'), 9, 60),
    ],
    due: { 100: ['delay a:8'], 200: [] },
  },
  'keys that wait for one limit, one of a user': {
    set: (wakes) => [
      wakes.limit(runner, 'writes', item('a', 1), 30),
      wakes.limit(runner, 'writes', { ...item('a', 2), isUsers: true }, 30),
      wakes.limit(runner, 'writes', item('a', 3), 30),
    ],
    due: { 30: ['rate a:2'] },
  },
  'a wish, which a later one replaces': {
    set: (wakes) => [wakes.requeue(runner, item('a', 5), 10), wakes.requeue(runner, item('a', 6), 20)],
    due: { 10: [], 20: ['requeue a:0'] },
  },
  'a wish that is taken back': {
    set: (wakes) => [wakes.requeue(runner, item('a'), 10), wakes.requeue(runner, item('a'), undefined)],
    due: { 10: [] },
  },
  'keys that wait for one limit': {
    set: (wakes) => ['a', 'b', 'a'].forEach((name, i) => wakes.limit(runner, 'writes', item(name, i), 30)),
    due: { 29: [], 30: ['rate a:0 b:1'] },
  },
};

test.each(Object.keys(SETTINGS))('%s comes when it is due, once', (name) => {
  const { set, due } = SETTINGS[name]!;
  const wakes = new Wakes();
  set(wakes);
  for (const [now, expected] of Object.entries(due)) expect(take(wakes, Number(now))).toEqual(expected);
  expect(take(wakes, 1_000)).toEqual([]);
});

test('as plain data they are what they were', () => {
  const wakes = new Wakes();
  for (const { set } of Object.values(SETTINGS)) set(wakes);
  const saved = JSON.parse(JSON.stringify(wakes.save())) as ReturnType<Wakes['save']>;
  const restored = new Wakes();
  restored.restore(saved, new Map([['test', runner]]));
  expect(take(restored, 1_000)).toEqual(take(wakes, 1_000));
});

test('a checkpoint has delays only', () => {
  const wakes = new Wakes();
  wakes.delay(100, runner, key('a'), 7, 0);
  wakes.requeue(runner, item('b'), 10);
  const waiting = wakes.waitingKeys();
  expect(waiting).toEqual([{ controller: 'test', key: key('a'), cause: 7, due: 100 }]);
  const next = new Wakes();
  next.wait(runner, waiting[0]!);
  expect(next.isDelayed(runner, key('a'))).toBe(true);
  expect(take(next, 100)).toEqual(['delay a:7']);
});
