import type { AppliedChange, CheckpointState } from '@terrarium/engine';
import type { EndReason, Listener } from '@terrarium/host';
import { isPictured, LabelList, pictureRow, type PictureRow } from './picture-row.js';

/** What has changed since the event before; or a part of all that there is. */
export interface PictureBatch {
  /** All that was told before is void. */
  readonly begins: boolean;
  /** Rows of the snapshot that are still to come; 0: it is whole, or this is none. */
  readonly left: number;
  readonly revision: number;
  /** Virtual ms since the epoch, of the last change. */
  readonly at: number;
  readonly labels: readonly Readonly<Record<string, string>>[];
  readonly rows: readonly PictureRow[];
}

/** A batch of changes, and the first revision that it tells. */
export interface LiveBatch extends PictureBatch {
  readonly first: number;
}

export interface FeedListener {
  batch(batch: LiveBatch): void;
  ended(reason: EndReason): void;
}

interface Source {
  revision(): Promise<number>;
  subscribe(from: number, listener: Listener): Promise<() => void>;
  state(): Promise<CheckpointState>;
}

/** At most 20 batches a second, each of so many rows. */
const FLUSH_MS = 50;
export const MAX_ROWS = 1_000;
/** Actors that are named of one object in one batch. */
const MAX_ACTORS = 4;

interface Pending {
  readonly change: AppliedChange;
  readonly by: readonly string[];
}

/**
 * The changes of one cluster for all who look at its picture: put together for a twentieth of a second, of each object
 * the last one, so that two thousand changes a second of a thousand pods are at most twenty small messages. A batch is
 * made once for all.
 */
export class PictureFeed {
  private readonly listeners = new Set<FeedListener>();
  private pending = new Map<string, Pending>();
  private firstPending = 0;
  private revision = 0;
  private at = 0;
  private timer: NodeJS.Timeout | undefined;
  private opened: Promise<() => void> | undefined;

  constructor(
    private readonly source: Source,
    private readonly flushMs = FLUSH_MS,
  ) {}

  get size(): number {
    return this.listeners.size;
  }

  /** From now on the listener hears every batch. Resolves with the state it begins on; rejects with ClusterNotFound. */
  async join(listener: FeedListener): Promise<CheckpointState> {
    this.listeners.add(listener);
    await (this.opened ??= this.open());
    return this.source.state();
  }

  /** The last one that leaves closes the feed. */
  async leave(listener: FeedListener): Promise<void> {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    const { opened } = this;
    this.close();
    // One that could not be opened has told so to whoever joined.
    const unsubscribe = await opened?.catch(() => undefined);
    unsubscribe?.();
  }

  state(): Promise<CheckpointState> {
    return this.source.state();
  }

  private async open(): Promise<() => void> {
    return this.source.subscribe(await this.source.revision(), {
      changes: (changes) => this.receive(changes),
      ended: (reason) => this.end(reason),
    });
  }

  private receive(changes: readonly AppliedChange[]): void {
    for (const change of changes) {
      this.at = Math.max(this.at, change.at);
      this.revision = change.revision;
      if (isPictured(change.resource)) this.remember(change);
    }
    if (this.pending.size > 0) this.timer ??= setTimeout(() => this.flush(), this.flushMs).unref();
  }

  private remember(change: AppliedChange): void {
    if (this.pending.size === 0) this.firstPending = change.revision;
    const key = `${change.resource}/${change.namespace}/${change.name}`;
    const by = this.pending.get(key)?.by ?? [];
    const isNamed = by.includes(change.actor) || by.length >= MAX_ACTORS;
    const others = isNamed ? by.filter((actor) => actor !== change.actor).slice(1 - MAX_ACTORS) : by;
    this.pending.set(key, { change, by: [...others, change.actor] });
  }

  private flush(): void {
    this.timer = undefined;
    const all = [...this.pending.values()];
    this.pending = new Map();
    const { firstPending: first, revision, at } = this;
    for (let i = 0; i < all.length; i += MAX_ROWS) {
      const labels = new LabelList();
      const rows = all.slice(i, i + MAX_ROWS).flatMap((one) => rowOf(one, labels) ?? []);
      const batch: LiveBatch = { begins: false, left: 0, first, revision, at, labels: labels.list, rows };
      for (const listener of this.listeners) listener.batch(batch);
    }
  }

  private end(reason: EndReason): void {
    this.close();
    const all = [...this.listeners];
    this.listeners.clear();
    for (const listener of all) listener.ended(reason);
  }

  private close(): void {
    this.opened = undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pending.clear();
  }
}

const rowOf = ({ change, by }: Pending, labels: LabelList): PictureRow | undefined =>
  pictureRow(change, labels, {
    revision: change.revision,
    by,
    cause: change.cause,
    ...(change.type === 'delete' ? { gone: true } : {}),
  });
