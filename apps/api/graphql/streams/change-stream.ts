import type { AppliedChange } from '@terrarium/engine';
import type { ClusterHost, EndReason } from '@terrarium/host';
import { Refusal } from '@terrarium/platform';
import { changeEvent, matcherOf, type ChangeEvent, type ChangeFilter, type Matcher } from './change-event.js';

/** Events that may wait for one subscriber; beyond, it is cut off. */
const MAX_QUEUED = 5_000;

/**
 * The events after a revision, in order, without gaps. Rejects with a Refusal: 410 when the revision is no longer
 * retained or the subscriber is too slow, 404 when the cluster is deleted.
 */
export class ChangeStream implements AsyncIterableIterator<ChangeEvent> {
  private queue: ChangeEvent[] = [];
  private failure: Refusal | undefined;
  private isDone = false;
  private wakeReader: (() => void) | undefined;
  private unsubscribe: () => void = () => undefined;

  private constructor(
    private readonly matches: Matcher,
    private readonly filter: ChangeFilter,
  ) {}

  static async open(
    host: ClusterHost,
    clusterId: string,
    fromRevision: number,
    filter: ChangeFilter,
  ): Promise<ChangeStream> {
    const stream = new ChangeStream(matcherOf(filter), filter);
    stream.unsubscribe = await host.subscribe(clusterId, fromRevision, {
      changes: (changes) => stream.receive(changes),
      ended: (reason, oldest) => stream.fail(refusalOf(reason, oldest)),
    });
    if (stream.isDone) stream.unsubscribe();
    return stream;
  }

  async next(): Promise<IteratorResult<ChangeEvent>> {
    for (;;) {
      const event = this.queue.shift();
      if (event) return { done: false, value: event };
      if (this.failure) throw this.failure;
      if (this.isDone) return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.wakeReader = resolve));
    }
  }

  async return(): Promise<IteratorResult<ChangeEvent>> {
    this.isDone = true;
    this.unsubscribe();
    this.notify();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private receive(changes: readonly AppliedChange[]): void {
    if (this.isDone || this.failure) return;
    for (const change of changes) {
      const event = this.isInScope(change) ? changeEvent(change, this.matches) : undefined;
      if (event) this.queue.push(event);
    }
    if (this.queue.length > MAX_QUEUED) {
      this.queue = [];
      this.unsubscribe();
      return this.fail(new Refusal(410, 'the subscriber is too slow: resume from the last revision it has seen'));
    }
    this.notify();
  }

  private isInScope({ resource, namespace }: AppliedChange): boolean {
    const { filter } = this;
    return (
      (filter.resource === undefined || filter.resource === resource) &&
      (filter.namespace === undefined || filter.namespace === namespace)
    );
  }

  private fail(refusal: Refusal): void {
    this.failure = refusal;
    this.notify();
  }

  private notify(): void {
    const { wakeReader } = this;
    this.wakeReader = undefined;
    wakeReader?.();
  }
}

function refusalOf(reason: EndReason, oldest: number | undefined): Refusal {
  if (reason === 'expired')
    return new Refusal(
      410,
      `the revision is no longer retained; the oldest to resume from is ${oldest ?? 'the present'}`,
    );
  if (reason === 'deleted') return new Refusal(404, 'the cluster has been deleted');
  return new Refusal(410, 'the stream was closed: resume from the last revision it has seen');
}
