/** Work that is under way, between the work that began before it and after it. */
export interface Deadline {
  /** Monotonic ms. */
  readonly at: number;
  expire(): void;
  before: Deadline | undefined;
  after: Deadline | undefined;
  isOver: boolean;
}

/**
 * Ends work that takes too long. All of it may take the same time, so that one timer serves it, and a list in the order
 * of its beginning: a map of all requests would hash two entries for each.
 */
export class Deadlines {
  private first: Deadline | undefined;
  private last: Deadline | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly ms: number) {}

  /** Calls `expire` after the time, unless the deadline is deleted before. */
  add(expire: () => void): Deadline {
    const { last } = this;
    const deadline = { at: performance.now() + this.ms, expire, before: last, after: undefined, isOver: false };
    if (last) last.after = deadline;
    else this.first = deadline;
    this.last = deadline;
    this.timer ??= this.startTimer(this.ms);
    return deadline;
  }

  delete(deadline: Deadline): void {
    if (deadline.isOver) return;
    deadline.isOver = true;
    const { before, after } = deadline;
    if (before) before.after = after;
    else this.first = after;
    if (after) after.before = before;
    else this.last = before;
  }

  private startTimer(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.check(), ms).unref();
  }

  private check(): void {
    this.timer = undefined;
    const now = performance.now();
    for (let { first } = this; first; first = this.first) {
      if (first.at > now) {
        this.timer = this.startTimer(Math.ceil(first.at - now));
        return;
      }
      this.delete(first);
      first.expire();
    }
  }
}
