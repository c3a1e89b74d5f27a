import type { ActivityBatch, Reconcile } from './activity.js';

/** Reconciles that wait for one subscriber; of more, the oldest are dropped and counted. */
const MAX_WAITING = 1_000;

/** One subscriber's activity: he who reads slowly hears less, and holds no more than that. */
export class ActivityStream implements AsyncIterableIterator<ActivityBatch> {
  private waiting: Reconcile[] = [];
  private dropped = 0;
  private isDone = false;
  private wake: () => void = () => undefined;
  private readonly unsubscribe: () => void;

  constructor(subscribe: (listener: (batch: ActivityBatch) => void) => () => void) {
    this.unsubscribe = subscribe((batch) => this.add(batch));
  }

  async next(): Promise<IteratorResult<ActivityBatch>> {
    while (!this.isDone && this.waiting.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    if (this.isDone) return { done: true, value: undefined };
    const value = { reconciles: this.waiting, dropped: this.dropped };
    [this.waiting, this.dropped] = [[], 0];
    return { done: false, value };
  }

  async return(): Promise<IteratorResult<ActivityBatch>> {
    if (!this.isDone) this.unsubscribe();
    this.isDone = true;
    this.wake();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private add({ reconciles, dropped }: ActivityBatch): void {
    this.waiting.push(...reconciles);
    const over = Math.max(0, this.waiting.length - MAX_WAITING);
    if (over > 0) this.waiting.splice(0, over);
    this.dropped += dropped + over;
    this.wake();
  }
}
