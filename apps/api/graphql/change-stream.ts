import { selectors, shown, type AppliedChange, type KubeObject } from '@terrarium/engine';
import type { ClusterHost, EndReason } from '@terrarium/host';
import { Refusal } from '@terrarium/platform';
import { Newest } from './shared-results.js';

/** Events that may wait for one subscriber before it is cut off. */
const MAX_WAITING = 5_000;

/** One change as a subscriber sees it. */
export interface ChangeEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  readonly revision: number;
  readonly actor: string;
  readonly cause: number;
  readonly at: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface ChangeFilter {
  /** Storage key: 'deployments.apps'. */
  readonly resource?: string;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
}

type Match = (object: KubeObject) => boolean;

/**
 * The events after a revision, in order, without gaps. Ends with a Refusal: 410 when the revision is no longer
 * retained.
 */
export class ChangeStream implements AsyncIterableIterator<ChangeEvent> {
  private waiting: ChangeEvent[] = [];
  private failure: Refusal | undefined;
  private done = false;
  private wake: (() => void) | undefined;
  private leave: () => void = () => undefined;

  private constructor(
    private readonly matches: Match,
    private readonly filter: ChangeFilter,
  ) {}

  static async open(
    host: ClusterHost,
    clusterId: string,
    fromRevision: number,
    filter: ChangeFilter,
  ): Promise<ChangeStream> {
    const stream = new ChangeStream(matcher(filter), filter);
    stream.leave = await host.subscribe(clusterId, fromRevision, {
      changes: (changes) => stream.take(changes),
      ended: (reason, oldest) => stream.fail(refusalOf(reason, oldest)),
    });
    if (stream.done) stream.leave();
    return stream;
  }

  async next(): Promise<IteratorResult<ChangeEvent>> {
    for (;;) {
      const event = this.waiting.shift();
      if (event) return { done: false, value: event };
      if (this.failure) throw this.failure;
      if (this.done) return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  async return(): Promise<IteratorResult<ChangeEvent>> {
    this.done = true;
    this.leave();
    this.notify();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private take(changes: readonly AppliedChange[]): void {
    if (this.done || this.failure) return;
    for (const change of changes) {
      const event = this.passes(change) ? eventOf(change, this.matches) : undefined;
      if (event) this.waiting.push(event);
    }
    if (this.waiting.length > MAX_WAITING) {
      this.waiting = [];
      this.leave();
      return this.fail(new Refusal(410, 'the subscriber is too slow: resume from the last revision it has seen'));
    }
    this.notify();
  }

  private passes({ resource, namespace }: AppliedChange): boolean {
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
    const { wake } = this;
    this.wake = undefined;
    wake?.();
  }
}

function matcher({ labelSelector, apiVersion, kind }: ChangeFilter): Match {
  const requirements = labelSelector ? selectors.parseLabelSelector(labelSelector) : [];
  return (object) =>
    (kind === undefined || object.kind === kind) &&
    (apiVersion === undefined || object.apiVersion === apiVersion) &&
    selectors.matchesRequirements(requirements, object.metadata.labels);
}

const REMEMBERED_CHANGES = 256;
const events = new Newest<AppliedChange, Map<ChangeEvent['type'], ChangeEvent>>(REMEMBERED_CHANGES);

/**
 * As a watch: an object that begins to match is ADDED, one that no longer does is DELETED. The same change gives all
 * subscribers the same event.
 */
function eventOf(change: AppliedChange, matches: Match): ChangeEvent | undefined {
  const was = change.old !== undefined && matches(change.old);
  const is = change.type === 'put' && matches(change.object);
  if (!was && !is) return undefined;
  const type = is ? (was ? 'MODIFIED' : 'ADDED') : 'DELETED';
  const made = events.get(change, () => new Map());
  let event = made.get(type);
  if (!event) made.set(type, (event = asEvent(type, change)));
  return event;
}

const asEvent = (
  type: ChangeEvent['type'],
  { object, revision, actor, cause, at, resource, namespace, name }: AppliedChange,
): ChangeEvent => ({
  type,
  object: shown(object),
  revision,
  actor,
  cause,
  at: new Date(at).toISOString(),
  resource,
  namespace,
  name,
});

function refusalOf(reason: EndReason, oldest: number | undefined): Refusal {
  if (reason === 'expired')
    return new Refusal(
      410,
      `the revision is no longer retained; the oldest to resume from is ${oldest ?? 'the present'}`,
    );
  if (reason === 'deleted') return new Refusal(404, 'the cluster has been deleted');
  return new Refusal(410, 'the stream was closed: resume from the last revision it has seen');
}
