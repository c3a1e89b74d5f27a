import { describe, expect, test } from '@jest/globals';
import type { Event } from '../api/core_v1.js';
import { AssertionError } from '../machinery/assert.js';
import type { Client } from '../machinery/client.js';
import { defineKind } from '../machinery/kind.js';
import type { Key } from '../machinery/meta/object.js';
import { UnfinishedWork } from '../machinery/unfinished.js';
import { defineController, type Context, type Controller, type Result } from './controller.js';
import { Loop } from './loop.js';
import type { ReconcileObserver } from './loop-options.js';
import { State } from './state/state.js';
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
function harness(controllers: Controller | Controller[], observer?: ReconcileObserver) {
  const state = new State();
  const client = (actor: string, cause: () => number) =>
    ({
      get: (k: typeof Widgets, key: Key) => state.get(k, key),
      update: (_: unknown, o: Widget) => state.put(RESOURCE, { ...o, metadata: { ...o.metadata } }, actor, cause()),
    }) as unknown as Client;
  const loop = new Loop({
    state,
    controllers: [controllers].flat(),
    events: Events,
    seed: 's',
    clientFor: client,
    isEnabled: () => true,
    observer,
  });
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
  expect(loop.wantsAdvance).toBe(true);
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

test('what a component does because of its own writes has the cause of the first one', () => {
  const { loop, put, state } = harness(
    controller('grow', (context, key) => {
      const w = context.client.get(Widgets, key)!;
      const { size = 0 } = w.spec;
      if (size < 3) context.client.update(Widgets, { ...w, spec: { size: size + 1 } });
    }),
  );
  put('a');
  const mark = state.mark();
  loop.advance(0, 100);
  expect(state.since(mark).map(({ cause }) => cause)).toEqual([1, 1, 1]);
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

describe('at one instant', () => {
  const TIMES = [...Array.from({ length: 100 }, () => 0), 100, 200, 300];

  test('two controllers that undo each other are slowed down', () => {
    const set = (name: string, size: number) =>
      controller(name, (context, key) => {
        const w = context.client.get(Widgets, key)!;
        if (w.spec.size !== size) context.client.update(Widgets, { ...w, spec: { size } });
      });
    const { loop, put, state } = harness([set('one', 1), set('two', 2)]);
    put('a');
    const mark = state.mark();
    expect(loop.advance(300, 1_000_000)).toEqual({ settled: true, nextWake: 400 });
    const ofOne = state.since(mark).filter((c) => c.actor === 'system:one');
    expect(ofOne.map((c) => c.at)).toEqual(TIMES);
  });

  test('a controller that asks to run again at once does not spin', () => {
    const times: number[] = [];
    const { loop, put } = harness(
      controller('hasty', (context) => {
        times.push(context.now);
        return { requeueAfter: 0 };
      }),
    );
    put('a');
    loop.advance(1000, 1_000_000);
    expect(times.slice(0, 101)).toEqual(Array.from({ length: 101 }, (_, i) => i));
    // Of 10 tokens a second.
    expect(times.length).toBeLessThanOrEqual(110);
  });

  test('a controller that makes ever new objects is slowed down', () => {
    const { loop, put, state } = harness(
      controller('grow', (context, key) => {
        const w = context.client.get(Widgets, key)!;
        const name = `${Number(key.name) + 1}`;
        context.client.update(Widgets, { ...w, metadata: { ...w.metadata, name } });
      }),
    );
    put('1');
    loop.advance(0, 1_000_000);
    // Each change has cost a reconcile, a tenth of a change.
    expect(state.revision).toBe(18_182);
    loop.advance(11_000, 1_000_000);
    expect(state.revision - 18_182).toBeLessThanOrEqual(220);
    expect(state.revision - 18_182).toBeGreaterThanOrEqual(180);
  });

  test('a key that waits is reconciled once for all changes that come meanwhile, with the cause of the last user', () => {
    const causes: number[] = [];
    const { loop, put } = harness({
      ...controller('c', (context) => void causes.push(context.cause)),
      rateLimit: { burst: 1, perSecond: 1 },
    });
    put('a');
    loop.advance(0, 100);
    for (let i = 0; i < 3; i++) {
      put('a');
      loop.advance(100, 100);
    }
    expect(causes).toEqual([1]);
    loop.advance(1000, 100);
    expect(causes).toEqual([1, 4]);
  });
});

describe('a source with a delay', () => {
  const batching = (times: string[]): Controller =>
    defineController<Widget>({
      name: 'batch',
      actor: 'system:batch',
      for: { kind: Widgets, delay: 100 },
      reconcile: (context, key) => void times.push(`${key.name}@${context.now}`),
    });

  test('queues its keys later, once for all changes meanwhile', () => {
    const times: string[] = [];
    const { loop, put, state } = harness(batching(times));
    put('a');
    expect(loop.wantsAdvance).toBe(true);
    expect(loop.advance(50, 100)).toEqual({ settled: true, nextWake: 100 });
    expect(loop.wantsAdvance).toBe(false);
    state.now = 50;
    put('a');
    put('b');
    loop.advance(1000, 100);
    expect(times).toEqual(['a@100', 'b@150']);
  });

  test('leaves nothing in a process that does not run controllers', () => {
    const { loop, put } = harness(batching([]));
    put('a');
    loop.clear();
    expect([loop.wantsAdvance, loop.nextWake]).toEqual([false, undefined]);
  });

  test('queues at once what a cold start finds', () => {
    const times: string[] = [];
    const { loop, put } = harness(batching(times));
    put('a');
    loop.clear();
    loop.enqueueAll();
    loop.advance(0, 100);
    expect(times).toEqual(['a@0']);
  });
});

describe('where slices end', () => {
  /** Each of three controllers writes to widgets, and one of them queues keys again. */
  const workload = () => {
    const grow = (name: string, size: number) =>
      controller(name, (context, key) => {
        const w = context.client.get(Widgets, key)!;
        if ((w.spec.size ?? 0) < size) context.client.update(Widgets, { ...w, spec: { size: (w.spec.size ?? 0) + 1 } });
        return w.spec.size === 7 ? { requeueAfter: 10 } : undefined;
      });
    const { loop, put, state } = harness([grow('a', 3), grow('b', 6), grow('c', 9)]);
    for (const name of ['v', 'w', 'x', 'y', 'z']) put(name);
    const mark = state.mark();
    const history = () => state.since(mark).map((c) => `${c.at} ${c.name} ${c.actor} ${c.cause}`);
    return { loop, history };
  };
  const whole = workload();
  whole.loop.advance(100, 1000);

  test('the history of one slice is long enough to tell', () => expect(whole.history()).toHaveLength(45));

  test.each([1, 2, 3, 7])('by %d changes, the history is the same', (changes) => {
    const { loop, history } = workload();
    while (!loop.advance(100, changes).settled);
    expect(history()).toEqual(whole.history());
  });

  test.each([1, 2, 5])('by time after %d reconciles, the history is the same', (reconciles) => {
    const { loop, history } = workload();
    let asked = 0;
    while (!loop.advance(100, 1000, () => ++asked % reconciles === 0).settled);
    expect(history()).toEqual(whole.history());
  });

  test.each([1, 3])('by time after %d keys of a cold start, no key is lost or repeated', (keys) => {
    const seen: string[] = [];
    const { loop, put } = harness(controller('c', (_, key) => void seen.push(key.name)));
    for (const name of ['v', 'w', 'x', 'y']) put(name);
    loop.clear();
    loop.enqueueAll();
    let asked = 0;
    const mustYield = () => ++asked % keys === 0;
    expect(loop.advance(0, 100, mustYield)).toEqual({ settled: false, nextWake: undefined });
    expect(seen).toEqual([]);
    while (!loop.advance(0, 100, mustYield).settled);
    expect(seen).toEqual(['v', 'w', 'x', 'y']);
  });
});

test('an observer is told of each reconcile, its outcome and its changes', () => {
  const told: unknown[] = [];
  const { loop, put } = harness(
    [
      controller('grow', (context, key) => {
        const w = context.client.get(Widgets, key)!;
        if (!w.spec.size) context.client.update(Widgets, { ...w, spec: { size: 1 } });
      }),
      controller('later', () => ({ requeueAfter: 1000 })),
      controller('fails', () => {
        throw new Error('no');
      }),
    ],
    {
      started: (name, key, queued, at) => told.push([name, key.name, queued, at]),
      finished: (...end) => told.push(end),
    },
  );
  put('a');
  loop.advance(0, 1);
  expect(told).toEqual([
    ['grow', 'a', 0, 0],
    ['grow', 'ok', 1, undefined],
  ]);
  told.length = 0;
  loop.advance(0, 100);
  expect(told.slice(0, 3)).toEqual([
    ['later', 'a', 0, 0],
    ['later', 'requeue', 0, 1_000],
    ['fails', 'a', 0, 0],
  ]);
  expect(told[3]).toEqual(['fails', 'error', 0, expect.any(Number)]);
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

test('what is not finished is undone, and goes on before anything else, also in the next slice', () => {
  const seen: string[] = [];
  let left = 3;
  const { loop, put, state } = harness([
    controller('long', (context, key) => {
      const w = context.client.get(Widgets, key)!;
      seen.push(key.name);
      if (w.spec.size) return;
      context.client.update(Widgets, { ...w, spec: { size: 1 } });
      if (key.name === 'a' && left-- > 0) throw new UnfinishedWork();
    }),
    controller('after', (_, key) => void seen.push(`after ${key.name}`)),
  ]);
  put('a');
  put('b');
  const { revision } = state;
  expect(loop.advance(0, 100, () => seen.length === 2).settled).toBe(false);
  expect([state.revision, state.get(Widgets, { namespace: 'default', name: 'a' })!.spec.size]).toEqual([
    revision,
    undefined,
  ]);
  loop.advance(0, 100);
  expect(seen).toEqual(['a', 'a', 'a', 'a', 'b', 'after a', 'after b', 'a', 'b']);
  expect(state.revision).toBe(revision + 2);
});

test('a cold start queues everything, for the controllers in the order of their list', () => {
  const seen: string[] = [];
  const note = (name: string) => controller(name, (_, key) => void seen.push(`${name}:${key.name}`));
  const { loop, put } = harness([note('first'), note('second')]);
  put('a');
  put('b');
  loop.clear();
  loop.enqueueAll();
  loop.advance(0, 100);
  expect(seen).toEqual(['first:a', 'first:b', 'second:a', 'second:b']);
});
