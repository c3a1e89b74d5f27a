import { Bag } from './bag.js';

/** The longest that a timer of Node.js waits. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const MAX_CHECKS_AT_ONCE = 8;
/** After a check that could not be made. */
const RETRY_MS = 2_000;

/** Who has opened a stream or a connection. */
export interface Holder {
  readonly tenantId: string;
  /** Of the credential; real ms since the epoch. */
  readonly expiresAt: number | undefined;
  /** CredentialWatch.changes before the credential was found good. */
  readonly identifiedAt: number;
  /** False when the credential, or its tenant, would be refused now. Rejects when that cannot be found out. */
  isAllowed(): Promise<boolean>;
}

interface Watched {
  readonly holder: Holder;
  end(): void;
  timer?: NodeJS.Timeout;
}

/**
 * Ends streams and connections that live longer than their credential: when it ends by itself, and when it is refused
 * after its tenant, or the tenant's keys, tokens or users have changed. A listener of Invalidations, which must have
 * told those before whom `isAllowed` asks.
 */
export class CredentialWatch {
  private readonly watched = new Bag<Watched>();
  private readonly unchecked = new Set<Watched>();
  private checks = 0;
  private changed = 0;

  /** Counts the calls of forget(). */
  get changes(): number {
    return this.changed;
  }

  /** Calls `end` once, at the latest, and never before it returns. Returns what ends the watch. */
  add(holder: Holder, end: () => void): () => void {
    const watched: Watched = { holder, end };
    this.watched.add(watched);
    if (holder.expiresAt !== undefined) this.waitFor(watched, holder.expiresAt);
    // It may have been revoked since it was found good.
    if (holder.identifiedAt !== this.changed) this.check(watched);
    return () => this.remove(watched);
  }

  forget(tenantId?: string): void {
    this.changed++;
    for (const watched of this.watched)
      if (tenantId === undefined || watched.holder.tenantId === tenantId) this.check(watched);
  }

  private waitFor(watched: Watched, expiresAt: number): void {
    const wait = Math.max(0, expiresAt - Date.now());
    watched.timer = setTimeout(
      () => (wait > MAX_TIMER_MS ? this.waitFor(watched, expiresAt) : this.end(watched)),
      Math.min(wait, MAX_TIMER_MS),
    );
    watched.timer.unref();
  }

  private check(watched: Watched): void {
    this.unchecked.add(watched);
    if (this.checks < MAX_CHECKS_AT_ONCE) void this.checkAll();
  }

  private async checkAll(): Promise<void> {
    this.checks++;
    for (const watched of this.unchecked) {
      this.unchecked.delete(watched);
      await this.checkOne(watched);
    }
    this.checks--;
  }

  private async checkOne(watched: Watched): Promise<void> {
    try {
      if (!(await watched.holder.isAllowed())) this.end(watched);
    } catch {
      // A database that does not answer ends nothing: it is asked again.
      setTimeout(() => this.watched.has(watched) && this.check(watched), RETRY_MS).unref();
    }
  }

  private end(watched: Watched): void {
    if (this.remove(watched)) watched.end();
  }

  private remove(watched: Watched): boolean {
    clearTimeout(watched.timer);
    this.unchecked.delete(watched);
    return this.watched.remove(watched);
  }
}
