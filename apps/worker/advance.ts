import type { ClusterHost, TenantLimits, Tracer } from '@terrarium/host';
import type { Clusters, Task, Tasks } from '@terrarium/platform';
import { TenantSlots } from './tenant-slots.js';

/** Turns that one task gives a busy cluster before it goes to the end of the queue. */
const TURNS = 8;
/** The slots of one tenant are this share of all. */
const TENANT_SHARE = 1 / 4;

export interface AdvancerParts {
  readonly host: Pick<ClusterHost, 'advance' | 'now'>;
  readonly tasks: Pick<Tasks, 'advance' | 'wake'>;
  readonly clusters: Pick<Clusters, 'tenantOf'>;
  readonly tenants: {
    limits(tenantId: string): Pick<TenantLimits, 'suspended'> | Promise<Pick<TenantLimits, 'suspended'>>;
  };
  readonly tracer?: Pick<Tracer, 'run'>;
  /** Tasks that run at once. */
  readonly concurrency: number;
}

/** Works on tasks. */
export class Advancer {
  /** Clusters whose tasks run here: a task whose lock was lost is given out again while it still runs. */
  private readonly running = new Map<string, Promise<void>>();
  private readonly slots: TenantSlots;

  constructor(private readonly parts: AdvancerParts) {
    this.slots = new TenantSlots(Math.max(1, Math.floor(parts.concurrency * TENANT_SHARE)));
  }

  /** Tasks that run at once. */
  get concurrency(): number {
    return this.parts.concurrency;
  }

  /** Works on one task, as a part of the trace of the request behind it. */
  work({ cluster, traceparent }: Task, signal?: AbortSignal): Promise<void> {
    const { tracer } = this.parts;
    if (!tracer || traceparent === undefined) return this.advance(cluster, signal);
    const options = { parents: [traceparent], attributes: { 'terrarium.cluster': cluster } };
    return tracer.run('advance', options, () => this.advance(cluster, signal));
  }

  /**
   * Runs a cluster's components until there is nothing to do, and adds one delayed task for its next wake. Ends early
   * when the signal says that the task's lock is lost, since another worker goes on with it.
   */
  async advance(cluster: string, signal?: AbortSignal): Promise<void> {
    for (let other = this.running.get(cluster); other; other = this.running.get(cluster))
      // The other task reports its own error.
      await other.catch(() => undefined);
    const work = this.advanceInSlot(cluster, signal);
    this.running.set(cluster, work);
    try {
      await work;
    } finally {
      this.running.delete(cluster);
    }
  }

  private async advanceInSlot(cluster: string, signal: AbortSignal | undefined): Promise<void> {
    const { slots } = this;
    const { clusters, tenants, tasks } = this.parts;
    const tenantId = await clusters.tenantOf(cluster);
    if (tenantId === '') return;
    // What is due stays due in the store: the sweep finds it when the tenant is resumed.
    if ((await tenants.limits(tenantId)).suspended) return;
    if (!slots.take(tenantId, cluster)) return;
    try {
      await this.runTurns(cluster, tenantId, signal);
    } finally {
      const next = slots.release(tenantId);
      if (next !== undefined) tasks.advance(next);
    }
  }

  private async runTurns(cluster: string, tenantId: string, signal: AbortSignal | undefined): Promise<void> {
    const { host, tasks } = this.parts;
    for (let turn = 1; turn <= TURNS; turn++) {
      const { again, nextWake } = await host.advance(cluster);
      if (signal?.aborted) return;
      if (!again) {
        if (nextWake !== undefined) await tasks.wake(cluster, nextWake - host.now());
        return;
      }
      if (this.slots.isCrowded(tenantId)) break;
    }
    tasks.advance(cluster);
  }
}
