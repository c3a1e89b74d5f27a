import type { Event } from '../api/core_v1.js';
import { AssertionError } from '../machinery/assert.js';
import type { Client } from '../machinery/client.js';
import type { ClusterKeys } from '../machinery/crypto/cluster-keys.js';
import type { AppliedChange } from '../machinery/http.js';
import type { Kind } from '../machinery/kind.js';
import type { Key, KubeObject } from '../machinery/meta/object.js';
import { hash32, SeededRandom } from '../machinery/random.js';
import type { Millis } from '../machinery/time/time.js';
import type { ComponentName, Controller, Source } from './controller.js';
import type { Observer } from './object-table.js';
import { ReconcileContext, Runner } from './runner.js';
import type { State } from './state.js';
import { Timers } from './timers.js';
import type { WorkItem } from './work-queue.js';

/** A cluster that reconciles this often without time passing is fighting itself. */
const MAX_RECONCILES_PER_INSTANT = 5_000_000;

export interface LoopOptions {
  readonly state: State;
  /** In the order in which each round runs them. */
  readonly controllers: readonly Controller[];
  readonly events: Kind<Event>;
  readonly seed: string;
  readonly keys?: ClusterKeys;
  /** A client that writes as this actor; `cause()` is called at each write. */
  clientFor(actor: string, cause: () => number): Client;
  isEnabled(component: ComponentName): boolean;
  /** Errors that reconciles ended with: for diagnostics, they are retried with back-off. */
  onError?(controller: string, key: Key, error: unknown): void;
}

export interface Progress {
  /** Nothing left to do before the given time. */
  readonly settled: boolean;
  /** When the next timer is due; undefined when there is none. */
  readonly nextWake: Millis | undefined;
}

/** A key taken from a queue since the last commit. */
interface Taken extends WorkItem {
  readonly runner: Runner;
}

/**
 * Runs a cluster's components in virtual-time order. Queues and timers are only hints that can be rebuilt: a start from
 * nothing enqueues every key, and reconciles find nothing to do.
 */
export class Loop {
  private readonly runners: readonly Runner[];
  private readonly sources = new Map<string, { runner: Runner; source: Source }[]>();
  private readonly everything: { runner: Runner; keys: NonNullable<Controller['everything']>['keys'] }[] = [];
  private readonly timers = new Timers<{ runner: Runner; key: Key }>();
  private readonly random = new SeededRandom(0);
  private readonly seed: number;
  /** A rollback queues these keys again. */
  private taken: Taken[] = [];
  /** The controller at work, when its own writes to the key at hand do not queue it again. */
  private settling: Runner | undefined;
  private settlingKey: Key = { namespace: '', name: '' };

  constructor(private readonly options: LoopOptions) {
    this.seed = hash32(options.seed, 1);
    this.runners = options.controllers.map((controller) => this.start(controller));
  }

  /** Builds the controller's indexes and caches, and wires its sources. */
  private start(controller: Controller): Runner {
    const { state } = this.options;
    for (const { kind, name, of } of controller.indexes ?? [])
      state.addIndex(state.resourceOf(kind), name, (object) => of(object));
    const observe = (kind: Kind, observer: Observer): void => state.observe(state.resourceOf(kind), observer);
    const runner = new Runner(controller, controller.attach?.(observe, state), (actor, cause) =>
      this.options.clientFor(actor, cause),
    );
    for (const source of controller.sources) {
      const resource = state.resourceOf(source.kind);
      this.sources.set(resource, [...(this.sources.get(resource) ?? []), { runner, source }]);
    }
    const { everything } = controller;
    if (everything) this.everything.push({ runner, keys: (...args) => everything.keys(...args) });
    return runner;
  }

  /** Queues the keys that a change concerns. */
  observe(change: AppliedChange): void {
    const { object, old } = change;
    const reader = this.options.state;
    for (const { runner, source } of this.sources.get(change.resource) ?? []) {
      if (source.when && !source.when(object, old)) continue;
      if (source.keys) for (const key of source.keys(object, reader, old)) this.enqueue(runner, key, change);
      else this.enqueue(runner, change, change);
    }
    for (const { runner, keys } of this.everything) {
      for (const key of keys(object, reader, old, change.type === 'delete')) this.enqueue(runner, key, change);
    }
  }

  private enqueue(runner: Runner, key: Key, change: AppliedChange): void {
    const isOwnUpdate =
      runner === this.settling &&
      change.type === 'put' &&
      change.old !== undefined &&
      key.name === this.settlingKey.name &&
      key.namespace === this.settlingKey.namespace;
    if (!isOwnUpdate) runner.queue.add(key, change.revision);
  }

