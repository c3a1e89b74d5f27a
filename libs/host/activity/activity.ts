import type { ClusterOptions, Key } from '@terrarium/engine';
import type { ActivityChannel } from './activity-channel.js';

/** One run of one controller for one key. A slice that lost a race runs again: then it is told twice. */
export interface Reconcile {
  readonly controller: string;
  readonly namespace: string;
  readonly name: string;
  /** Virtual ms since the epoch. */
  readonly at: number;
  /** Real ms. */
  readonly duration: number;
  /** Keys that waited behind it in the controller's queue. */
  readonly queued: number;
  readonly writes: number;
  readonly outcome: 'ok' | 'requeue' | 'error';
  /** Virtual ms until the controller looks at the key again by itself. */
  readonly requeueAfter?: number;
}

/** Reconciles that came together, and how many there were beside them. */
export interface ActivityBatch {
  readonly reconciles: readonly Reconcile[];
  readonly dropped: number;
}

type Observer = NonNullable<ClusterOptions['observer']>;
type Message = { readonly w: string } | { readonly c: string; readonly r: readonly Reconcile[]; readonly d: number };
interface Buffer {
  reconciles: Reconcile[];
  dropped: number;
}

/** Subscribers say again and again that they are there; who has not for so long is gone. */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
const FLUSH_MS = 100;
/** Of one cluster in each flush, and clusters that are watched at once. */
const MAX_RECONCILES = 200;
const MAX_WATCHED = 200;

/**
 * The work of controllers, as it happens: told by the process that runs them to those whose users subscribe, and only
 * while somebody does. Without subscribers it costs one look into an empty map for each reconcile.
 */
export class Activity {
  /** Here: what listens to a cluster. */
  private readonly listeners = new Map<string, Set<(batch: ActivityBatch) => void>>();
  /** Until when a cluster is watched anywhere: real ms. */
  private readonly watched = new Map<string, number>();
  private readonly buffers = new Map<string, Buffer>();
  private renewal: NodeJS.Timeout | undefined;
  private flushing: NodeJS.Timeout | undefined;

  constructor(
    private readonly channel: ActivityChannel,
    private readonly now: () => number = Date.now,
  ) {
    channel.listen((message) => this.receive(JSON.parse(message) as Message));
  }

  /** Delivers a cluster's batches until the function that it returns is called. */
  subscribe(cluster: string, listener: (batch: ActivityBatch) => void): () => void {
    const known = this.listeners.get(cluster) ?? new Set();
    this.listeners.set(cluster, known.add(listener));
    this.channel.publish(JSON.stringify({ w: cluster }));
    this.renewal ??= setInterval(() => this.renew(), RENEW_MS).unref();
    return () => {
      known.delete(listener);
      if (known.size === 0) this.listeners.delete(cluster);
      if (this.listeners.size === 0) this.stopRenewal();
    };
  }

  /** Wraps the observer of a cluster that runs here. */
  observe(cluster: string, inner: Observer): Observer {
    let startedAt = 0;
    let current: { key: Key; queued: number; at: number } | undefined;
    return {
      started: (controller, key, queued, at) => {
        inner.started(controller, key, queued, at);
        current = this.watched.size > 0 && this.isWatched(cluster) ? { key, queued, at } : undefined;
        if (current) startedAt = performance.now();
      },
      finished: (controller, outcome, writes, requeueAfter) => {
        inner.finished(controller, outcome, writes, requeueAfter);
        if (!current) return;
        const { key, queued, at } = current;
        const duration = Math.round((performance.now() - startedAt) * 1_000) / 1_000;
        const { namespace, name } = key;
        const reconcile = { controller, namespace, name, at, duration, queued, writes, outcome };
        this.record(cluster, requeueAfter === undefined ? reconcile : { ...reconcile, requeueAfter });
      },
    };
  }

  close(): void {
    this.stopRenewal();
    clearTimeout(this.flushing);
    this.listeners.clear();
    this.channel.close();
  }

  private isWatched(cluster: string): boolean {
    const until = this.watched.get(cluster);
    if (until === undefined) return false;
    if (until > this.now()) return true;
    this.watched.delete(cluster);
    return false;
  }

  private record(cluster: string, reconcile: Reconcile): void {
    let buffer = this.buffers.get(cluster);
    if (!buffer) this.buffers.set(cluster, (buffer = { reconciles: [], dropped: 0 }));
    if (buffer.reconciles.length < MAX_RECONCILES) buffer.reconciles.push(reconcile);
    else buffer.dropped++;
    this.flushing ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  private flush(): void {
    this.flushing = undefined;
    for (const [c, { reconciles, dropped }] of this.buffers)
      for (const message of messagesOf(c, reconciles, dropped, this.channel.maxLength)) this.channel.publish(message);
    this.buffers.clear();
  }

  private receive(message: Message): void {
    if ('w' in message) {
      if (this.watched.size < MAX_WATCHED || this.watched.has(message.w)) this.watch(message.w);
      return;
    }
    for (const listener of this.listeners.get(message.c) ?? []) listener({ reconciles: message.r, dropped: message.d });
  }

  private watch(cluster: string): void {
    const now = this.now();
    for (const [id, until] of this.watched) if (until <= now) this.watched.delete(id);
    this.watched.set(cluster, now + LEASE_MS);
  }

  private renew(): void {
    for (const cluster of this.listeners.keys()) this.channel.publish(JSON.stringify({ w: cluster }));
  }

  private stopRenewal(): void {
    clearInterval(this.renewal);
    this.renewal = undefined;
  }
}

/** As few messages as hold the reconciles; `dropped` goes with the first. */
function messagesOf(c: string, reconciles: readonly Reconcile[], dropped: number, maxLength: number): string[] {
  const texts = reconciles.map((one) => JSON.stringify(one));
  const messages: string[] = [];
  const frame = JSON.stringify({ c, d: dropped, r: [] }).length + 10;
  let part: string[] = [];
  let length = frame;
  const end = (): void => {
    const d = messages.length === 0 ? dropped : 0;
    messages.push(`{"c":${JSON.stringify(c)},"d":${d},"r":[${part.join(',')}]}`);
    [part, length] = [[], frame];
  };
  for (const text of texts) {
    if (length + text.length + 1 > maxLength && part.length > 0) end();
    part.push(text);
    length += text.length + 1;
  }
  if (part.length > 0) end();
  return messages;
}
