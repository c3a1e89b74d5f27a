import { Refusal } from '@terrarium/platform';
import { columnsOf, readEvent, rowOf, type Row } from './table-rows.js';
import type { Table as KubeTable } from './kube-table.js';
import type { TableBatch, TableColumn } from './types.js';

/** Real time between two batches. */
const INTERVAL_MS = 50;
/** Before a watch that has failed is opened again. */
const RETRY_MS = 1_000;

/** Where the rows come from. */
export interface TableSource {
  /** The whole Table, and the cluster's time (virtual ms). Rejects with Refusal. */
  list(): Promise<{ readonly table: KubeTable; readonly now: number }>;
  /** The lines of a watch after a revision, some at a time, until it ends. Rejects with Refusal. */
  watch(revision: number): Promise<AsyncIterable<string> & { end(): void }>;
}

/** Somebody who is told of batches; all of them get the same ones. */
export interface TableListener {
  batch(batch: TableBatch): void;
  failed(refusal: Refusal): void;
}

/**
 * The rows of one Table, kept up to date by one watch for all who look at it. What changes within 50 ms is told in one
 * batch, of each row its newest state; the first change after a pause is told at once.
 */
export class TableFeed {
  private readonly rows = new Map<string, Row>();
  private readonly listeners = new Set<TableListener>();
  private readonly changed = new Map<string, Row | undefined>();
  private columns: readonly TableColumn[] = [];
  private revision = 0;
  /** The cluster's time at the last reading, and how long ago that is by real time. */
  private now = 0;
  private readAt = 0;
  private whole: TableBatch | undefined;
  private flushedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private live: { end(): void } | undefined;
  private isStopped = false;

  constructor(
    private readonly source: TableSource,
    private readonly interval = INTERVAL_MS,
    private readonly retryMs = RETRY_MS,
  ) {}

  get size(): number {
    return this.listeners.size;
  }

  /** Reads the Table, and follows it. Rejects with Refusal. */
  async start(): Promise<void> {
    await this.read();
    void this.follow();
  }

  add(listener: TableListener): void {
    this.listeners.add(listener);
  }

  remove(listener: TableListener): void {
    this.listeners.delete(listener);
  }

  /** All rows, as a batch: the same one until they change. */
  all(): TableBatch {
    this.whole ??= {
      reset: true,
      columns: this.columns,
      rows: [...this.rows.values()],
      removed: [],
      revision: this.revision,
      now: this.now,
      age: Math.round(performance.now() - this.readAt),
    };
    return this.whole;
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.live?.end();
  }

  private async read(): Promise<void> {
    const { table, now } = await this.source.list();
    this.now = now;
    this.readAt = performance.now();
    this.rows.clear();
    this.changed.clear();
    for (const row of table.rows.map(rowOf)) this.rows.set(row.key, row);
    this.columns = columnsOf(table);
    this.revision = Number(table.metadata.resourceVersion ?? 0);
    this.whole = undefined;
  }

  /** Watches until it is stopped. A watch that ends is opened again; after a gap all is read anew. */
  private async follow(): Promise<void> {
    while (!this.isStopped) {
      try {
        if (await this.watchOnce()) continue;
        await this.read();
        for (const listener of this.listeners) listener.batch(this.all());
      } catch (error) {
        // Who listens is told; any other failure than a refusal is the connection's, and passes.
        if (error instanceof Refusal && error.status !== 429 && error.status < 500) return this.fail(error);
        await new Promise((resolve) => setTimeout(resolve, this.retryMs).unref());
      }
    }
  }

  /** False when there is a gap. */
  private async watchOnce(): Promise<boolean> {
    const watch = await this.source.watch(this.revision);
    this.live = watch;
    if (this.isStopped) watch.end();
    let lines = 0;
    for await (const text of watch)
      for (const line of text.split('\n')) {
        if (line === '') continue;
        lines++;
        if (!this.take(line)) {
          watch.end();
          return false;
        }
      }
    // One that ends at once would be opened again and again.
    if (lines === 0 && !this.isStopped) await new Promise((resolve) => setTimeout(resolve, this.retryMs).unref());
    return true;
  }

  private take(line: string): boolean {
    const event = readEvent(line);
    if (event.type === 'error') return false;
    this.revision = Math.max(this.revision, event.revision);
    if (event.type === 'bookmark') return true;
    for (const row of event.rows) {
      if (event.type === 'put') this.rows.set(row.key, row);
      else this.rows.delete(row.key);
      this.changed.set(row.key, event.type === 'put' ? row : undefined);
    }
    this.whole = undefined;
    this.schedule();
    return true;
  }

  private schedule(): void {
    if (this.timer !== undefined) return;
    const wait = Math.max(0, this.flushedAt + this.interval - performance.now());
    this.timer = setTimeout(() => this.flush(), wait);
  }

  private flush(): void {
    this.timer = undefined;
    this.flushedAt = performance.now();
    if (this.changed.size === 0) return;
    const batch: TableBatch = {
      reset: false,
      rows: [...this.changed.values()].filter((row) => row !== undefined),
      removed: [...this.changed].flatMap(([key, row]) => (row === undefined ? [key] : [])),
      revision: this.revision,
    };
    this.changed.clear();
    for (const listener of this.listeners) listener.batch(batch);
  }

  private fail(refusal: Refusal): void {
    this.stop();
    for (const listener of this.listeners) listener.failed(refusal);
  }
}
