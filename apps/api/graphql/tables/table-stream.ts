import type { Refusal } from '@terrarium/platform';
import type { TableFeed, TableListener } from './table-feed.js';
import type { TableBatch } from './types.js';

/** Batches that may wait for one subscriber; beyond, it gets all rows anew instead of them. */
const MAX_WAITING = 20;

/** The batches of a feed for one subscriber, all rows first. Who reads slowly hears less, and holds nothing. */
export class TableStream implements AsyncIterableIterator<TableBatch>, TableListener {
  private waiting: TableBatch[] = [];
  private needsAll = true;
  private failure: Refusal | undefined;
  private isDone = false;
  private wakeReader: (() => void) | undefined;

  constructor(
    private readonly feed: Pick<TableFeed, 'all' | 'add' | 'remove'>,
    private readonly closed: () => void = () => undefined,
  ) {
    feed.add(this);
  }

  batch(batch: TableBatch): void {
    if (this.needsAll) return this.wake();
    if (this.waiting.length >= MAX_WAITING || batch.reset) {
      this.waiting = [];
      this.needsAll = true;
    } else this.waiting.push(batch);
    this.wake();
  }

  failed(refusal: Refusal): void {
    this.failure = refusal;
    this.wake();
  }

  async next(): Promise<IteratorResult<TableBatch>> {
    for (;;) {
      if (this.isDone) return { done: true, value: undefined };
      const batch = this.take();
      if (batch) return { done: false, value: batch };
      if (this.failure) {
        await this.return();
        throw this.failure;
      }
      await new Promise<void>((resolve) => (this.wakeReader = resolve));
    }
  }

  async return(): Promise<IteratorResult<TableBatch>> {
    if (!this.isDone) {
      this.isDone = true;
      this.feed.remove(this);
      this.closed();
    }
    this.wake();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private take(): TableBatch | undefined {
    if (!this.needsAll) return this.waiting.shift();
    this.needsAll = false;
    this.waiting = [];
    return this.feed.all();
  }

  private wake(): void {
    const { wakeReader } = this;
    this.wakeReader = undefined;
    wakeReader?.();
  }
}