  /** Queues every key of every controller, as a process does with a cluster that it has just loaded. */
  enqueueAll(): void {
    const { state } = this.options;
    for (const [resource, sources] of this.sources) {
      for (const object of state.list(sources[0]!.source.kind)) this.observeLoaded(resource, object);
    }
    if (this.everything.length === 0) return;
    for (const { resource, object } of [...state.objects()])
      if (!this.sources.has(resource)) this.observeLoaded(resource, object);
  }

  private observeLoaded(resource: string, object: KubeObject): void {
    const { name = '', namespace = '', resourceVersion } = object.metadata;
    this.observe({
      revision: Number(resourceVersion ?? 0),
      type: 'put',
      resource,
      namespace,
      name,
      object,
      old: undefined,
      actor: '',
      cause: 0,
      at: this.options.state.now,
    });
  }

  /** Whether a controller of an enabled component has a key to reconcile now. */
  get hasWork(): boolean {
    return this.runners.some((runner) => this.canRun(runner));
  }

  private canRun({ queue, controller }: Runner): boolean {
    return queue.size > 0 && this.options.isEnabled(controller.component);
  }

  get nextWake(): Millis | undefined {
    return this.timers.peek()?.due;
  }

  /** Drops queued keys: for a process that only serves requests, and leaves the controllers to another. */
  clear(): void {
    for (const { queue } of this.runners) queue.clear();
  }

  commit(): void {
    this.taken = [];
  }

  rollback(): void {
    for (const { runner, key, cause } of this.taken) runner.queue.add(key, cause);
    this.taken = [];
  }

  /**
   * Works until nothing is left to do before `until`, or until `maxChanges` have been made. Throws AssertionError when
   * controllers keep each other busy without time passing.
   */
  advance(until: Millis, maxChanges: number): Progress {
    const { state } = this.options;
    const limit = state.revision + maxChanges;
    let reconciles = 0;
    for (;;) {
      const done = this.runRound(limit);
      if (state.revision >= limit) return { settled: false, nextWake: this.nextWake };
      reconciles += done;
      if (reconciles > MAX_RECONCILES_PER_INSTANT)
        throw new AssertionError(`controllers do not settle at ${state.now}`);
      if (done > 0) continue;
      const timer = this.timers.peek();
      if (!timer || timer.due > until) return { settled: true, nextWake: timer?.due };
      if (timer.due > state.now) reconciles = 0;
      state.now = Math.max(state.now, timer.due);
      this.enqueueDue(state.now);
    }
  }

  private enqueueDue(now: Millis): void {
    for (let timer = this.timers.peek(); timer && timer.due <= now; timer = this.timers.peek()) {
      this.timers.take();
      timer.value.runner.queue.add(timer.value.key, 0);
    }
  }

  /** Lets each controller in turn reconcile what was queued when its turn came; returns the number of reconciles. */
  private runRound(limit: number): number {
    const { state } = this.options;
    let done = 0;
    for (const runner of this.runners) {
      if (!this.canRun(runner)) continue;
      for (const [text, item] of runner.queue.drain()) {
        if (state.revision >= limit) {
          runner.queue.add(item.key, item.cause);
          continue;
        }
        this.reconcile(runner, text, item);
        done++;
      }
      if (state.revision >= limit) return done;
    }
    return done;
  }

  private reconcile(runner: Runner, text: string, item: WorkItem): void {
    const { controller, queue } = runner;
    const { state } = this.options;
    const { key, cause } = item;
    const id = `${controller.name}/${text}`;
    this.taken.push({ runner, key, cause });
    runner.cause = cause;
    this.random.reseed(this.seed, hash32(id, state.revision));
    this.settling = controller.settles ? runner : undefined;
    this.settlingKey = key;
    try {
      const result = controller.reconcile(this.contextFor(runner, item), key, runner.attached);
      queue.forget(text);
      if (result?.requeueAfter === undefined) this.timers.clear(id);
      else this.timers.set(id, state.now + Math.max(0, result.requeueAfter), { runner, key });
    } catch (error) {
      if (error instanceof AssertionError) throw error;
      this.options.onError?.(controller.name, key, error);
      this.timers.set(id, state.now + queue.backOff(text), { runner, key });
    } finally {
      this.settling = undefined;
    }
  }

  private contextFor(runner: Runner, { key, cause }: WorkItem): ReconcileContext {
    const { state, events, keys } = this.options;
    const { actor } = runner.controller;
    const client = runner.clientFor(typeof actor === 'string' ? actor : actor(key, state));
    return new ReconcileContext(runner, state.now, client, this.random, cause, keys, events);
  }
}
