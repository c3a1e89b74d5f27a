import { expect, test } from '@jest/globals';
import type { Event } from '../api/core_v1.js';
import { AssertionError } from '../machinery/assert.js';
import type { Client } from '../machinery/client.js';
import { defineKind } from '../machinery/kind.js';
import type { Key } from '../machinery/meta/object.js';
import { defineController, type Context, type Controller, type Result } from './controller.js';
import { Loop } from './loop.js';
import { State } from './state.js';
import { widget, Widgets, type Widget } from './testing.js';

const Events = defineKind<Event>({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  scope: 'Namespaced',
  definition: '',
});
const RESOURCE = 'widgets.test.dev';

/** A loop over a bare state: writes go straight in. */
function harness(...controllers: Controller[]) {
  const state = new State();
  const client = (actor: string, cause: () => number) =>
    ({
      get: (k: typeof Widgets, key: Key) => state.get(k, key),
      update: (_: unknown, o: Widget) => state.put(RESOURCE, { ...o, metadata: { ...o.metadata } }, actor, cause()),
    }) as unknown as Client;
  const loop = new Loop({ state, controllers, events: Events, seed: 's', clientFor: client, isEnabled: () => true });
  state.onChange = (c) => loop.observe(c);
  return {
    state,
    loop,
    put: (name: string, spec: Widget['spec'] = {}) => state.put(RESOURCE, widget(name, spec), 'user', 0),
  };
}

const controller = (name: string, reconcile: (context: Context, key: Key) => Result | void) =>
  defineController<Widget>({ name, actor: `system:${name}`, for: Widgets, reconcile });

test('a change queues its key once, and the loop settles', () => {
  const seen: string[] = [];
  const { loop, put } = harness(controller('c', (_, key) => void seen.push(key.name)));
  put('a');
  put('a');
  put('b');
  expect(loop.hasWork).toBe(true);
  expect(loop.advance(0, 100)).toEqual({ settled: true, nextWake: undefined });
  expect(seen).toEqual(['a', 'b']);
});

test('a write names its actor, and its cause is the change that led to it', () => {
  const { loop, put, state } = harness(
    controller('grow', (context, key) => {
      const w = context.client.get(Widgets, key)!;
      if (!w.spec.size) context.client.update(Widgets, { ...w, spec: { size: 1 } });
    }),
  );
  put('other', { size: 1 });
  put('a');
  const mark = state.mark();
  loop.advance(0, 100);
  expect(state.since(mark).map((c) => [c.actor, c.cause])).toEqual([['system:grow', 2]]);
});

test('timers fire in virtual time, one advance or many', () => {
  const run = (steps: number[]) => {
    const fired: string[] = [];
    const { loop, put } = harness(
      controller('tick', (context, key) => {
        fired.push(`${key.name}@${context.now}`);
        return { requeueAfter: key.name === 'slow' ? 700 : 300 };
      }),
    );
    put('slow');
    put('fast');
    for (const t of steps) loop.advance(t, 1000);
    return fired;
  };
  expect(run([2000])).toEqual(run([100, 250, 300, 900, 901, 1500, 2000]));
  expect(run([700])).toEqual(['slow@0', 'fast@0', 'fast@300', 'fast@600', 'slow@700']);
});

test('a failing reconcile is retried, later each time', () => {
  const tries: number[] = [];
  const { loop, put } = harness(
    controller('fails', (context) => {
      tries.push(context.now);
      if (tries.length < 4) throw new Error('not yet');
    }),
  );
  put('a');
  loop.advance(1000, 100);
  expect(tries).toEqual([0, 5, 15, 35]);
});

test('a broken assertion is not retried: it halts the cluster', () => {
  const { loop, put } = harness(
    controller('broken', () => {
      throw new AssertionError('impossible');
    }),
  );
  put('a');
  expect(() => loop.advance(0, 100)).toThrow('impossible');
});

test('a budget ends a slice early, and the next one goes on', () => {
  const seen: string[] = [];
  const { loop, put, state } = harness(
    controller('grow', (context, key) => {
      const w = context.client.get(Widgets, key)!;
      if (w.spec.size) return;
      seen.push(key.name);
      context.client.update(Widgets, { ...w, spec: { size: 1 } });
    }),
  );
  for (const name of ['a', 'b', 'c', 'd']) put(name);
  expect(loop.advance(0, 2).settled).toBe(false);
  expect(seen).toEqual(['a', 'b']);
  while (!loop.advance(0, 2).settled);
  expect(seen).toEqual(['a', 'b', 'c', 'd']);
  expect(state.revision).toBe(8);
});

test('after a rollback the same work is done again', () => {
  const { loop, put, state } = harness(
    controller('grow', (context, key) => {
      const w = context.client.get(Widgets, key)!;
      if (!w.spec.size) context.client.update(Widgets, { ...w, spec: { size: 1 } });
    }),
  );
  put('a');
  state.commit();
  const mark = state.mark();
  loop.advance(0, 100);
  state.rollback(mark);
  loop.rollback();
  expect(state.get(Widgets, { namespace: 'default', name: 'a' })!.spec.size).toBeUndefined();
  loop.advance(0, 100);
  expect(state.get(Widgets, { namespace: 'default', name: 'a' })!.spec.size).toBe(1);
});

test('a cold start queues everything, for the controllers in the order of their list', () => {
  const seen: string[] = [];
  const note = (name: string) => controller(name, (_, key) => void seen.push(`${name}:${key.name}`));
  const { loop, put } = harness(note('first'), note('second'));
  put('a');
  put('b');
  loop.clear();
  loop.enqueueAll();
  loop.advance(0, 100);
  expect(seen).toEqual(['first:a', 'first:b', 'second:a', 'second:b']);
});
