import type { nouns } from '@terrarium/platform';
import { PolledStream } from './polled-stream.js';

/** Real time between two readings. */
const INTERVAL = 1_000;
/** Flows of one reading; the others are counted. */
const LIMIT = 100;
/** What has been told of a flow is remembered for so many of them. */
const MAX_TOLD = 1_000;

type Reading = nouns.FlowReading;

/**
 * The flows of a cluster as they change: first all of the last two minutes, then those that have begun, passed
 * something or ended.
 */
export class FlowStream extends PolledStream<Reading> {
  /** What was last told of a flow, by its id; the oldest first. */
  private readonly told = new Map<string, string>();

  constructor(
    private readonly read: (limit: number) => Promise<Reading>,
    private readonly closed: () => void = () => undefined,
    interval = INTERVAL,
  ) {
    super(interval);
  }

  protected override left(): void {
    this.closed();
  }

  protected async look(isFirst: boolean): Promise<Reading | undefined> {
    const reading = await this.read(LIMIT);
    const flows = reading.flows.filter((flow) => this.isNews(flow));
    return flows.length > 0 || isFirst ? { ...reading, flows } : undefined;
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
