import type { ClusterHost, TenantLimits, Tracer } from '@terrarium/host';
import type { Clusters, Task, Tasks } from '@terrarium/platform';
import { ShortWakes } from './short-wakes.js';
import { TenantSlots } from './tenant-slots.js';

/** Turns that one task gives a busy cluster before it goes to the end of the queue. */
const TURNS = 8;
/** How long a task goes on with others of its tenant after its own: then other tenants' tasks may have their turn. */
const PASSING_MS = 200;
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
  /** Of a cluster that no task of its own has advanced; the sweep finds it again. */
  readonly onError: (cluster: string, error: unknown) => void;
  /** Tasks that run at once. */
  readonly concurrency: number;
}

/** Works on tasks. */
export class Advancer {
  /** Clusters whose tasks run here: a task whose lock was lost is given out again while it still runs. */
  private readonly running = new Map<string, Promise<void>>();
  private readonly slots: TenantSlots;
  private readonly wakes = new ShortWakes((cluster) => this.wake(cluster));
  /** Clusters that a wake, and no task, advances. */
  private woken = 0;

  constructor(private readonly parts: AdvancerParts) {
    this.slots = new TenantSlots(Math.max(1, Math.floor(parts.concurrency * TENANT_SHARE)));
  }

  /** Tasks that run at once. */
  get concurrency(): number {
    return this.parts.concurrency;
  }

  /** Ends what no task has begun, and leaves the wakes that are known here only to the queue. */
  async close(): Promise<void> {
    await Promise.allSettled(this.running.values());
    await Promise.all(this.wakes.takeAll().map(([cluster, delayMs]) => this.parts.tasks.wake(cluster, delayMs)));
  }

  /** Works on one task, as a part of the trace of the request behind it. */
  work({ cluster, traceparent }: Task, signal?: AbortSignal): Promise<void> {
    const { tracer } = this.parts;
    if (!tracer || traceparent === undefined) return this.advance(cluster, signal);
    const options = { parents: [traceparent], attributes: { 'terrarium.cluster': cluster } };
    return tracer.run('advance', options, () => this.advance(cluster, signal));
  }

  /**
   * Runs a cluster's components until there is nothing to do, and plans its next wake: by a delayed task, unless it is
   * soon. Then its slot goes to those of its tenant that have waited for one: they are in this worker, and need no
   * task. Ends early when the signal says that the task's lock is lost, since another worker goes on with it.
   */
  async advance(cluster: string, signal?: AbortSignal): Promise<void> {
    const tenantId = await this.findTenant(cluster);
    if (tenantId === undefined || !this.slots.take(tenantId, cluster)) return;
    try {
      await this.runAlone(cluster, tenantId, signal);
    } finally {
      await this.passSlotOn(tenantId, signal);
    }
  }

  private wake(cluster: string): void {
    if (this.woken >= this.concurrency) return this.parts.tasks.advance(cluster);
    this.woken++;
    void this.advance(cluster)
      .catch((error: unknown) => this.parts.onError(cluster, error))
      .finally(() => this.woken--);
  }

  /** Undefined: it has been deleted, or nothing of its tenant runs: the sweep finds it when the tenant is resumed. */
  private async findTenant(cluster: string): Promise<string | undefined> {
    const { clusters, tenants } = this.parts;
    const tenantId = await clusters.tenantOf(cluster);
    if (tenantId === '' || (await tenants.limits(tenantId)).suspended) return undefined;
    return tenantId;
  }

  private async passSlotOn(tenantId: string, signal: AbortSignal | undefined): Promise<void> {
    const { slots } = this;
    const { host, tasks, onError } = this.parts;
    const end = host.now() + PASSING_MS;
    while (host.now() < end && !signal?.aborted) {
      const next = slots.passOn(tenantId);
      if (next === undefined) return;
      await this.advanceNext(next, tenantId, signal).catch((error: unknown) => onError(next, error));
    }
    const next = slots.release(tenantId);
    if (next !== undefined) tasks.advance(next);
  }

  private async advanceNext(cluster: string, tenantId: string, signal: AbortSignal | undefined): Promise<void> {
    if ((await this.findTenant(cluster)) !== undefined) await this.runAlone(cluster, tenantId, signal);
  }

  /** No other task of the cluster runs here meanwhile. */
  private async runAlone(cluster: string, tenantId: string, signal: AbortSignal | undefined): Promise<void> {
    for (let other = this.running.get(cluster); other; other = this.running.get(cluster))
      // The other task reports its own error.
      await other.catch(() => undefined);
    const work = this.runTurns(cluster, tenantId, signal);
    this.running.set(cluster, work);
    try {
      await work;
    } finally {
      this.running.delete(cluster);
    }
  }

  private async runTurns(cluster: string, tenantId: string, signal: AbortSignal | undefined): Promise<void> {
    const { host, tasks } = this.parts;
    for (let turn = 1; turn <= TURNS; turn++) {
      const { again, nextWake } = await host.advance(cluster);
      if (signal?.aborted) return;
      if (!again) {
        if (nextWake === undefined) return;
        const delayMs = nextWake - host.now();
        if (!this.wakes.plan(cluster, delayMs)) await tasks.wake(cluster, delayMs);
        return;
      }
      if (this.slots.isCrowded(tenantId)) return this.slots.wait(tenantId, cluster);
    }
    tasks.advance(cluster);
  }
}
