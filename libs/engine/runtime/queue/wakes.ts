import { keyText, type Key } from '../../machinery/meta/object.js';
import type { Millis } from '../../machinery/time/time.js';
import type { WaitingKey, WakeReason } from '../loop-options.js';
import { itemsOf, savedTimer, type SavedTimer } from '../loop-state.js';
import type { Runner } from './runner.js';
import { Timers, type Timer } from './timers.js';
import { withCause, type WorkItem } from './work-queue.js';

/** Keys that a timer queues. */
export interface Wake {
  readonly runner: Runner;
  readonly reason: WakeReason;
  readonly items: Map<string, WorkItem>;
}

const delayId = ({ controller }: Runner, text: string): string => `${controller.name} delays ${text}`;

/** When which keys are queued by the time alone. */
export class Wakes {
  private readonly timers = new Timers<Wake>();

  /** The next one; undefined when there is none. */
  peek(): Timer<Wake> | undefined {
    return this.timers.peek();
  }

  isDelayed(runner: Runner, key: Key): boolean {
    return this.timers.get(delayId(runner, keyText(key))) !== undefined;
  }

  /** A controller sees a change after a delay that begins at `from`. False: it is about to see another one before. */
  delay(
    delay: Millis,
    runner: Runner,
    { namespace, name }: Key,
    cause: number,
    from: Millis,
    isUsers = false,
  ): boolean {
    const key = { namespace, name };
    const text = keyText(key);
    const id = delayId(runner, text);
    const waiting = this.timers.get(id);
    const known = waiting?.value.items.get(text);
    if (waiting && known && waiting.due > from) {
      waiting.value.items.set(text, withCause(known, cause, isUsers));
      return false;
    }
    const item: WorkItem = { key, text, cause, ...(isUsers && { isUsers }) };
    this.timers.set(id, from + delay, { runner, reason: 'delay', items: new Map([[text, item]]) });
    return true;
  }

  /** Sets a key's one timer, or clears it. */
  requeue(runner: Runner, item: WorkItem, due: Millis | undefined): void {
    const id = `${runner.controller.name}/${item.text}`;
    if (due === undefined) return this.timers.clear(id);
    const items = new Map([[item.text, { key: item.key, text: item.text, cause: 0 }]]);
    this.timers.set(id, due, { runner, reason: 'requeue', items });
  }

  /** A key waits for a limit of rates by its name, with others. */
  limit(runner: Runner, name: string, item: WorkItem, due: Millis): void {
    const id = `${runner.controller.name} ${name}`;
    const waiting = this.timers.get(id)?.value.items;
    if (!waiting) this.timers.set(id, due, { runner, reason: 'rate', items: new Map([[item.text, item]]) });
    else waiting.set(item.text, withCause(waiting.get(item.text) ?? item, item.cause, item.isUsers));
  }

  /** Those that are due until a time, which are gone then. */
  *takeDue(now: Millis): Iterable<Wake> {
    for (let timer = this.timers.peek(); timer && timer.due <= now; timer = this.timers.peek()) {
      this.timers.take();
      yield timer.value;
    }
  }

  clear(): void {
    this.timers.clearAll();
  }

  /** What has to stand in a checkpoint: no object tells it. */
  waitingKeys(): WaitingKey[] {
    const waiting: WaitingKey[] = [];
    for (const { due, value } of this.timers.values()) {
      if (value.reason !== 'delay') continue;
      for (const { key, cause } of value.items.values())
        waiting.push({ controller: value.runner.controller.name, key, cause, due });
    }
    return waiting;
  }

  /** Takes over what a checkpoint has of a controller. */
  wait(runner: Runner, { key, cause, due }: WaitingKey): void {
    const text = keyText(key);
    this.timers.set(delayId(runner, text), due, {
      runner,
      reason: 'delay',
      items: new Map([[text, { key, text, cause }]]),
    });
  }

  save(): SavedTimer[] {
    return [...this.timers.values()].map(({ due, id, value: { runner, reason, items } }) =>
      savedTimer({ due, id, controller: runner.controller.name, reason, items }),
    );
  }

  restore(timers: readonly SavedTimer[], runners: ReadonlyMap<string, Runner>): void {
    this.timers.clearAll();
    for (const { due, id, controller, reason, items } of timers) {
      const runner = runners.get(controller);
      if (runner) this.timers.set(id, due, { runner, reason, items: itemsOf(items) });
    }
  }
}
