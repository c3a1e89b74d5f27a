interface Tenant {
  running: number;
  readonly waiting: Set<string>;
}

/**
 * Places for the tasks that run in this worker. A tenant has so many at most; its other clusters wait here, and not at
 * the head of the queue, where they would be in the way of every tenant. What waits may be lost: it is overdue in the
 * store, where the sweep finds it.
 */
export class TenantSlots {
  private readonly tenants = new Map<string, Tenant>();

  constructor(private readonly slotsOfTenant: number) {}

  /** Takes a slot; false when the tenant has none left, and the cluster waits. */
  take(tenantId: string, cluster: string): boolean {
    let tenant = this.tenants.get(tenantId);
    if (!tenant) this.tenants.set(tenantId, (tenant = { running: 0, waiting: new Set() }));
    if (tenant.running >= this.slotsOfTenant) {
      tenant.waiting.add(cluster);
      return false;
    }
    tenant.waiting.delete(cluster);
    tenant.running++;
    return true;
  }

  /** A cluster that has had its turn waits for another one, behind those that wait already. */
  wait(tenantId: string, cluster: string): void {
    this.tenants.get(tenantId)!.waiting.add(cluster);
  }

  /** Gives a slot to the cluster that has waited longest and returns it; undefined: none waits, the slot is free. */
  passOn(tenantId: string): string | undefined {
    const tenant = this.tenants.get(tenantId)!;
    const [next] = tenant.waiting;
    if (next === undefined) this.free(tenantId, tenant);
    else tenant.waiting.delete(next);
    return next;
  }

  /** Gives a slot back. Returns the cluster that has waited longest, whose task is to be added again. */
  release(tenantId: string): string | undefined {
    const tenant = this.tenants.get(tenantId)!;
    const [next] = tenant.waiting;
    if (next !== undefined) tenant.waiting.delete(next);
    this.free(tenantId, tenant);
    return next;
  }

  /** Clusters of the tenant wait for a slot. */
  isCrowded(tenantId: string): boolean {
    return (this.tenants.get(tenantId)?.waiting.size ?? 0) > 0;
  }

  private free(tenantId: string, tenant: Tenant): void {
    tenant.running--;
    if (tenant.running === 0 && tenant.waiting.size === 0) this.tenants.delete(tenantId);
  }
}
