import { AssertionError } from '../machinery/assert.js';
import type { AppliedChange } from '../machinery/requests/http.js';
import type { Kind } from '../machinery/kind.js';
import { isOfUser } from '../machinery/past-change.js';
import type { Key } from '../machinery/meta/object.js';
import { hash32, SeededRandom } from '../machinery/random.js';
import type { Millis } from '../machinery/time/time.js';
import { UnfinishedWork } from '../machinery/unfinished.js';
import type { Controller } from './controller.js';
import type { LoopOptions, Progress, Reconciled, ReconcileOutcome, Upcoming, WaitingKey } from './loop-options.js';
import { asCreation, Sources } from './queue/sources.js';
import { Wakes } from './queue/wakes.js';
import type { Observer } from './state/object-table.js';
import { type LoopState } from './loop-state.js';
import { etcdOf, ReconcileContext } from './queue/reconcile-context.js';
import { Runner } from './queue/runner.js';
import { findUpcoming } from './queue/upcoming.js';
import type { WorkItem } from './queue/work-queue.js';

const never = (): boolean => false;

/** A key taken from a queue since the last commit. */
interface Taken {
  readonly runner: Runner;
  readonly item: WorkItem;
}

/** No key is reconciled again on its own within less. */
const MIN_REQUEUE: Millis = 1;

/**
 * Runs a cluster's components in virtual-time order. Queues and timers are only hints that can be rebuilt: a start from
 * nothing enqueues every key, and reconciles find nothing to do.
 */
export class Loop {
  private readonly runners: readonly Runner[];
  private readonly sources: Sources;
  private readonly wakes = new Wakes();
  private readonly random = new SeededRandom(0);
  private readonly seed: number;
  /** Index of the runner whose turn it is. A slice may end within a round: the next one goes on from here. */
  private turn = 0;
  /** What a cold start has not queued yet. */
  private loading: Iterator<void> | undefined;
  /** Nothing was queued and nothing has run since the last clear(). */
  private isClear = true;
  /** Changes since the last advance have set timers. */
  private hasDelayed = false;
  /** A rollback queues these keys again. */
  private taken: Taken[] = [];
  /** The reconcile at work. */
  private atWork: Taken | undefined;
  /** What the last reconcile has thrown. */
  private failure: unknown;
  /** When the last reconcile wants to run again. */
  private requeueDelay: Millis | undefined;

  /** Told of each reconcile while somebody goes step by step. */
  onReconciled: ((reconciled: Reconciled) => void) | undefined;

  constructor(private readonly options: LoopOptions) {
    this.seed = hash32(options.seed, 1);
    this.sources = new Sources(options.state);
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
    this.sources.add(runner);
    return runner;
  }

  /** Queues the keys that a change concerns. */
  observe(change: AppliedChange): void {
    this.sources.forEachKey(change, (runner, key, delay) => this.enqueue(runner, key, change, delay));
  }

  private enqueue(runner: Runner, key: Key, change: AppliedChange, delay?: Millis): void {
    const own = this.isOwn(runner, key) ? this.atWork?.item : undefined;
    if (own && runner.controller.settles && change.type === 'put' && change.old !== undefined) return;
    this.isClear = false;
    if (this.loading) this.enqueueLoaded(runner, key, change);
    else if (delay !== undefined) this.enqueueAfter(delay, runner, key, change);
    // A component that goes on because of what it has just done goes on with what it began for.
    else if (own?.cause) runner.queue.add(key, own.cause);
    else runner.queue.add(key, change.revision, false, isOfUser(change));
  }

  /** Whether this controller is at work at this key. */
  private isOwn(runner: Runner, { namespace, name }: Key): boolean {
    const { atWork } = this;
    return runner === atWork?.runner && name === atWork.item.key.name && namespace === atWork.item.key.namespace;
  }

  /** A key that waits for a delayed change is not looked at before. */
  private enqueueLoaded(runner: Runner, key: Key, { revision }: AppliedChange): void {
    if (!this.wakes.isDelayed(runner, key)) runner.queue.add(key, revision, true);
  }

  private enqueueAfter(delay: Millis, runner: Runner, key: Key, change: AppliedChange): void {
    const { revision, at } = change;
    if (this.wakes.delay(delay, runner, key, revision, at, isOfUser(change))) this.hasDelayed = true;
  }

  /** What has to stand in a checkpoint: no object tells it. */
  waitingKeys(): WaitingKey[] {
    return this.wakes.waitingKeys();
  }

  /** Takes over what a checkpoint has. */
  wait(waiting: readonly WaitingKey[]): void {
    for (const key of waiting) {
      const runner = this.runners.find((one) => one.controller.name === key.controller);
      if (runner) this.wakes.wait(runner, key);
    }
  }

