/** A wake that is no further away needs no task: half of all are sooner. */
const SOON_MS = 1_000;
/** As long as a task would take: what is due meanwhile is done in one go, however fast the cluster's clock runs. */
const LEAST_MS = 5;
const MAX_WAKES = 5_000;

interface Wake {
  readonly timer: NodeJS.Timeout;
  readonly at: number;
}

/**
 * Wakes that are so soon that a task would take longer to add, to fetch and to finish than the cluster's turn. They are
 * lost with the process: such a cluster is overdue in the store, where the sweep finds it.
 */
export class ShortWakes {
  private readonly wakes = new Map<string, Wake>();

  constructor(private readonly wake: (cluster: string) => void) {}

  /** Wakes a cluster in `delayMs`, and not when it was to be before. False: that is too far away, or too many wait. */
  plan(cluster: string, delayMs: number): boolean {
    this.forget(cluster);
    if (delayMs > SOON_MS || this.wakes.size >= MAX_WAKES) return false;
    const waitMs = Math.max(LEAST_MS, delayMs);
    const timer = setTimeout(() => {
      this.wakes.delete(cluster);
      this.wake(cluster);
    }, waitMs);
    this.wakes.set(cluster, { timer, at: Date.now() + waitMs });
    return true;
  }

  /** Forgets all wakes and returns them, with the ms that are left: the queue is to know of them. */
  takeAll(): [cluster: string, delayMs: number][] {
    const all = [...this.wakes].map(([cluster, { at }]): [string, number] => [cluster, Math.max(0, at - Date.now())]);
    for (const [cluster] of all) this.forget(cluster);
    return all;
  }

  private forget(cluster: string): void {
    clearTimeout(this.wakes.get(cluster)?.timer);
    this.wakes.delete(cluster);
  }
}
