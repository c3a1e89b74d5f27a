import { MINUTE, SECOND, type Millis } from '../../machinery/time/time.js';

const INITIAL: Millis = SECOND;
const MAX: Millis = 15 * MINUTE;
/** A node whose pods have not failed for so long begins anew. */
const EXPIRES_AFTER: Millis = 2 * MAX;
const MIN_SWEEP_SIZE = 64;

interface Entry {
  readonly backoff: Millis;
  readonly lastUpdate: Millis;
}

/**
 * How long a failed daemon pod stays before it is replaced, by DaemonSet and node: kubelets that reject a pod are not
 * asked in a hot loop. Kept in memory, as upstream's; another process begins anew. Models
 * client-go/util/flowcontrol/backoff.go as pkg/controller/daemon uses it.
 */
export class FailedPodsBackoff {
  private readonly entries = new Map<string, Entry>();
  private sweepSize = MIN_SWEEP_SIZE;

  /** Ms until the failed pod may be replaced. 0: now, and the next one waits twice as long as this one. */
  delay(id: string, now: Millis): Millis {
    const entry = this.entries.get(id);
    if (!entry || isExpired(entry, now)) this.start(id, INITIAL, now);
    else if (now - entry.lastUpdate < entry.backoff) return entry.lastUpdate + entry.backoff - now;
    else this.start(id, Math.min(2 * entry.backoff, MAX), now);
    return 0;
  }

  private start(id: string, backoff: Millis, now: Millis): void {
    this.entries.set(id, { backoff, lastUpdate: now });
    if (this.entries.size <= this.sweepSize) return;
    for (const [old, entry] of this.entries) if (isExpired(entry, now)) this.entries.delete(old);
    this.sweepSize = Math.max(MIN_SWEEP_SIZE, 2 * this.entries.size);
  }
}

const isExpired = ({ lastUpdate }: Entry, now: Millis): boolean => now - lastUpdate > EXPIRES_AFTER;
