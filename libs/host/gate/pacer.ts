import type { ApiRequest, SessionRequest } from '@terrarium/engine';
import { LRUCache } from 'lru-cache';
import type { Limits } from '../limits.js';
import { tooManyRequests } from './status-responses.js';

export type PacerLimits = Pick<
  Limits,
  'expensiveMs' | 'expensiveBurstMs' | 'expensiveShare' | 'tenantExpensiveRequests'
>;

/** What is known of the cost of a kind of request, on its cluster. */
const MAX_CLASSES = 10_000;
/** How much the latest request counts in the average cost of its class. */
const WEIGHT = 0.5;
const LARGE_BODY_BYTES = 64 * 1024;
/** Tenants whose budgets are remembered. */
const MAX_TENANTS = 10_000;
/** A tenant who has made a request so many ms ago is still at work: expensive requests of others get in its way. */
const AT_WORK_MS = 2_000;
/** Less than the gate's deadline: a write must not run after its client was told that it has timed out. */
const MAX_WAIT_MS = 30_000;

/** The thread's time (ms) that a tenant may still take for expensive requests; below 0 it has to wait. */
interface Budget {
  left: number;
  /** Monotonic ms. */
  at: number;
  waiting: number;
}

/**
 * Holds back expensive requests. One request holds the process' one thread until it has run, so that turns alone do not
 * help a neighbour: a tenant whose requests each take 100 ms would delay every other request by that much. The requests
 * of a kind that was expensive before draw on a budget of their tenant, and wait while it is used up; cheap requests of
 * the same tenant go on, and where no other tenant is at work nobody waits.
 */
export class Pacer {
  private readonly costs = new LRUCache<string, number>({ max: MAX_CLASSES });
  private readonly budgets = new LRUCache<string, Budget>({ max: MAX_TENANTS });
  /** The tenant of the latest request, and the latest one of another tenant. */
  private latest = { tenantId: '', at: -Infinity };
  private other = { tenantId: '', at: -Infinity };

  constructor(private readonly limits: PacerLimits) {}

  /**
   * Undefined when the request may run now, else a promise of when it may, which rejects with 429 after half a minute.
   * Throws 429 when too many of the tenant's requests wait.
   */
  admit(tenantId: string, costClass: string): Promise<void> | undefined {
    this.notice(tenantId);
    if (!this.isExpensive(costClass)) return undefined;
    const budget = this.budgetOf(tenantId);
    if (budget.left > 0 || !this.isOtherAtWork(tenantId)) return undefined;
    if (budget.waiting >= this.limits.tenantExpensiveRequests) throw tooManyRequests();
    return this.wait(tenantId, budget);
  }

  /** Whether work of this class was expensive before; work that is new is expensive when its body is large. */
  isExpensive(costClass: string, bodyBytes = 0): boolean {
    const cost = this.costs.get(costClass);
    return cost === undefined ? bodyBytes >= LARGE_BODY_BYTES : cost >= this.limits.expensiveMs;
  }

  /** Runs work of a class as soon as the tenant may. Rejects with 429 when too much of the tenant's work waits. */
  async run<T>(tenantId: string, costClass: string, work: () => T): Promise<T> {
    await this.admit(tenantId, costClass);
    const started = performance.now();
    try {
      return work();
    } finally {
      this.record(tenantId, costClass, performance.now() - started);
    }
  }

  /** Records that a request has held the thread for so many ms. */
  record(tenantId: string, costClass: string, ms: number): void {
    const average = this.costs.get(costClass);
    if (average === undefined && ms < this.limits.expensiveMs) return;
    this.costs.set(costClass, average === undefined ? ms : average + WEIGHT * (ms - average));
    if (ms >= this.limits.expensiveMs) this.budgetOf(tenantId).left -= ms;
  }

  private async wait(tenantId: string, budget: Budget): Promise<void> {
    budget.waiting++;
    const end = performance.now() + MAX_WAIT_MS;
    try {
      while (this.budgetOf(tenantId).left <= 0 && this.isOtherAtWork(tenantId)) {
        if (performance.now() > end) throw tooManyRequests();
        await new Promise((resolve) => setTimeout(resolve, AT_WORK_MS / 10));
      }
    } finally {
      budget.waiting--;
    }
  }

  private notice(tenantId: string): void {
    const at = performance.now();
    if (tenantId === this.latest.tenantId) {
      this.latest.at = at;
      return;
    }
    this.other = this.latest;
    this.latest = { tenantId, at };
  }

  private isOtherAtWork(tenantId: string): boolean {
    const { at } = this.latest.tenantId === tenantId ? this.other : this.latest;
    return performance.now() - at < AT_WORK_MS;
  }

  private budgetOf(tenantId: string): Budget {
    const { expensiveBurstMs, expensiveShare } = this.limits;
    const now = performance.now();
    let budget = this.budgets.get(tenantId);
    if (!budget) this.budgets.set(tenantId, (budget = { left: expensiveBurstMs, at: now, waiting: 0 }));
    budget.left = Math.min(expensiveBurstMs, budget.left + (now - budget.at) * expensiveShare);
    budget.at = now;
    return budget;
  }
}

/** /api/v1 or /apis/<group>/<version>, the namespace, then resource, name and subresource. */
const RESOURCE_PATH = /^\/(?:api|apis\/[^/]+)\/[^/]+\/(?:namespaces\/[^/]+\/)?([^/]+)(?:\/[^/]+(?:\/([^/]+))?)?/;

/**
 * Requests that cost about the same: of one cluster, verb and resource, with bodies of about one size (within a factor
 * of two). Names of objects and namespaces do not count.
 */
export function costClassOf(cluster: string, request: ApiRequest | SessionRequest): string {
  if ('type' in request) return `${cluster} session ${request.type}`;
  const { method, path, headers, body } = request;
  const [, resource = '', subresource = ''] = RESOURCE_PATH.exec(path) ?? [];
  const size = 32 - Math.clz32(body?.length ?? 0);
  return `${cluster} ${method} ${resource} ${subresource} ${headers['content-type'] ?? ''} ${size}`;
}
