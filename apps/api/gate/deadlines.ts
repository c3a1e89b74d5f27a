/** Ends work that takes too long. All of it may take the same time, so that one timer serves it. */
export class Deadlines {
  /** What ends the work, in the order of its deadlines: monotonic ms. */
  private readonly work = new Map<() => void, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly ms: number) {}

  /** Calls `expire` after the time, unless it is deleted before. */
  add(expire: () => void): void {
    this.work.set(expire, performance.now() + this.ms);
    this.timer ??= this.startTimer(this.ms);
  }

  delete(expire: () => void): void {
    this.work.delete(expire);
  }

  private startTimer(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.check(), ms).unref();
  }

  private check(): void {
    this.timer = undefined;
    const now = performance.now();
    for (const [expire, deadline] of this.work) {
      if (deadline > now) {
        this.timer = this.startTimer(Math.ceil(deadline - now));
        return;
      }
      this.work.delete(expire);
      expire();
    }
  }
}
