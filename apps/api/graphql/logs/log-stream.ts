import { LineCutter, mergeLines, type LogLine } from './log-lines.js';

/** Real time between two batches. */
const INTERVAL_MS = 50;
/** Lines of one batch; and those that may wait for a reader, beyond which the oldest are counted and left out. */
const BATCH_LINES = 2_000;
const MAX_WAITING = 20_000;
const MAX_LINE = 16 * 1024;

/** The text of one container's log, some at a time. */
export type LogSource = AsyncIterable<string> & { end(): void };

export interface LogEnd {
  readonly source: number;
  /** Why there is no more; '' when the log has ended. */
  readonly reason: string;
}

export interface LogBatch {
  readonly lines: readonly LogLine[];
  readonly ended: readonly LogEnd[];
  readonly dropped: number;
}

/** The logs of several containers as one, by time within each batch; at most 20 batches a second. */
export class LogStream implements AsyncIterableIterator<LogBatch> {
  private lines: LogLine[] = [];
  private ended: LogEnd[] = [];
  private dropped = 0;
  private open = 0;
  private lastAt = -Infinity;
  private isDone = false;
  private wakeReader: (() => void) | undefined;
  private readonly sources: LogSource[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** `closed` is called once, when the subscriber has left or all logs have ended. */
  constructor(
    private readonly closed: () => void = () => undefined,
    private readonly interval = INTERVAL_MS,
  ) {}

  /** Takes a log among those that are merged; `reason` says why it cannot be read. */
  add(source: number, log: LogSource | { readonly reason: string }): void {
    if ('reason' in log) {
      this.ended.push({ source, reason: log.reason });
      return this.wake();
    }
    if (this.isDone) return log.end();
    this.sources.push(log);
    this.open++;
    void this.read(source, log);
  }

  async next(): Promise<IteratorResult<LogBatch>> {
    for (;;) {
      if (this.isDone) return { done: true, value: undefined };
      if (this.lines.length > 0 || this.ended.length > 0) {
        const wait = this.lastAt + this.interval - performance.now();
        if (wait > 0) await this.pause(wait);
        else return { done: false, value: this.take() };
      } else if (this.open === 0) return this.return();
      else await this.pause(undefined);
    }
  }

  async return(): Promise<IteratorResult<LogBatch>> {
    if (!this.isDone) {
      this.isDone = true;
      for (const source of this.sources) source.end();
      this.closed();
    }
    this.wake();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async read(source: number, log: LogSource): Promise<void> {
    const cutter = new LineCutter(source, MAX_LINE);
    let reason = '';
    try {
      for await (const text of log) this.push(cutter.push(text));
      this.push(cutter.end());
    } catch (error) {
      // Whoever reads is told; the other logs go on.
      reason = error instanceof Error ? error.message : String(error);
    }
    this.open--;
    this.ended.push({ source, reason });
    this.wake();
  }

  private push(lines: readonly LogLine[]): void {
    if (lines.length === 0) return;
    for (const line of lines) this.lines.push(line);
    const tooMany = this.lines.length - MAX_WAITING;
    if (tooMany > 0) {
      this.lines = this.lines.slice(tooMany);
      this.dropped += tooMany;
    }
    this.wake();
  }

  private take(): LogBatch {
    this.lastAt = performance.now();
    const merged = mergeLines(this.lines);
    const batch = { lines: merged.slice(0, BATCH_LINES), ended: this.ended, dropped: this.dropped };
    this.lines = merged.slice(BATCH_LINES);
    // Ends are told behind the last lines.
    if (this.lines.length > 0) return { ...batch, ended: [] };
    this.ended = [];
    this.dropped = 0;
    return batch;
  }

  private pause(ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(this.timer);
        resolve();
      };
      // A time to wait is waited for: what comes meanwhile comes with the batch.
      if (ms === undefined) this.wakeReader = wake;
      else this.timer = setTimeout(wake, ms);
    });
  }

  private wake(): void {
    const { wakeReader } = this;
    this.wakeReader = undefined;
    wakeReader?.();
  }
}