  /**
   * A change of the log of a cluster that is being loaded: what a controller sees after a delay is not queued by
   * enqueueAll() but when it would have been in the process that has made the change.
   */
  observeLogged(change: AppliedChange): void {
    this.sources.forEachDelayedKey(change, (runner, key, delay) => {
      if (!this.wasOwnUpdate(runner, key, change)) this.enqueueAfter(delay, runner, key, change);
    });
  }

  private wasOwnUpdate(runner: Runner, key: Key, { namespace, name, old, type, actor }: AppliedChange): boolean {
    if (!runner.controller.settles || !old || type !== 'put') return false;
    return key.name === name && key.namespace === namespace && actor === this.actorOf(runner, key);
  }

  /** All that it has to go on with: undefined when that does not stand in it, or is not committed yet. */
  save(): LoopState | undefined {
    if (this.loading || this.taken.length > 0) return undefined;
    const { now } = this.options.state;
    const runners = this.runners.map((runner) => ({
      controller: runner.controller.name,
      queue: runner.queue.save(),
      limits: runner.saveLimits(now),
    }));
    const timers = this.wakes.save();
    return { turn: this.turn, runners: runners.filter(({ queue, limits }) => queue ?? limits), timers };
  }

  /** Takes over what another one, or this one, had at this point of the log. */
  restore({ turn, runners, timers }: LoopState): void {
    const byName = new Map(this.runners.map((runner) => [runner.controller.name, runner]));
    const saved = new Map(runners.map((runner) => [runner.controller, runner]));
    this.isClear = false;
    this.loading = undefined;
    this.taken = [];
    this.turn = turn;
    for (const runner of this.runners) {
      const { queue, limits } = saved.get(runner.controller.name) ?? {};
      runner.queue.restore(queue);
      runner.restoreLimits(limits);
    }
    this.wakes.restore(timers, byName);
  }

  /** Lets the next advance queue every key of every controller, as a process does with a cluster it has loaded. */
  enqueueAll(): void {
    this.isClear = false;
    this.dropPast();
    this.loading = this.enqueueObjects();
  }

  /** What was due before the last change of the log has been done. */
  private dropPast(): void {
    for (const _ of this.wakes.takeDue(this.options.state.now));
  }

  private *enqueueObjects(): Iterator<void> {
    for (const stored of this.sources.objects()) yield this.observe(asCreation(stored, this.options.state.now));
  }

  /** False when the slice has to end before every key is queued. */
  private finishLoading(shouldYield: () => boolean): boolean {
    while (this.loading && !this.loading.next().done) if (shouldYield()) return false;
    this.loading = undefined;
    return true;
  }

  /**
   * Whether changes since the last advance give a controller of an enabled component a key to reconcile, now or later.
   */
  get wantsAdvance(): boolean {
    return this.hasDelayed || this.hasWork;
  }

  private get hasWork(): boolean {
    if (this.isClear) return false;
    return this.loading !== undefined || this.runners.some((runner) => this.canRun(runner));
  }

  private canRun({ queue, controller }: Runner): boolean {
    return queue.size > 0 && this.options.isEnabled(controller.component, controller.name);
  }

  get nextWake(): Millis | undefined {
    return this.wakes.peek()?.due;
  }

  /** What runs next; undefined when nothing is queued and no timer is set. */
  peek(): Upcoming | undefined {
    this.finishLoading(never);
    const { runners, turn, wakes } = this;
    return findUpcoming({ runners, turn, wakes, now: this.options.state.now, canRun: (runner) => this.canRun(runner) });
  }

  /** Drops queued keys and timers: for a process that only serves requests, and leaves the controllers to another. */
  clear(): void {
    if (this.isClear) return;
    this.isClear = true;
    this.loading = undefined;
    this.hasDelayed = false;
    this.wakes.clear();
    this.turn = 0;
    for (const { queue } of this.runners) queue.clear();
  }

  commit(): void {
    if (this.taken.length === 0) return;
    for (const { runner } of this.taken) runner.limits.commit();
    this.taken = [];
  }

  rollback(): void {
    this.isClear = false;
    for (const { runner, item } of this.taken) {
      runner.queue.add(item.key, item.cause, false, item.isUsers);
      runner.limits.rollback();
    }
    this.taken = [];
  }

  /**
   * Works until nothing is left to do before `until`, until `maxChanges` have been made, or until `shouldYield`, which
   * is asked after each reconcile, says true. Where slices end does not change what is done, nor in which order.
   */
  advance(until: Millis, maxChanges: number, shouldYield: () => boolean = never): Progress {
    const { state } = this.options;
    const limit = state.revision + maxChanges;
    this.hasDelayed = false;
    this.isClear = false;
    const mustEnd = (): boolean => state.revision >= limit || shouldYield();
    if (!this.finishLoading(shouldYield)) return { settled: false, nextWake: this.nextWake };
    for (;;) {
      if (!this.finishRound(mustEnd)) return { settled: false, nextWake: this.nextWake };
      if (this.hasWork) continue;
      this.options.rest?.();
      if (this.hasWork) continue;
      const timer = this.wakes.peek();
      if (!timer || timer.due > until) return { settled: true, nextWake: timer?.due };
      state.now = Math.max(state.now, timer.due);
      this.enqueueDue(state.now);
    }
  }

