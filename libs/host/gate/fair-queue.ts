import type { Limits } from '../limits.js';
import { tooManyRequests } from './status-responses.js';

interface WaitingRequest {
  readonly bytes: number;
  start(): void;
}

/** One tenant's share of this process. */
class Tenant {
  running = 0;
  readonly queue: WaitingRequest[] = [];
  queuedBytes = 0;
  /** Moving average of what one request costs: ms of this process's one thread. */
  requestMs = 0;
}

/** How much the latest run counts in the average cost of a request. */
const WEIGHT = 0.2;
/** Tenants that are remembered while they do nothing. */
const MAX_IDLE_TENANTS = 1_000;

export type FairQueueLimits = Pick<
  Limits,
  'seats' | 'tenantSeats' | 'tenantSeatsMs' | 'tenantQueueLength' | 'tenantQueueBytes'
>;

/**
 * Decides which tenant's request runs next. A limited number of requests has a seat at once; one tenant has fewer
 * seats, and fewer still when its requests are expensive. The other requests wait, and tenants take turns. A flood
 * fills its own tenant's queue, beyond which requests are answered 429. Stands for upstream's priority and fairness
 * (apiserver/pkg/util/flowcontrol), with tenants as flows. Left out: priority levels, borrowing.
 */
export class FairQueue {
  /** In order of their last turn: a Map keeps the order of insertion. */
  private readonly tenants = new Map<string, Tenant>();
  private running = 0;
  private queued = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /**
   * Takes a seat: undefined when one is free, else a promise of one. `release` gives it back. `bytes`: the size of the
   * request's body. Throws 429 when the tenant's queue is full.
   */
  acquire(tenantId: string, bytes = 0): Promise<void> | undefined {
    const tenant = this.tenants.get(tenantId) ?? this.addTenant(tenantId);
    if (tenant.queue.length === 0 && this.hasSeat(tenant)) {
      this.takeSeat(tenant);
      return undefined;
    }
    const { tenantQueueLength, tenantQueueBytes } = this.limits;
    if (tenant.queue.length >= tenantQueueLength || tenant.queuedBytes + bytes > tenantQueueBytes)
      throw tooManyRequests();
    return new Promise((start) => {
      tenant.queue.push({ bytes, start });
      tenant.queuedBytes += bytes;
      this.queued++;
    });
  }

  release(tenantId: string): void {
    this.running--;
    this.tenants.get(tenantId)!.running--;
    if (this.queued > 0) this.startNext();
  }

  /** Records that requests of a tenant have cost `ms` together: expensive requests get fewer seats. */
  recordCost(tenantId: string, requests: number, ms: number): void {
    const tenant = this.tenants.get(tenantId);
    if (tenant) tenant.requestMs += WEIGHT * (ms / requests - tenant.requestMs);
  }

  private addTenant(tenantId: string): Tenant {
    if (this.tenants.size >= MAX_IDLE_TENANTS) this.forgetIdleTenants();
    const tenant = new Tenant();
    this.tenants.set(tenantId, tenant);
    return tenant;
  }

  private forgetIdleTenants(): void {
    for (const [tenantId, { running, queue }] of this.tenants)
      if (running === 0 && queue.length === 0) this.tenants.delete(tenantId);
  }

  private hasSeat(tenant: Tenant): boolean {
    const { seats, tenantSeats, tenantSeatsMs } = this.limits;
    if (this.running >= seats) return false;
    return tenant.running < Math.min(tenantSeats, Math.max(1, tenantSeatsMs / tenant.requestMs));
  }

  private takeSeat(tenant: Tenant): void {
    tenant.running++;
    this.running++;
  }

  /** Gives the free seat to the tenant whose last turn is the longest ago, and moves it to the end of the row. */
  private startNext(): void {
    for (const [tenantId, tenant] of this.tenants) {
      if (tenant.queue.length === 0 || !this.hasSeat(tenant)) continue;
      this.tenants.delete(tenantId);
      this.tenants.set(tenantId, tenant);
      const next = tenant.queue.shift()!;
      tenant.queuedBytes -= next.bytes;
      this.queued--;
      this.takeSeat(tenant);
      return next.start();
    }
  }
}
