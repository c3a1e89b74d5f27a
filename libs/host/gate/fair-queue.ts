import type { Limits } from '../limits.js';
import type { Metrics } from '../metrics.js';
import { FlowQueue } from './flow-queue.js';
import { tooManyRequests } from './status-responses.js';
import { SHARE_POLL_MS, type ThreadShare } from './thread-share.js';

interface WaitingRequest {
  readonly tenantId: string;
  readonly tenant: Tenant;
  readonly bytes: number;
  start(): void;
}

/** One tenant's share of this process. */
class Tenant {
  running = 0;
  queued = 0;
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
 * seats, and fewer still when its requests are expensive. The other requests wait, and the tenant that has used the
 * least time is next; while others are at work, a tenant has no more than its share of the thread. A flood fills its
 * own tenant's queue, beyond which requests are answered 429. Stands for upstream's priority and fairness
 * (apiserver/pkg/util/flowcontrol), with tenants as flows. Left out: priority levels, borrowing.
 */
export class FairQueue {
  private readonly tenants = new Map<string, Tenant>();
  private readonly waiting = new FlowQueue<WaitingRequest>();
  private running = 0;
  private poll: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: FairQueueLimits,
    private readonly metrics: Pick<Metrics, 'refuse'>,
    private readonly share: ThreadShare,
  ) {}

  /**
   * Takes a seat: undefined when one is free, else a promise of one. `release` gives it back. `bytes`: the size of the
   * request's body. Throws 429 when the tenant's queue is full. `signalOf` is called when the request has to wait: it
   * leaves the queue, and the promise rejects with the signal's reason, when the signal is aborted.
   */
  acquire(tenantId: string, bytes = 0, signalOf?: () => AbortSignal): Promise<void> | undefined {
    const tenant = this.tenants.get(tenantId) ?? this.addTenant(tenantId);
    if (tenant.queued === 0 && this.canStart(tenantId, tenant)) {
      this.takeSeat(tenantId, tenant);
      return undefined;
    }
    const { tenantQueueLength, tenantQueueBytes } = this.limits;
    if (tenant.queued >= tenantQueueLength || tenant.queuedBytes + bytes > tenantQueueBytes) {
      this.metrics.refuse('tenantQueue');
      throw tooManyRequests();
    }
    return this.wait(tenantId, tenant, bytes, signalOf?.());
  }

  release(tenantId: string): void {
    this.running--;
    this.tenants.get(tenantId)!.running--;
    this.share.end(tenantId);
    if (this.waiting.size > 0) this.startNext();
  }

  /** Records that requests of a tenant have cost `ms` together: expensive requests get fewer seats. */
  recordCost(tenantId: string, requests: number, ms: number): void {
    this.waiting.charge([tenantId], ms);
    this.share.charge(tenantId, ms);
    const tenant = this.tenants.get(tenantId);
    if (tenant) tenant.requestMs += WEIGHT * (ms / requests - tenant.requestMs);
  }

  private wait(tenantId: string, tenant: Tenant, bytes: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiting.remove([tenantId], request);
        tenant.queued--;
        tenant.queuedBytes -= bytes;
        reject(signal!.reason as Error);
      };
      const start = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      if (signal?.aborted) return reject(signal.reason as Error);
      const request: WaitingRequest = { tenantId, tenant, bytes, start };
      this.waiting.push([tenantId], request);
      tenant.queued++;
      tenant.queuedBytes += bytes;
      this.pollShare();
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  private addTenant(tenantId: string): Tenant {
    if (this.tenants.size >= MAX_IDLE_TENANTS) this.forgetIdleTenants();
    const tenant = new Tenant();
    this.tenants.set(tenantId, tenant);
    return tenant;
  }

  private forgetIdleTenants(): void {
    for (const [tenantId, { running, queued }] of this.tenants)
      if (running === 0 && queued === 0) this.tenants.delete(tenantId);
  }

  private canStart(tenantId: string, tenant: Tenant): boolean {
    return this.hasSeat(tenant) && this.share.waitOf(tenantId) === 0;
  }

  private hasSeat(tenant: Tenant): boolean {
    const { seats, tenantSeats, tenantSeatsMs } = this.limits;
    if (this.running >= seats) return false;
    return tenant.running < Math.min(tenantSeats, Math.max(1, tenantSeatsMs / tenant.requestMs));
  }

  private takeSeat(tenantId: string, tenant: Tenant): void {
    tenant.running++;
    this.running++;
    this.share.begin(tenantId);
  }

  /** Gives the free seat to the tenant that has used the least time of those that may have one. */
  private startNext(): boolean {
    const next = this.waiting.shift((tenantId) => this.canStart(tenantId, this.tenants.get(tenantId)!));
    if (!next) return false;
    next.tenant.queued--;
    next.tenant.queuedBytes -= next.bytes;
    this.takeSeat(next.tenantId, next.tenant);
    next.start();
    return true;
  }

  /** A request may wait although there is a seat: no release will start it. */
  private pollShare(): void {
    this.poll ??= setTimeout(() => {
      this.poll = undefined;
      while (this.startNext());
      if (this.waiting.size > 0) this.pollShare();
    }, SHARE_POLL_MS).unref();
  }
}
