import { overloaded } from './answers.js';
import type { Limits } from '../limits.js';

interface Waiting {
  readonly bytes: number;
  start(): void;
}

/** One tenant's share of this process. */
class Tenant {
  running = 0;
  readonly waiting: Waiting[] = [];
  waitingBytes = 0;
  /** What one request has cost of late: ms of this process's one thread. */
  requestMs = 0;
}

/** How much the latest run counts in the average cost of a request. */
const WEIGHT = 0.2;
/** Tenants that are remembered while they do nothing. */
const MAX_IDLE_TENANTS = 1_000;

export type TurnLimits = Pick<
  Limits,
  'seats' | 'tenantSeats' | 'tenantSeatsMs' | 'tenantWaiting' | 'tenantWaitingBytes'
>;

/**
 * Whose request is next. So many run at once, of one tenant fewer, and of one whose requests are expensive fewer still;
 * the
 * rest wait, and tenants take turns. A flood fills its own tenant's queue, beyond which it is answered 429.
 * Stands for upstream's priority and fairness (apiserver/pkg/util/flowcontrol), with tenants as flows. Left out:
 * levels, borrowing.
 */
export class Turns {
  /** In order of their last turn. */
  private readonly tenants = new Map<string, Tenant>();
  private running = 0;
  private queued = 0;

  constructor(private readonly limits: TurnLimits) {}

  /** undefined: go on at once; else a promise of one's turn. `leave` ends either. Throws 429. */
  enter(name: string, bytes = 0): Promise<void> | undefined {
    const tenant = this.tenants.get(name) ?? this.add(name);
    if (tenant.waiting.length === 0 && this.mayRun(tenant)) {
      this.start(tenant);
      return undefined;
    }
    if (
      tenant.waiting.length >= this.limits.tenantWaiting ||
      tenant.waitingBytes + bytes > this.limits.tenantWaitingBytes
    )
      throw overloaded();
    return new Promise((start) => {
      tenant.waiting.push({ bytes, start });
      tenant.waitingBytes += bytes;
      this.queued++;
    });
  }

  leave(name: string): void {
    this.running--;
    this.tenants.get(name)!.running--;
    if (this.queued > 0) this.startNext();
  }

  /** What requests of a tenant have cost, together: the dearer they are the fewer run at once. */
  spent(name: string, requests: number, ms: number): void {
    const tenant = this.tenants.get(name);
    if (tenant) tenant.requestMs += WEIGHT * (ms / requests - tenant.requestMs);
  }

  private add(name: string): Tenant {
    if (this.tenants.size >= MAX_IDLE_TENANTS)
      for (const [other, t] of this.tenants) if (t.running === 0 && t.waiting.length === 0) this.tenants.delete(other);
    const tenant = new Tenant();
    this.tenants.set(name, tenant);
    return tenant;
  }

  private mayRun(tenant: Tenant): boolean {
    if (this.running >= this.limits.seats) return false;
    return (
      tenant.running < Math.min(this.limits.tenantSeats, Math.max(1, this.limits.tenantSeatsMs / tenant.requestMs))
    );
  }

  private start(tenant: Tenant): void {
    tenant.running++;
    this.running++;
  }

  private startNext(): void {
    for (const [name, tenant] of this.tenants) {
      if (tenant.waiting.length === 0 || !this.mayRun(tenant)) continue;
      // To the end of the row.
      this.tenants.delete(name);
      this.tenants.set(name, tenant);
      const next = tenant.waiting.shift()!;
      tenant.waitingBytes -= next.bytes;
      this.queued--;
      this.start(tenant);
      return next.start();
    }
  }
}
