import type { Event } from '../api/core_v1.js';
import { AssertionError } from '../machinery/assert.js';
import type { Client } from '../machinery/client.js';
import type { ClusterKeys } from '../machinery/crypto/cluster-keys.js';
import type { AppliedChange } from '../machinery/http.js';
import type { Kind } from '../machinery/kind.js';
import { keyText, type Key, type KubeObject } from '../machinery/meta/object.js';
import { hash32, SeededRandom, type Random } from '../machinery/random.js';
import { ApiError } from '../machinery/meta/status.js';
import { SECOND, type Millis } from '../machinery/time/time.js';
import type { ComponentName, Context, Controller, EventOptions, Source } from './controller.js';
import { recordEvent } from './events.js';
import type { State } from './state.js';
import { Timers } from './timers.js';

/** client-go's default item backoff: 5 ms doubling to 1000 s. */
const BACKOFF_BASE = 5;
const BACKOFF_MAX = 1000 * SECOND;
/** A cluster that reconciles this often without time passing is fighting itself. */
const MAX_STEPS_PER_INSTANT = 5_000_000;

interface Work {
  readonly key: Key;
  readonly cause: number;
}

/** One controller with its queue. */
interface Runner {
  readonly controller: Controller;
  readonly attached: unknown;
  queue: Map<string, Work>;
  readonly failures: Map<string, number>;
  readonly clients: Map<string, Client & { cause?: number }>;
}

export interface LoopOptions {
  readonly state: State;
  /** In the order in which each round runs them. */
  readonly controllers: readonly Controller[];
  readonly events: Kind<Event>;
  readonly seed: string;
  readonly keys?: ClusterKeys;
  /** A client that writes as this actor; `cause()` is asked at each write. */
  clientFor(actor: string, cause: () => number): Client;
  enabled(component: ComponentName): boolean;
  /** Errors that reconciles ended with: for diagnostics, they are retried with back-off. */
  onError?(controller: string, key: Key, error: unknown): void;
}

export interface Progress {
  /** Nothing left to do before the given time. */
  readonly settled: boolean;
  /** When the next timer is due; undefined when there is none. */
  readonly nextWake: Millis | undefined;
}

/**
 * Runs a cluster's components in virtual-time order. Queues and timers are only hints that can be rebuilt: a start from
 * nothing enqueues every key, and reconciles find nothing to do.
 */
export class Loop {
  private readonly runners: Runner[];
  private readonly byResource = new Map<string, { runner: Runner; source: Source }[]>();
  private readonly everything: { runner: Runner; keys: NonNullable<Controller['everything']>['keys'] }[] = [];
  private readonly timers = new Timers<{ runner: Runner; key: Key }>();
  private readonly random = new SeededRandom(0);
  private readonly seed: number;
  /** Keys taken from queues since the last commit: a rollback queues them again. */
  private taken: { runner: Runner; key: Key; cause: number }[] = [];
  private cause = 0;
  /** The controller at work, when its own writes to the key at hand do not queue it again. */
  private settling: Runner | undefined;
  private settlingKey: Key = { namespace: '', name: '' };

  constructor(private readonly options: LoopOptions) {
    this.seed = hash32(options.seed, 1);
    const observe = (kind: Kind, observer: (old: KubeObject | undefined, next: KubeObject | undefined) => void): void =>
      options.state.observe(options.state.resourceOf(kind), observer);
    this.runners = options.controllers.map((controller) => {
      for (const i of controller.indexes ?? [])
        options.state.addIndex(options.state.resourceOf(i.kind), i.name, (o) => i.of(o));
      const runner = {
        controller,
        attached: controller.attach?.(observe, options.state),
        queue: new Map(),
        failures: new Map(),
        clients: new Map(),
      };
      for (const source of controller.sources) this.wire(runner, source);
      if (controller.everything) this.everything.push({ runner, keys: (...a) => controller.everything!.keys(...a) });
      return runner;
    });
  }

  private wire(runner: Runner, source: Source): void {
    const resource = this.options.state.resourceOf(source.kind);
    const wired = this.byResource.get(resource) ?? [];
    wired.push({ runner, source });
    this.byResource.set(resource, wired);
  }

  /** Queues what a change concerns. */
  observe(change: AppliedChange): void {
    const { object, old } = change;
    const reader = this.options.state;
    for (const { runner, source } of this.byResource.get(change.resource) ?? []) {
      if (source.when && !source.when(object, old)) continue;
      if (source.keys) for (const key of source.keys(object, reader, old)) this.queue(runner, key, change);
      else this.queue(runner, change, change);
    }
    for (const { runner, keys } of this.everything) {
      for (const key of keys(object, reader, old, change.type === 'delete')) this.queue(runner, key, change);
    }
  }

  private queue(runner: Runner, key: Key, change: AppliedChange): void {
    const own =
      runner === this.settling &&
      change.type === 'put' &&
      change.old !== undefined &&
      key.name === this.settlingKey.name &&
      key.namespace === this.settlingKey.namespace;
    if (!own) enqueue(runner, key, change.revision);
  }

