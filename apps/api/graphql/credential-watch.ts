import type { Caller, Identity, Principal } from '@terrarium/platform';

/** The longest that a timer of Node.js waits. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface Watched {
  readonly authorization: string | undefined;
  readonly principal: Principal;
  end(): void;
  timer?: NodeJS.Timeout;
}

/**
 * Ends connections that live longer than their credential: when it ends by itself, and when it is refused after its
 * tenant's keys, tokens or users have changed. A listener of Invalidations, which must have told Identity before.
 */
export class CredentialWatch {
  private readonly watched = new Set<Watched>();

  constructor(private readonly identity: Pick<Identity, 'identify'>) {}

  /** Calls `end` once, at the latest. Returns what ends the watch, for a connection that is closed. */
  add(authorization: string | undefined, principal: Principal, end: () => void): () => void {
    const watched: Watched = { authorization, principal, end };
    this.watched.add(watched);
    const { expiresAt } = principal as Partial<Caller>;
    if (expiresAt !== undefined) this.waitFor(watched, expiresAt);
    // It may have been revoked since the principal was found.
    void this.check(watched);
    return () => this.remove(watched);
  }

  forget(tenantId?: string): void {
    for (const watched of this.watched)
      if (tenantId === undefined || watched.principal.tenantId === tenantId) void this.check(watched);
  }

  private waitFor(watched: Watched, expiresAt: number): void {
    const wait = Math.max(0, expiresAt - Date.now());
    watched.timer = setTimeout(
      () => (wait > MAX_TIMER_MS ? this.waitFor(watched, expiresAt) : this.end(watched)),
      Math.min(wait, MAX_TIMER_MS),
    );
    watched.timer.unref();
  }

  /** A database that does not answer ends nothing: the next change of the tenant's is checked again. */
  private async check(watched: Watched): Promise<void> {
    const isValid = await this.identity.identify(watched.authorization).then(Boolean, () => true);
    if (!isValid) this.end(watched);
  }

  private end(watched: Watched): void {
    if (this.remove(watched)) watched.end();
  }

  private remove(watched: Watched): boolean {
    clearTimeout(watched.timer);
    return this.watched.delete(watched);
  }
}
