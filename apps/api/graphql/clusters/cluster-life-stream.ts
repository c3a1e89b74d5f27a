import type { LifeListener, nouns } from '@terrarium/platform';

/** What has happened to one cluster: what it is now, or nothing when it is gone. Without an id: read them all anew. */
export interface ClusterEvent {
  readonly id?: string;
  readonly cluster?: nouns.Cluster;
}

/** Clusters that may wait for one subscriber; beyond, it is told to read them all. */
const MAX_PENDING = 500;

/**
 * The clusters of a tenant as they change. The first event has no id, so that who reads the list after it misses
 * nothing. Each event tells what a cluster is when it is taken: changes that a slow subscriber did not take in between
 * are one.
 */
export class ClusterLifeStream implements AsyncIterableIterator<ClusterEvent> {
  private readonly pending = new Set<string>();
  private isAll = true;
  private isDone = false;
  private wake: () => void = () => undefined;
  private readonly unsubscribe: () => void;

  constructor(
    subscribe: (listener: LifeListener) => () => void,
    private readonly read: (id: string) => Promise<nouns.Cluster | undefined>,
  ) {
    this.unsubscribe = subscribe((id) => this.receive(id));
  }

  async next(): Promise<IteratorResult<ClusterEvent>> {
    for (;;) {
      if (this.isDone) return { done: true, value: undefined };
      if (this.isAll) {
        this.isAll = false;
        this.pending.clear();
        return { done: false, value: {} };
      }
      const [id] = this.pending;
      if (id !== undefined) {
        this.pending.delete(id);
        return { done: false, value: { id, cluster: await this.read(id) } };
      }
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  async return(): Promise<IteratorResult<ClusterEvent>> {
    this.isDone = true;
    this.unsubscribe();
    this.wake();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private receive(id: string | undefined): void {
    if (id === undefined || this.pending.size >= MAX_PENDING) this.isAll = true;
    else this.pending.add(id);
    this.wake();
  }
}
