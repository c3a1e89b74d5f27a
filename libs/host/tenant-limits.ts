/** What one tenant may use. Sizes are bytes; counts are of clusters that are not deleted. */
export interface TenantLimits {
  /** Requests are refused, and the tenant's clusters stand still. */
  readonly suspended: boolean;
  readonly clusters: number;
  /** Nodes of all clusters together. */
  readonly nodes: number;
  /** Stored bytes of all clusters together: retained logs and checkpoints. */
  readonly bytes: number;
  /** Stored bytes of one cluster. */
  readonly clusterBytes: number;
  readonly requestsPerSecond?: number;
}

/** Reads a tenant's limits; the platform caches them. */
export type ReadTenantLimits = (tenantId: string) => TenantLimits | Promise<TenantLimits>;
