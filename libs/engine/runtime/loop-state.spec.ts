import { expect, test } from '@jest/globals';
import { defineKind } from '../machinery/kind.js';
import type { Event } from '../api/core_v1.js';
import type { Client } from '../machinery/client.js';
import { defineController, type Controller } from './controller.js';
import { Loop } from './loop.js';
import type { LoopState } from './loop-state.js';
import { State } from './state/state.js';
import { widget, Widgets, type Widget } from './testing.js';

const Events = defineKind<Event>({
  ...{ group: '', version: 'v1', kind: 'Event', plural: 'events', singular: 'event' },
  ...{ scope: 'Namespaced', definition: '' },
});

/** Loops over one state, as of processes that follow each other. */
function harness(ran: string[]) {
  const state = new State();
  const controller = (name: string, reconcile: Controller['reconcile']): Controller =>
    defineController<Widget>({ name, actor: `system:${name}`, for: Widgets, reconcile });
  const note = (text: string): void => void ran.push(`${state.now} ${text}`);
  const newLoop = (): Loop =>
    new Loop({
      ...{ state, events: Events, seed: 's', clientFor: () => ({}) as Client, isEnabled: () => true },
      controllers: [
        controller('fails', (_, key) => {
          note(`fails ${key.name}`);
          throw new Error('refused');
        }),
        controller('repeats', (_, key) => {
          note(`repeats ${key.name}`);
          return { requeueAfter: key.name === 'a' ? 300 : 400 };
        }),
      ],
    });
  const loop = newLoop();
  state.onChange = (change) => loop.observe(change);
  const put = (name: string): void => void state.put('widgets.test.dev', widget(name, {}), 'user', 0);
  return { state, loop, newLoop, put };
}

const copied = (saved: LoopState | undefined): LoopState => JSON.parse(JSON.stringify(saved)) as LoopState;

test.each([
  ['queued keys', 0],
  ['timers and counts of failures', 700],
])('another loop goes on with %s', (_, at) => {
  const ran: string[] = [];
  const { loop, newLoop, put, state } = harness(ran);
  put('b');
  put('a');
  if (at > 0) loop.advance(at, 100);
  loop.commit();
  const saved = copied(loop.save());
  const { now } = state;
  ran.length = 0;
  loop.advance(3_000, 100);
  const expected = ran.splice(0);
  expect(expected.length).toBeGreaterThan(10);

  state.now = now;
  const other = newLoop();
  other.restore(saved);
  expect(copied(other.save())).toEqual(saved);
  other.advance(3_000, 100);
  expect(ran).toEqual(expected);
});

test('what was done and is not committed does not stand in it', () => {
  const { loop, put } = harness([]);
  put('a');
  loop.advance(0, 100);
  expect(loop.save()).toBeUndefined();
  loop.commit();
  expect(loop.save()?.timers.map(({ controller, reason }) => `${controller} ${reason}`)).toEqual([
    'fails requeue',
    'repeats requeue',
  ]);
});

test('a controller that is no more is left out', () => {
  const { loop, newLoop, put } = harness([]);
  put('a');
  loop.advance(0, 100);
  loop.commit();
  const saved = copied(loop.save());
  const [timer] = saved.timers;
  const other = newLoop();
  other.restore({ ...saved, timers: [{ ...timer!, id: 'gone/a', controller: 'gone' }] });
  expect(other.save()?.timers).toEqual([]);
});
