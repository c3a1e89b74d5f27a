/**
 * Values that are looked for while somebody listens, and only after the last one was taken, so that a slow subscriber
 * hears less and holds nothing. Between two looks some real ms pass.
 */
export abstract class PolledStream<T> implements AsyncIterableIterator<T> {
  protected isDone = false;
  private isFirst = true;
  private timer: NodeJS.Timeout | undefined;
  private wake: () => void = () => undefined;

  constructor(private readonly interval: number) {}

  /** The next value; undefined: there is no news. `isFirst`: nothing has been told. Sets `isDone` with the last one. */
  protected abstract look(isFirst: boolean): Promise<T | undefined>;

  /** The subscriber has left before the end. */
  protected left(): void {
    // Most hold nothing that has to be closed.
  }

  async next(): Promise<IteratorResult<T>> {
    for (let hasLooked = !this.isFirst; !this.isDone; hasLooked = true) {
      if (hasLooked) await this.pause();
      if (this.isDone) break;
      const value = await this.look(this.isFirst);
      if (value === undefined) continue;
      this.isFirst = false;
      return { done: false, value };
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<T>> {
    if (!this.isDone) this.left();
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
      this.timer = setTimeout(resolve, this.interval);
    });
  }
}
