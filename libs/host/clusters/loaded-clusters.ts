import { ClusterNotFound, type ClusterRow, type LogStore } from '@terrarium/store';
import type { ClusterEngine } from './engine.js';
import type { EndReason } from '../watch/feed.js';
import type { Limits, Metrics } from '../limits.js';
import type { States } from './states.js';
import { Warm } from './loaded-cluster.js';

/** This copy has been let go; nothing was done, and a fresh copy will do it. */
export class Gone extends Error {}

/** How often work moves on to a fresh copy of its cluster. */
const RETRIES = 3;
/** What is left of the limit when it has been passed. */
const SPARE = 15 / 16;

export interface WarmOptions {
  readonly store: LogStore;
  readonly states: States;
  readonly limits: Limits;
  readonly metrics: Metrics;
  loadEngine(row: ClusterRow): ClusterEngine | Promise<ClusterEngine>;
  now(): number;
}

/** The clusters in this process's memory: loaded when asked for, let go when idle or too many. */
export class WarmClusters {
  /** In order of use: a Map keeps the order of insertion. */
  private readonly asked = new Map<string, Promise<Warm>>();
  private readonly loaded = new Map<string, Warm>();

  constructor(private readonly options: WarmOptions) {}

  all(): Warm[] {
    return [...this.loaded.values()];
  }

  /** Those that somebody listens to. */
  listened(): Warm[] {
    return this.all().filter((w) => w.feed.size > 0 || w.pins > 0);
  }

  /** One that is here or on its way here; never loads one. */
  async peek(id: string): Promise<Warm | undefined> {
    return this.loaded.get(id) ?? this.asked.get(id)?.catch(() => undefined);
  }

  /** Uses the warm copy; once more when it was let go in between. Rejects with ClusterNotFound. */
  async use<T>(id: string, work: (warm: Warm) => Promise<T>): Promise<T> {
    for (let again = 0; ; again++) {
      try {
        return await work(await this.take(id));
      } catch (error) {
        if (!(error instanceof Gone) || again >= RETRIES) throw error;
      }
    }
  }

  async take(id: string): Promise<Warm> {
    let asked = this.asked.get(id);
    if (asked) this.asked.delete(id);
    else {
      const loading = (asked = this.load(id));
      loading.catch(() => this.asked.get(id) === loading && this.asked.delete(id));
    }
    this.asked.set(id, asked);
    const warm = await asked;
    warm.lastUsed = this.options.now();
    return warm;
  }

  private async load(id: string): Promise<Warm> {
    const { store, states, limits, metrics } = this.options;
    const row = await store.cluster(id);
    if (!row) throw new ClusterNotFound(id);
    const engine = await this.options.loadEngine(row);
    const state = await states.load(row);
    if (state) engine.load(state);
    const warm = new Warm(row, engine, limits);
    metrics.caughtUpChanges += await warm.catchUp(
      (after) => store.read(id, after, limits.readSegments),
      limits.readSegments,
    );
    metrics.loads++;
    this.loaded.set(id, warm);
    // A few more than needed, because the look at all of them costs as much as a load.
    if (this.loaded.size > limits.warmClusters) this.evict(warm, Math.ceil(limits.warmClusters * SPARE));
    return warm;
  }

  /** Forgets a copy; those who listen are told, and come back to a fresh one. */
  discard(warm: Warm, reason: EndReason = 'closed'): void {
    if (warm.gone) return;
    warm.gone = true;
    this.asked.delete(warm.row.id);
    this.loaded.delete(warm.row.id);
    warm.feed.end(reason);
  }

  /** Lets go of what is not in use: what is over the limits, and what has been idle for long. */
  evict(spared?: Warm, most = this.options.limits.warmClusters): void {
    const { limits, metrics } = this.options;
    const idleSince = this.options.now() - limits.warmIdleMs;
    const all = [...this.asked.keys()].flatMap((id) => this.loaded.get(id) ?? []);
    let count = all.length;
    let bytes = all.reduce((sum, w) => sum + w.bytes, 0);
    for (const warm of all) {
      const over = count > most || bytes > limits.warmBytes;
      if (warm === spared || warm.pinned || (!over && warm.lastUsed >= idleSince)) continue;
      count--;
      bytes -= warm.bytes;
      metrics.evictions++;
      this.discard(warm);
    }
    if (bytes > limits.warmBytes) for (const warm of this.loaded.values()) warm.window.trim(limits.windowChanges / 20);
  }
}
