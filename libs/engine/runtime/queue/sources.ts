import type { AppliedChange } from '../../machinery/requests/http.js';
import type { Key } from '../../machinery/meta/object.js';
import type { Millis } from '../../machinery/time/time.js';
import { NO_KEYS, type Controller, type Source } from '../controller.js';
import type { State, StoredObject } from '../state/state.js';
import type { Runner } from './runner.js';

type UseKey = (runner: Runner, key: Key, delay?: Millis) => void;

/** Which controllers' keys a change concerns. Models controller-runtime's source.Kind and handler.EventHandler. */
export class Sources {
  private readonly byResource = new Map<string, { runner: Runner; source: Source }[]>();
  private readonly ofEverything: { runner: Runner; keys: NonNullable<Controller['everything']>['keys'] }[] = [];

  constructor(private readonly state: State) {}

  add(runner: Runner): void {
    const { sources, everything } = runner.controller;
    for (const source of sources) {
      const resource = this.state.resourceOf(source.kind);
      this.byResource.set(resource, [...(this.byResource.get(resource) ?? []), { runner, source }]);
    }
    if (everything) this.ofEverything.push({ runner, keys: (...args) => everything.keys(...args) });
  }

  /** In the order of the controllers; those that look at everything are last. */
  forEachKey(change: AppliedChange, use: UseKey): void {
    const { object, old, type } = change;
    for (const { runner, source } of this.byResource.get(change.resource) ?? []) {
      if (source.when && !source.when(object, old)) continue;
      if (source.keys) useAll(source.keys(object, this.state, old), runner, use, source.delay);
      else use(runner, change, source.delay);
    }
    for (const { runner, keys } of this.ofEverything)
      useAll(keys(object, this.state, old, type === 'delete', change.resource), runner, use);
  }

  /** Those that their controller sees after a delay. */
  forEachDelayedKey(change: AppliedChange, use: (runner: Runner, key: Key, delay: Millis) => void): void {
    const { object, old } = change;
    for (const { runner, source } of this.byResource.get(change.resource) ?? []) {
      const { delay } = source;
      if (delay === undefined || (source.when && !source.when(object, old))) continue;
      for (const key of source.keys ? source.keys(object, this.state, old) : [change]) use(runner, key, delay);
    }
  }

  /** All objects that concern a controller. */
  *objects(): Iterable<StoredObject> {
    const { state } = this;
    for (const [resource, sources] of this.byResource)
      for (const object of state.list(sources[0]!.source.kind)) yield { resource, object };
    if (this.ofEverything.length === 0) return;
    for (const stored of [...state.objects()]) if (!this.byResource.has(stored.resource)) yield stored;
  }
}

/** A stored object as if it came at this moment: so controllers are shown what a process has loaded. */
export function asCreation({ resource, object }: StoredObject, at: Millis): AppliedChange {
  const { name = '', namespace = '', resourceVersion } = object.metadata;
  return {
    revision: Number(resourceVersion ?? 0),
    type: 'put',
    ...{ resource, namespace, name, object },
    old: undefined,
    actor: '',
    cause: 0,
    at,
  };
}

function useAll(keys: Iterable<Key>, runner: Runner, use: UseKey, delay?: Millis): void {
  if (keys === NO_KEYS) return;
  for (const key of keys) use(runner, key, delay);
}
