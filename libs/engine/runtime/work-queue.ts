import { keyText, type Key } from '../machinery/meta/object.js';
import { SECOND, type Millis } from '../machinery/time/time.js';

/** client-go's default item back-off: 5 ms doubling to 1000 s. */
const BASE_DELAY: Millis = 5;
const MAX_DELAY: Millis = 1000 * SECOND;
const MAX_DOUBLINGS = 30;

/** A key to be reconciled, and the revision of the change that led to it (0 for a timer). */
export interface WorkItem {
  readonly key: Key;
  readonly cause: number;
}

/**
 * One controller's keys to reconcile, each once and in the order of arrival, with their back-off. Models
 * client-go/util/workqueue: the queue and its ItemExponentialFailureRateLimiter.
 */
export class WorkQueue {
  private items = new Map<string, WorkItem>();
  private readonly failures = new Map<string, number>();

  get size(): number {
    return this.items.size;
  }

  /** A key that waits already keeps its place and its cause. */
  add(key: Key, cause: number): void {
    const text = keyText(key);
    if (!this.items.has(text)) this.items.set(text, { key: { namespace: key.namespace, name: key.name }, cause });
  }

  /** Takes all that waits now, by the keys' texts; what comes meanwhile waits for the next round. */
  drain(): ReadonlyMap<string, WorkItem> {
    const { items } = this;
    this.items = new Map();
    return items;
  }

  clear(): void {
    this.items.clear();
  }

  /** Counts a failure of this key; returns how long to wait before the next attempt. */
  backOff(text: string): Millis {
    const failures = this.failures.get(text) ?? 0;
    this.failures.set(text, failures + 1);
    return Math.min(BASE_DELAY * 2 ** Math.min(failures, MAX_DOUBLINGS), MAX_DELAY);
  }

  /** Forgets the failures of a key that has been reconciled. */
  forget(text: string): void {
    this.failures.delete(text);
  }
}
