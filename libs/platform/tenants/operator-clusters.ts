import type { ClusterHost } from '@terrarium/host';
import type { ClusterRow, LogStore } from '@terrarium/store';
import type { Clusters } from '../clusters/clusters.js';
import type { OperatorCluster } from '../nouns.js';
import { unknownCluster } from '../refusal.js';
import type { Tasks } from '../tasks.js';

/** Clusters of all tenants, as the operator of the service sees them: nothing that is inside of them. */
export class OperatorClusters {
  constructor(
    private readonly store: Pick<LogStore, 'cluster'>,
    private readonly clusters: Pick<Clusters, 'toCluster'>,
    private readonly host: Pick<ClusterHost, 'resume'>,
    private readonly tasks: Pick<Tasks, 'advance'>,
  ) {}

  /** Throws Refusal 404. */
  async get(id: string): Promise<OperatorCluster> {
    return this.describe(await this.findRow(id));
  }

  /** Lets a halted cluster run again; one that runs is left as it is. Throws Refusal 404. */
  async resume(id: string): Promise<OperatorCluster> {
    const row = await this.findRow(id);
    if (row.halted === undefined) return this.describe(row);
    await this.host.resume(id);
    this.tasks.advance(id);
    return this.get(id);
  }

  private describe(row: ClusterRow): OperatorCluster {
    return { ...this.clusters.toCluster(row), tenantId: row.tenantId };
  }

  private async findRow(id: string): Promise<ClusterRow> {
    const row = await this.store.cluster(id);
    if (!row) throw unknownCluster(id);
    return row;
  }
}