  private enqueueDue(now: Millis): void {
    for (const { runner, items } of this.wakes.takeDue(now))
      for (const { key, cause, isUsers } of items.values()) runner.queue.add(key, cause, false, isUsers);
  }

  /**
   * Lets each controller in turn reconcile what was queued when its turn came. False when the slice has to end before
   * the round does.
   */
  private finishRound(mustEnd: () => boolean): boolean {
    for (; this.turn < this.runners.length; this.turn++) {
      const runner = this.runners[this.turn]!;
      if (!this.canRun(runner)) {
        runner.queue.endTurn();
        continue;
      }
      runner.queue.beginTurn();
      for (let item = runner.queue.take(); item; item = runner.queue.take()) {
        const actor = this.actorOf(runner, item.key);
        if (this.delay(runner, item, actor)) continue;
        if (!this.reconcile(runner, item, actor)) runner.queue.putBack(item);
        if (mustEnd()) return false;
      }
      runner.queue.endTurn();
    }
    this.turn = 0;
    return true;
  }

  /** Whether the key has to wait for the controller's limits: changes that come meanwhile coalesce with this one. */
  private delay(runner: Runner, item: WorkItem, actor: string): boolean {
    const { now } = this.options.state;
    const wait = runner.limits.waitOf(item.text, actor, now);
    if (!wait) return false;
    this.wakes.limit(runner, wait.name, item, now + wait.delay);
    return true;
  }

  private actorOf({ controller: { actor } }: Runner, key: Key): string {
    return typeof actor === 'string' ? actor : actor(key, this.options.state);
  }

  /** False: it is not finished. What it has done is undone, and it is to go on before anything else does. */
  private reconcile(runner: Runner, item: WorkItem, actor: string): boolean {
    const { limits } = runner;
    const { state, observer } = this.options;
    const mark = state.mark();
    const { revision } = state;
    observer?.started(runner.controller.name, item.key, runner.queue.size, state.now);
    this.requeueDelay = undefined;
    let outcome: ReconcileOutcome | undefined = 'error';
    try {
      outcome = this.run(runner, item, actor);
      if (outcome) this.options.settle?.();
      return outcome !== undefined;
    } finally {
      if (outcome === undefined) state.rollback(mark);
      else limits.charge(item.text, actor, state.now, state.revision - revision);
      observer?.finished(runner.controller.name, outcome ?? 'requeue', state.revision - revision, this.requeueDelay);
      if (this.onReconciled && outcome) this.tellReconciled(runner, item, outcome);
    }
  }

  private tellReconciled(
    { controller }: Runner,
    { key, cause, isLoaded = false }: WorkItem,
    outcome: ReconcileOutcome,
  ) {
    this.onReconciled?.({ controller, key, cause, isLoaded, outcome, error: this.failure });
  }

  /** Undefined: the reconcile is not finished. */
  private run(runner: Runner, item: WorkItem, actor: string): ReconcileOutcome | undefined {
    const { controller, limits } = runner;
    const { state } = this.options;
    const { key, text, cause } = item;
    this.taken.push({ runner, item });
    this.failure = undefined;
    runner.cause = cause;
    this.random.reseed(this.seed, hash32(`${controller.name}/${text}`, state.draws));
    this.atWork = { runner, item };
    try {
      const result = controller.reconcile(this.contextFor(runner, actor, cause), key, runner.attached);
      limits.forget(text);
      return this.requeue(runner, item, result?.requeueAfter);
    } catch (error) {
      if (error instanceof UnfinishedWork) return undefined;
      if (error instanceof AssertionError) throw error;
      this.options.onError?.(controller.name, key, error);
      this.failure = error;
      this.requeue(runner, item, limits.backOff(text, state.now));
      return 'error';
    } finally {
      this.atWork = undefined;
    }
  }

  /** Sets the key's one timer, or clears it. */
  private requeue(runner: Runner, item: WorkItem, delay: Millis | undefined): ReconcileOutcome {
    this.requeueDelay = delay;
    const due = delay === undefined ? undefined : this.options.state.now + Math.max(MIN_REQUEUE, delay);
    this.wakes.requeue(runner, item, due);
    return due === undefined ? 'ok' : 'requeue';
  }

  private contextFor(runner: Runner, actor: string, cause: number): ReconcileContext {
    const { state, events, keys, usage } = this.options;
    const client = runner.clientFor(actor);
    const etcd = etcdOf(state, actor, cause);
    return new ReconcileContext(runner, state.now, client, this.random, cause, keys, events, etcd, usage);
  }
}
