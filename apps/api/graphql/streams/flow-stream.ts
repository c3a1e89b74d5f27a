import type { nouns } from '@terrarium/platform';

/** Real time between two readings. */
const INTERVAL = 1_000;
/** Flows of one reading; the others are counted. */
const LIMIT = 100;
/** What has been told of a flow is remembered for so many of them. */
const MAX_TOLD = 1_000;

type Reading = nouns.FlowReading;

/**
 * The flows of a cluster as they change: first all of the last two minutes, then those that have begun, passed
 * something or ended. A reading is made once a second while somebody listens, and only after the last one was taken,
 * so that a slow subscriber hears less and holds nothing.
 */
export class FlowStream implements AsyncIterableIterator<Reading> {
  /** What was last told of a flow, by its id; the oldest first. */
  private readonly told = new Map<string, string>();
  private isFirst = true;
  private isDone = false;
  private timer: NodeJS.Timeout | undefined;
  private wake: () => void = () => undefined;

  constructor(
    private readonly read: (limit: number) => Promise<Reading>,
    private readonly closed: () => void = () => undefined,
    private readonly interval = INTERVAL,
  ) {}

  async next(): Promise<IteratorResult<Reading>> {
    for (;;) {
      if (!this.isFirst) await this.pause();
      if (this.isDone) return { done: true, value: undefined };
      const reading = await this.read(LIMIT);
      const flows = reading.flows.filter((flow) => this.isNews(flow));
      if (flows.length > 0 || this.isFirst) {
        this.isFirst = false;
        return { done: false, value: { ...reading, flows } };
      }
    }
  }

  async return(): Promise<IteratorResult<Reading>> {
    if (!this.isDone) this.closed();
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

  private isNews(flow: Reading['flows'][number]): boolean {
    const text = `${flow.bytesSent} ${flow.bytesReceived} ${flow.endedAt ?? ''} ${flow.verdict}`;
    if (this.told.get(flow.id) === text) return false;
    this.told.delete(flow.id);
    this.told.set(flow.id, text);
    if (this.told.size > MAX_TOLD) this.told.delete(this.told.keys().next().value!);
    return true;
  }
}
