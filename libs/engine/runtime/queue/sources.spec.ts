import { expect, test } from '@jest/globals';
import type { Client } from '../../machinery/client.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { AppliedChange } from '../../machinery/requests/http.js';
import type { Controller } from '../controller.js';
import { State } from '../state/state.js';
import { widget, Widgets, type Widget } from '../testing.js';
import { Runner } from './runner.js';
import { Sources } from './sources.js';

const RESOURCE = 'widgets.test.dev';
const shelfOf = (object: KubeObject): string => (object as Widget).spec.shelf ?? '';

/** The keys of each controller that a change of a widget concerns. */
function harness() {
  const state = new State();
  const sources = new Sources(state);
  const add = (name: string, rest: Partial<Controller>): void =>
    sources.add(
      new Runner({ name, sources: [], reconcile: () => undefined, ...rest } as unknown as Controller, undefined, () => {
        return {} as Client;
      }),
    );
  add('of widgets', { sources: [{ kind: Widgets }] });
  add('of large ones', { sources: [{ kind: Widgets, when: (object) => ((object as Widget).spec.size ?? 0) > 5 }] });
  add('of shelves', {
    sources: [{ kind: Widgets, delay: 100, keys: (object) => [{ namespace: '', name: shelfOf(object) }] }],
  });
  add('of everything', { everything: { keys: ({ metadata }) => [{ namespace: 'all', name: metadata.name ?? '' }] } });
  const changeOf = (object: Widget, resource = RESOURCE): AppliedChange =>
    ({ ...{ revision: 1, type: 'put', resource, namespace: 'default', name: object.metadata.name }, object }) as never;
  return { state, sources, changeOf };
}

test.each([
  [
    'a small one',
    widget('a', { size: 1, shelf: 's' }),
    RESOURCE,
    ['of widgets a', 'of shelves s 100', 'of everything a'],
  ],
  [
    'a large one',
    widget('b', { size: 9, shelf: 't' }),
    RESOURCE,
    ['of widgets b', 'of large ones b', 'of shelves t 100', 'of everything b'],
  ],
  ['another kind', widget('c'), 'others.test.dev', ['of everything c']],
])('%s concerns its controllers, in their order', (_, object, resource, expected) => {
  const { sources, changeOf } = harness();
  const seen: string[] = [];
  sources.forEachKey(changeOf(object, resource), ({ controller }, { name }, delay) =>
    seen.push([controller.name, name, ...(delay === undefined ? [] : [delay])].join(' ')),
  );
  expect(seen).toEqual(expected);
});

test('of a change of the log, only what a controller sees later', () => {
  const { sources, changeOf } = harness();
  const seen: string[] = [];
  sources.forEachDelayedKey(changeOf(widget('b', { size: 9, shelf: 't' })), ({ controller }, { name }, delay) =>
    seen.push(`${controller.name} ${name} ${delay}`),
  );
  expect(seen).toEqual(['of shelves t 100']);
});

test('all objects are those of its kinds, then the others', () => {
  const { state, sources } = harness();
  state.put('others.test.dev', widget('z'), 'user', 0);
  state.put(RESOURCE, widget('a'), 'user', 0);
  expect([...sources.objects()].map(({ resource, object }) => `${resource} ${object.metadata.name}`)).toEqual([
    'widgets.test.dev a',
    'others.test.dev z',
  ]);
});