  /** Queues every key of every controller: what a process does with a cluster it has just loaded. */
  enqueueAll(): void {
    const { state } = this.options;
    for (const [resource, wired] of this.byResource) {
      for (const object of state.list(wired[0]!.source.kind)) this.observeLoaded(resource, object);
    }
    if (this.everything.length === 0) return;
    for (const { resource, object } of [...state.objects()])
      if (!this.byResource.has(resource)) this.observeLoaded(resource, object);
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

  /** Is there anything to do now? */
  get hasWork(): boolean {
    return this.runners.some((r) => r.queue.size > 0 && this.options.enabled(r.controller.component));
  }

  get nextWake(): Millis | undefined {
    return this.timers.peek()?.due;
  }

  /** Drops queued work: for a process that only serves requests, and leaves the running to another. */
  clear(): void {
    for (const runner of this.runners) runner.queue.clear();
  }

  commit(): void {
    this.taken = [];
  }

  rollback(): void {
    for (const { runner, key, cause } of this.taken) enqueue(runner, key, cause);
    this.taken = [];
  }

  /** Works until nothing is left to do before `until`, or until the budget of changes is spent. */
  advance(until: Millis, maxChanges: number): Progress {
    const { state } = this.options;
    const limit = state.revision + maxChanges;
    let steps = 0;
    for (;;) {
      const done = this.round(limit);
      if (state.revision >= limit) return { settled: false, nextWake: this.nextWake };
      steps += done;
      if (steps > MAX_STEPS_PER_INSTANT) throw new AssertionError(`controllers do not settle at ${state.now}`);
      if (done > 0) continue;
      const timer = this.timers.peek();
      if (!timer || timer.due > until) return { settled: true, nextWake: timer?.due };
      if (timer.due > state.now) steps = 0;
      state.now = Math.max(state.now, timer.due);
      while (this.timers.peek() && this.timers.peek()!.due <= state.now) {
        const { value } = this.timers.take()!;
        enqueue(value.runner, value.key, 0);
      }
    }
  }

  /** Each controller works off what was queued when its turn came; then the next. */
  private round(limit: number): number {
    let done = 0;
    for (const runner of this.runners) {
      if (runner.queue.size === 0 || !this.options.enabled(runner.controller.component)) continue;
      const batch = runner.queue;
      runner.queue = new Map();
      for (const [text, work] of batch) {
        if (this.options.state.revision >= limit) {
          if (!runner.queue.has(text)) runner.queue.set(text, work);
          continue;
        }
        this.step(runner, text, work);
        done++;
      }
      if (this.options.state.revision >= limit) return done;
    }
    return done;
  }

  private step(runner: Runner, text: string, work: Work): void {
    const { controller } = runner;
    const { state } = this.options;
    const id = `${controller.name}/${text}`;
    this.taken.push({ runner, key: work.key, cause: work.cause });
    this.cause = work.cause;
    this.random.reseed(this.seed, hash32(id, state.revision));
    this.settling = controller.settles ? runner : undefined;
    this.settlingKey = work.key;
    try {
      const result = controller.reconcile(this.contextFor(runner, work), work.key, runner.attached);
      runner.failures.delete(text);
      if (result?.requeueAfter === undefined) this.timers.clear(id);
      else this.timers.set(id, state.now + Math.max(0, result.requeueAfter), { runner, key: work.key });
    } catch (error) {
      if (error instanceof AssertionError) throw error;
      this.options.onError?.(controller.name, work.key, error);
      const failures = runner.failures.get(text) ?? 0;
      runner.failures.set(text, failures + 1);
      this.timers.set(id, state.now + Math.min(BACKOFF_BASE * 2 ** Math.min(failures, 30), BACKOFF_MAX), {
        runner,
        key: work.key,
      });
    } finally {
      this.settling = undefined;
    }
  }

  private contextFor(runner: Runner, work: Work): Context {
    const { controller } = runner;
    const { state, events } = this.options;
    const actor = typeof controller.actor === 'string' ? controller.actor : controller.actor(work.key, state);
    const client = this.clientFor(runner, actor);
    return new StepContext(
      state.now,
      client,
      this.random,
      work.cause,
      events,
      { component: controller.eventSource ?? `${controller.name}-controller` },
      this,
      runner,
    );
  }

  get keys(): ClusterKeys | undefined {
    return this.options.keys;
  }

  clientFor(runner: Runner, actor: string): Client {
    let client = runner.clients.get(actor);
    if (!client) runner.clients.set(actor, (client = this.options.clientFor(actor, () => this.cause)));
    return client;
  }
}

/** One reconcile's context. */
class StepContext implements Context {
  constructor(
    readonly now: Millis,
    readonly client: Client,
    readonly random: Random,
    readonly cause: number,
    private readonly events: Kind<Event>,
    private readonly source: { component: string; host?: string },
    private readonly loop: Loop,
    private readonly runner: Runner,
  ) {}

  get keys(): ClusterKeys | undefined {
    return this.loop.keys;
  }

  as(actor: string): Client {
    return this.loop.clientFor(this.runner, actor);
  }

  event(
    object: KubeObject,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
    options: EventOptions = {},
  ): void {
    try {
      recordEvent(
        { client: this.client, now: this.now, events: this.events, source: options.source ?? this.source },
        object,
        type,
        reason,
        message,
        options,
      );
    } catch (error) {
      // Recorders never retry what the server rejects: a namespace that is being terminated takes no new events.
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

function enqueue(runner: Runner, key: Key, cause: number): void {
  const text = keyText(key);
  if (!runner.queue.has(text)) runner.queue.set(text, { key: { namespace: key.namespace, name: key.name }, cause });
}
