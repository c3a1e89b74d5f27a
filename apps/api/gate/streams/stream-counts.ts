import { tooManyRequests } from '@terrarium/host';
import type { GateLimits } from '../gate-limits.js';
import type { RequestContext } from '../request-context.js';

/** Open streams, by edge: of each cluster and of each tenant. */
export class StreamCounts {
  private readonly counts = new Map<string, number>();
  private readonly keysOf = new WeakMap<RequestContext, readonly string[]>();

  constructor(private readonly limits: GateLimits['streams']) {}

  /** Throws ApiError 429. */
  add(context: RequestContext): void {
    const limit = this.limits[context.edge];
    if (!limit || this.keysOf.has(context)) return;
    const { edge, tenantId, clusterId = '' } = context;
    const ofTenant = `${edge} ${tenantId}`;
    const ofCluster = `${edge} ${tenantId} ${clusterId}`;
    if (this.countOf(ofTenant) >= limit.tenant || this.countOf(ofCluster) >= limit.cluster) throw tooManyRequests();
    const keys = [ofTenant, ofCluster];
    for (const key of keys) this.counts.set(key, this.countOf(key) + 1);
    this.keysOf.set(context, keys);
  }

  remove(context: RequestContext): void {
    for (const key of this.keysOf.get(context) ?? []) {
      const left = this.countOf(key) - 1;
      if (left > 0) this.counts.set(key, left);
      else this.counts.delete(key);
    }
    this.keysOf.delete(context);
  }

  private countOf(key: string): number {
    return this.counts.get(key) ?? 0;
  }
}
