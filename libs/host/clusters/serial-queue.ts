/** Runs functions one after the other, in order of arrival. */
export class SerialQueue {
  private tail: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** A function is running or waits to run. */
  get isBusy(): boolean {
    return this.waiting > 0;
  }

  run<T>(task: () => Promise<T> | T): Promise<T> {
    this.waiting++;
    const turn = this.tail.then(task).finally(() => this.waiting--);
    // The caller is told of the error; the next turn begins all the same.
    this.tail = turn.catch(() => undefined);
    return turn;
  }
}
