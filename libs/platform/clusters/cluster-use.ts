import type { LogStore } from '@terrarium/store';

/** How often uses are written; a cluster's idle timeout is kept to this. */
const FLUSH_MS = 10_000;
const MAX_PENDING = 100_000;
/** Entries of one statement. */
const BATCH = 5_000;

export interface ClusterUseOptions {
  readonly store: Pick<LogStore, 'touch'>;
  onError(error: unknown): void;
  now?(): number;
}

/**
 * Records when clusters are used, so that their idle timeouts are put off. A use costs an entry of a map; all of them
 * are written together every ten seconds.
 */
export class ClusterUse {
  private readonly pending = new Map<string, number>();
  private readonly sources: (() => Iterable<string>)[] = [];
  private readonly timer: NodeJS.Timeout;
  private writing: Promise<void> | undefined;

  constructor(private readonly options: ClusterUseOptions) {
    this.timer = setInterval(() => void this.flush(), FLUSH_MS);
    this.timer.unref();
  }

  /** The cluster is used now. Cheap: called for every request. */
  touch(clusterId: string): void {
    if (this.pending.size < MAX_PENDING || this.pending.has(clusterId)) this.pending.set(clusterId, this.now());
  }

  /** `listInUse` names the clusters that are in use without new requests: by watches, commands, subscriptions. */
  addSource(listInUse: () => Iterable<string>): void {
    this.sources.push(listInUse);
  }

  /** Writes what is not written yet. Never rejects: what could not be written is written with the next uses. */
  flush(): Promise<void> {
    this.writing ??= this.write().finally(() => (this.writing = undefined));
    return this.writing;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private now(): number {
    return this.options.now?.() ?? Date.now();
  }

  private async write(): Promise<void> {
    for (const listInUse of this.sources) for (const id of listInUse()) this.touch(id);
    const entries = [...this.pending].map(([id, at]) => ({ id, at }));
    this.pending.clear();
    for (let i = 0; i < entries.length; i += BATCH) {
      try {
        await this.options.store.touch(entries.slice(i, i + BATCH));
      } catch (error) {
        this.options.onError(error);
        for (const { id, at } of entries.slice(i)) if (!this.pending.has(id)) this.pending.set(id, at);
        return;
      }
    }
  }
}
