import type { CheckpointState } from '@terrarium/engine';
import type { EndReason } from '@terrarium/host';
import { Refusal } from '@terrarium/platform';
import type { FeedListener, LiveBatch, PictureBatch, PictureFeed } from './picture-feed.js';
import { isPictured, LabelList, pictureRow } from './picture-row.js';

/** Rows of a snapshot that are made in one turn. */
const CHUNK = 500;
/** Rows that may wait for one subscriber: one that is slower begins anew with a snapshot. */
const MAX_WAITING = 10_000;

/** Does a piece of work when it is the subscriber's turn. */
export type InTurn = <T>(work: () => T) => Promise<T>;

/** All pictured objects of a state, a chunk at a time. */
export function* snapshotOf({ objects, revision, now }: CheckpointState): Generator<PictureBatch> {
  const pictured = objects.filter(({ resource }) => isPictured(resource));
  for (let i = 0; i === 0 || i < pictured.length; i += CHUNK) {
    const labels = new LabelList();
    const rows = pictured.slice(i, i + CHUNK).flatMap((one) => pictureRow(one, labels, { revision: of(one) }) ?? []);
    const left = Math.max(0, pictured.length - i - CHUNK);
    yield { begins: i === 0, left, revision, at: now, labels: labels.list, rows };
  }
}

const of = ({ object }: CheckpointState['objects'][number]): number => Number(object.metadata.resourceVersion ?? 0);

/** One subscriber's picture: a snapshot, then every batch after it. It never ends by itself. */
export class PictureStream implements AsyncIterableIterator<PictureBatch>, FeedListener {
  private snapshot: Generator<PictureBatch> | undefined;
  /** The snapshot's revision: what is told up to there is in it. */
  private known = 0;
  private waiting: LiveBatch[] = [];
  private rows = 0;
  private isLate = false;
  private isDone = false;
  private isEnded = false;
  private failure: Refusal | undefined;
  private wake: () => void = () => undefined;

  private constructor(
    private readonly feed: PictureFeed,
    private readonly inTurn: InTurn,
    private readonly left: () => void,
  ) {}

  /** `left` is called once, when the subscriber has gone. Rejects with ClusterNotFound. */
  static async open(feed: PictureFeed, inTurn: InTurn, left: () => void = () => undefined): Promise<PictureStream> {
    const stream = new PictureStream(feed, inTurn, left);
    try {
      stream.begin(await feed.join(stream));
    } catch (error) {
      left();
      await feed.leave(stream);
      throw error;
    }
    return stream;
  }

  batch(batch: LiveBatch): void {
    if (this.isLate) return;
    this.waiting.push(batch);
    this.rows += batch.rows.length;
    if (this.rows > MAX_WAITING) {
      this.isLate = true;
      this.drop();
    }
    this.wake();
  }

  ended(reason: EndReason): void {
    this.isEnded = true;
    this.left();
    const isDeleted = reason === 'deleted';
    this.failure = isDeleted
      ? new Refusal(404, 'the cluster has been deleted')
      : new Refusal(410, 'the stream was closed: subscribe again');
    this.wake();
  }

  async next(): Promise<IteratorResult<PictureBatch>> {
    while (!this.isDone) {
      if (this.snapshot) {
        const part = await this.inTurn(() => this.snapshot?.next());
        if (part && !part.done) return { done: false, value: part.value };
        this.snapshot = undefined;
      }
      if (this.isLate) this.begin(await this.feed.state());
      else {
        const batch = this.take();
        if (batch) return { done: false, value: batch };
        if (this.failure) throw this.failure;
        await new Promise<void>((resolve) => (this.wake = resolve));
      }
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<PictureBatch>> {
    if (!this.isDone) {
      this.isDone = true;
      this.drop();
      this.wake();
      if (!this.isEnded) this.left();
      await this.feed.leave(this);
    }
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private begin(state: CheckpointState): void {
    this.isLate = false;
    this.known = state.revision;
    this.snapshot = snapshotOf(state);
  }

  private drop(): void {
    [this.waiting, this.rows] = [[], 0];
  }

  /** The next batch that says anything which the snapshot does not. */
  private take(): PictureBatch | undefined {
    for (;;) {
      const batch = this.waiting.shift();
      if (!batch) return undefined;
      this.rows -= batch.rows.length;
      if (batch.first > this.known) return batch;
      const rows = batch.rows.filter(({ revision }) => revision > this.known);
      if (rows.length > 0) return { ...batch, rows };
    }
  }
}

/** The picture of a moment that is over: its snapshot, and no more. */
export async function* pastPicture(state: CheckpointState, inTurn: InTurn): AsyncGenerator<PictureBatch> {
  const snapshot = snapshotOf(state);
  for (;;) {
    const part = await inTurn(() => snapshot.next());
    if (part.done) return;
    yield part.value;
  }
}
