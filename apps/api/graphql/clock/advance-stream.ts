import type { nouns } from '@terrarium/platform';
import { isOver } from './cluster-clocks.js';

/** Real time between two looks. */
const INTERVAL = 500;

/**
 * An Advance as it goes on: told first as it is, then whenever it has got further, and last when it is over. It is
 * looked at only while somebody listens.
 */
export class AdvanceStream implements AsyncIterableIterator<nouns.Advance> {
  private told = '';
  private isDone = false;
  private timer: NodeJS.Timeout | undefined;
  private wake: () => void = () => undefined;

  constructor(
    private readonly read: () => Promise<nouns.Advance>,
    private readonly interval = INTERVAL,
  ) {}

  async next(): Promise<IteratorResult<nouns.Advance>> {
    while (!this.isDone) {
      const advance = await this.read();
      const text = JSON.stringify(advance);
      if (text !== this.told) {
        this.told = text;
        this.isDone ||= isOver(advance);
        return { done: false, value: advance };
      }
      await this.pause();
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<nouns.Advance>> {
    this.isDone = true;
    clearTimeout(this.timer);
    this.wake();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      this.timer = setTimeout(resolve, this.isDone ? 0 : this.interval);
    });
  }
}
