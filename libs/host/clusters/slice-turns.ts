import { FlowQueue } from '../gate/flow-queue.js';
import { SHARE_POLL_MS, ThreadShare } from '../gate/thread-share.js';
import type { Limits } from '../limits.js';

/** Whose slice it is: slices take turns by tenant, then by cluster. */
export interface SliceOwner {
  readonly tenantId: string;
  readonly id: string;
}

/** Asked between two reconciles: true when the slice has had its time. */
export type ShouldYield = () => boolean;

/** Says true when so many ms have passed. */
export function yieldAfter(ms: number): ShouldYield {
  const end = performance.now() + ms;
  return () => performance.now() >= end;
}

/** A tenant whose slice has ended so many ms ago is still at work. */
const AT_WORK_MS = 30_000;
/** Slices of so many ms are followed by a pause of the same length; longer ones by a longer pause than themselves. */
const EVEN_MS = 10;

/**
 * Turns on this process's one thread. Slices run one after the other; whoever has used the least time is next, and
 * between two slices the event loop goes round once, so that locks, connections and announcements are served. While
 * another tenant is at work, a tenant's slices are short, and pauses follow them.
 */
export class SliceTurns {
  private readonly waiting = new FlowQueue<() => void>();
  private readonly share = new ThreadShare({ atWorkMs: AT_WORK_MS, burstMs: 0 });
  private isTaken = false;

  constructor(private readonly limits: Pick<Limits, 'sliceMs' | 'loneSliceMs'>) {}

  /** Slices that wait for their turn. */
  get size(): number {
    return this.waiting.size;
  }

  /** Runs a slice when its turn comes. The slice ends soon after `shouldYield` says true. */
  async run<T>({ tenantId, id }: SliceOwner, slice: (shouldYield: ShouldYield) => T): Promise<T> {
    const path = [tenantId, id] as const;
    await this.take(path);
    const started = performance.now();
    try {
      return slice(yieldAfter(this.isLone(tenantId) ? this.limits.loneSliceMs : this.limits.sliceMs));
    } finally {
      const ms = performance.now() - started;
      this.waiting.charge(path, ms);
      this.share.charge(tenantId, ms, pauseAfter(ms));
      setImmediate(() => this.startNext());
    }
  }

  private isLone(tenantId: string): boolean {
    return this.waiting.size === 0 && !this.share.isOtherAtWork(tenantId);
  }

  private async take(path: readonly [tenantId: string, id: string]): Promise<void> {
    const isFree = !this.isTaken;
    this.isTaken = true;
    if (isFree && this.share.waitOf(path[0]) === 0) return undefined;
    return new Promise((start) => {
      this.waiting.push(path, start);
      if (isFree) this.startNext();
    });
  }

  private startNext(): void {
    const start = this.waiting.shift((tenantId) => this.share.waitOf(tenantId) === 0);
    if (start) return start();
    this.isTaken = false;
    if (this.waiting.size > 0) setTimeout(() => this.startPaused(), SHARE_POLL_MS).unref();
  }

  private startPaused(): void {
    if (this.isTaken) return;
    this.isTaken = true;
    this.startNext();
  }
}

/**
 * Work that arrives at some moment waits, on average, for half a slice, as often as slices are under way: in all for
 * ms² / 2 in each round of slice and pause. A pause of ms² / EVEN_MS keeps that below EVEN_MS / 2, however long the
 * reconciles are that a slice cannot interrupt.
 */
const pauseAfter = (ms: number): number => ms ** 2 / EVEN_MS;
