import { keyText } from '../machinery/meta/object.js';
import type { Millis } from '../machinery/time/time.js';
import type { SavedLimits } from './queue/reconcile-limits.js';
import type { SavedQueue, WorkItem } from './queue/work-queue.js';

/**
 * What a Loop has to go on with at a point of the log, as plain data: with it in a checkpoint, another process does
 * what this one would have done, in the same order.
 */
export interface LoopState {
  /** Index of the controller whose turn it is. */
  readonly turn: number;
  /** Those that have something waiting, or are limited. */
  readonly runners: readonly SavedRunner[];
  readonly timers: readonly SavedTimer[];
}

export interface SavedRunner {
  readonly controller: string;
  readonly queue?: SavedQueue | undefined;
  readonly limits?: SavedLimits | undefined;
}

export interface SavedTimer {
  readonly due: Millis;
  readonly id: string;
  readonly controller: string;
  readonly reason: 'delay' | 'requeue' | 'rate';
  readonly items: readonly SavedItem[];
}

/** Namespace, name and cause. */
export type SavedItem = readonly [namespace: string, name: string, cause: number];

export function savedTimer(timer: Omit<SavedTimer, 'items'> & { items: ReadonlyMap<string, WorkItem> }): SavedTimer {
  const items = [...timer.items.values()].map(({ key, cause }): SavedItem => [key.namespace, key.name, cause]);
  return { ...timer, items };
}

export function itemsOf(items: readonly SavedItem[]): Map<string, WorkItem> {
  return new Map(
    items.map(([namespace, name, cause]) => {
      const key = { namespace, name };
      const text = keyText(key);
      return [text, { key, text, cause }];
    }),
  );
}
