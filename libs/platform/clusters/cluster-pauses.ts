import type { LogStore } from '@terrarium/store';
import type { ClusterClock } from './cluster-clock.js';
import { requireKey, type Clusters } from './clusters.js';
import type { Cluster } from '../nouns.js';
import type { Caller } from '../identity/principal.js';

/** Pauses clusters and lets them go on. Nothing happens in a paused one, which can still be read and written. */
export class ClusterPauses {
  constructor(
    private readonly clusters: Pick<Clusters, 'findRow' | 'toCluster'>,
    private readonly clock: Pick<ClusterClock, 'setPaused'>,
    private readonly store: Pick<LogStore, 'updateLife'>,
  ) {}

  /** Throws Refusal 404. A paused cluster stays paused, and does not end because it is idle. */
  async pause(caller: Caller, id: string): Promise<Cluster> {
    const { pausedAt = Date.now() } = await this.clusters.findRow(requireKey(caller), id);
    await this.clock.setPaused(caller, id, true);
    return this.clusters.toCluster(await this.store.updateLife(id, { pausedAt }));
  }

  /** Throws Refusal 404. The row is changed first, so that no cluster whose time runs is taken for a paused one. */
  async resume(caller: Caller, id: string): Promise<Cluster> {
    await this.clusters.findRow(requireKey(caller), id);
    const row = await this.store.updateLife(id, { pausedAt: null });
    await this.clock.setPaused(caller, id, false);
    return this.clusters.toCluster(row);
  }
}
