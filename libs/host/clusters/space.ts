import type { LogStore } from '@terrarium/store';
import { LRUCache } from 'lru-cache';
import type { HostContext } from '../host-context.js';
import type { ReadTenantLimits } from '../tenant-limits.js';
import { isSpaceExceeded } from './cluster-space.js';
import type { LoadedCluster } from './loaded-cluster.js';

/** How long (ms) a limit or a use that was read holds: while there is space, and while there is none. */
const FRESH_MS = 10_000;
const FRESH_FULL_MS = 1_000;
const MAX_TENANTS = 10_000;

interface TenantUse {
  readonly bytes: number;
  readonly readAt: number;
}

/**
 * Decides whether a cluster may grow: by the stored bytes of its log and checkpoints with the encoded size of its live
 * objects, as etcd's quota-backend-bytes, and by the stored bytes of all clusters of its tenant.
 */
export class Space {
  private readonly tenants = new LRUCache<string, TenantUse>({ max: MAX_TENANTS });

  constructor(
    private readonly context: Pick<HostContext, 'limits' | 'now'> & {
      readonly store: Pick<LogStore, 'cluster' | 'usage'>;
    },
    private readonly readLimits?: ReadTenantLimits,
  ) {}

  /** Whether what is known of the cluster's space need not be read again. */
  isFresh(cluster: LoadedCluster): boolean {
    return this.context.now() - cluster.space.readAt < (isSpaceExceeded(cluster) ? FRESH_FULL_MS : FRESH_MS);
  }

  /** Brings up to date what is known of the cluster's space. */
  async refresh(cluster: LoadedCluster): Promise<void> {
    const { space } = cluster;
    space.readAt = this.context.now();
    const { id, tenantId } = cluster.row;
    const limits = await this.readLimits?.(tenantId);
    space.quota = limits?.clusterBytes ?? this.context.limits.clusterBytes;
    space.isTenantFull = limits !== undefined && (await this.tenantBytes(tenantId, limits.bytes)) >= limits.bytes;
    // Other processes may have compacted the log: only the store knows.
    if (isSpaceExceeded(cluster)) space.stored = (await this.context.store.cluster(id))?.bytes ?? space.stored;
  }

  private async tenantBytes(tenantId: string, max: number): Promise<number> {
    const now = this.context.now();
    const known = this.tenants.get(tenantId);
    if (known && now - known.readAt < (known.bytes >= max ? FRESH_FULL_MS : FRESH_MS)) return known.bytes;
    const { bytes } = await this.context.store.usage(tenantId);
    this.tenants.set(tenantId, { bytes, readAt: now });
    return bytes;
  }
}
