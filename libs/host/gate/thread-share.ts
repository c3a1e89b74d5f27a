interface Usage {
  /** Time (ms) that the tenant has held the thread lately: it fades. */
  used: number;
  /** Monotonic ms of the latest work. */
  at: number;
  /** Until then (monotonic ms) the thread is left to others. */
  freeAt: number;
  /** Requests of the tenant that are under way, and what each request under way had cost when that number changed. */
  seats: number;
  seatMs: number;
}

/** How often (ms) work that waits asks whether its tenant may begin. */
export const SHARE_POLL_MS = 2;
/** Tenants that are remembered although they have not worked lately. */
const MAX_TENANTS = 1_000;
/** How often the loop's active time is read: twice for each request it would cost more than what it is for. */
const MEASURED_MS = 0.5;
/** How fast use fades. */
const FADE_MS = 2_000;
/** The longest (ms) that a tenant waits, whatever its work has taken. */
const MAX_WAIT_MS = 2_000;

export interface ThreadShareLimits {
  /** A tenant who has worked so many ms ago is still at work. */
  readonly atWorkMs: number;
  /** Time (ms) that a tenant may hold the thread before it waits for the first time. */
  readonly burstMs: number;
}

/**
 * Leaves time on this process's one thread to the tenants who use little of it. Whoever has used more than another
 * tenant at work waits after each piece of its work, although the thread may be idle: a neighbour's request needs the
 * thread several times, and would each time wait behind a thread that is always busy. Where nobody else is at work
 * nobody waits.
 */
export class ThreadShare {
  private readonly tenants = new Map<string, Usage>();
  private seats = 0;
  /** What each request that has always been under way would have cost (ms). */
  private seatMs = 0;
  /** The loop's active time (ms) that is accounted for, and what was charged since. */
  private active = 0;
  private charged = 0;
  /** Monotonic ms. */
  private measuredAt = -Infinity;

  constructor(private readonly limits: ThreadShareLimits) {}

  /** The tenant's work has held the thread for `ms`; for `gapMs` more the thread is left to others. */
  charge(tenantId: string, ms: number, gapMs = ms): void {
    this.charged += ms;
    this.add(this.usageOf(tenantId), ms, gapMs);
  }

  /** The ms until the tenant's next piece of work may begin. */
  waitOf(tenantId: string): number {
    const usage = this.tenants.get(tenantId);
    if (!usage) return 0;
    const now = performance.now();
    return usage.freeAt > now && this.isLighterAtWork(usage, now) ? usage.freeAt - now : 0;
  }

  isOtherAtWork(tenantId: string): boolean {
    const since = performance.now() - this.limits.atWorkMs;
    for (const [other, { at }] of this.tenants) if (other !== tenantId && at > since) return true;
    return false;
  }

  /** A request of the tenant is under way. */
  begin(tenantId: string): void {
    this.changeSeats(tenantId, 1);
  }

  end(tenantId: string): void {
    this.changeSeats(tenantId, -1);
  }

  /** Time that nobody was charged for (sockets, HTTP, the database's client) is shared by the requests under way. */
  private changeSeats(tenantId: string, by: number): void {
    const active = this.readActive(performance.now());
    if (this.seats > 0) this.seatMs += Math.max(0, active - this.active - this.charged) / this.seats;
    if (active !== this.active) this.charged = 0;
    this.active = active;
    this.seats += by;
    const usage = this.usageOf(tenantId);
    const ms = usage.seats * (this.seatMs - usage.seatMs);
    usage.seatMs = this.seatMs;
    usage.seats += by;
    this.add(usage, ms, ms);
  }

  private add(usage: Usage, ms: number, gapMs: number): void {
    const now = performance.now();
    usage.used = faded(usage, now) + ms;
    usage.at = now;
    const freeAt = Math.max(usage.freeAt, now - 2 * this.limits.burstMs) + ms + gapMs;
    usage.freeAt = Math.min(freeAt, now + MAX_WAIT_MS);
  }

  /** The time for which this process's event loop has been active: ms, known to MEASURED_MS. */
  private readActive(now: number): number {
    if (now - this.measuredAt < MEASURED_MS) return this.active;
    this.measuredAt = now;
    return performance.eventLoopUtilization().active;
  }

  private isLighterAtWork(usage: Usage, now: number): boolean {
    const used = faded(usage, now);
    const since = now - this.limits.atWorkMs;
    for (const other of this.tenants.values())
      if (other !== usage && other.at > since && faded(other, now) < used) return true;
    return false;
  }

  private usageOf(tenantId: string): Usage {
    const known = this.tenants.get(tenantId);
    if (known) return known;
    if (this.tenants.size >= MAX_TENANTS) this.forgetIdle();
    const usage = { used: 0, at: -Infinity, freeAt: -Infinity, seats: 0, seatMs: this.seatMs };
    this.tenants.set(tenantId, usage);
    return usage;
  }

  private forgetIdle(): void {
    const since = performance.now() - this.limits.atWorkMs;
    for (const [tenantId, { at, seats }] of this.tenants) if (seats === 0 && at < since) this.tenants.delete(tenantId);
  }
}

const faded = ({ used, at }: Usage, now: number): number => (used === 0 ? 0 : used * Math.exp((at - now) / FADE_MS));
