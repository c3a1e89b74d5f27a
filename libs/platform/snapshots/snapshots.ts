import { encodeCheckpoint, parsePoint, type ClusterHost } from '@terrarium/host';
import {
  ClusterNotFound,
  SnapshotExists,
  SnapshotLimitExceeded,
  type ClusterRow,
  type LogStore,
  type Snapshot as Row,
} from '@terrarium/store';
import { requireKey, type Clusters } from '../clusters/clusters.js';
import type { Caller } from '../identity/principal.js';
import { Refusal, unknownCluster } from '../refusal.js';
import type { Tenants } from '../tenants/tenants.js';
import { unknownSnapshot } from './forks.js';
import type { NewSnapshot, Snapshot, SnapshotList } from './history-nouns.js';

/** Of one cluster; together they may be as large as the cluster itself. */
export const MAX_SNAPSHOTS = 20;

/** States of clusters that are kept under a name until they are deleted, or their cluster is. */
export class Snapshots {
  constructor(
    private readonly clusters: Pick<Clusters, 'findRow'>,
    private readonly host: Pick<ClusterHost, 'past'>,
    private readonly store: Pick<
      LogStore,
      'saveSnapshot' | 'listSnapshots' | 'loadSnapshot' | 'deleteSnapshot' | 'usage'
    >,
    private readonly tenants: Pick<Tenants, 'limits'>,
  ) {}

  /** Throws Refusal 409 when the name is taken, 403 when there are too many; and as Past.find for the moment. */
  async create(caller: Caller, id: string, { name, at }: NewSnapshot): Promise<Snapshot> {
    const row = await this.clusters.findRow(requireKey(caller), id);
    const limits = await this.tenants.limits(row.tenantId);
    if ((await this.store.usage(row.tenantId)).bytes >= limits.bytes)
      throw new Refusal(403, `the quota of ${limits.bytes} bytes is used up: delete a snapshot or a cluster first`);
    const { state, now } = await this.stateAt(row, at);
    const snapshot = {
      name: name ?? `r${state.revision}`,
      revision: state.revision,
      at: now,
      createdAt: Date.now(),
      state: await encodeCheckpoint({ ...state, now }),
    };
    const bounds = { count: MAX_SNAPSHOTS, bytes: limits.clusterBytes };
    return toSnapshot(await this.store.saveSnapshot(id, snapshot, bounds).catch(rejectAsRefusal));
  }

  async list(caller: Caller, id: string): Promise<SnapshotList> {
    await this.clusters.findRow(requireKey(caller), id);
    return { items: (await this.store.listSnapshots(id)).map(toSnapshot) };
  }

  /** Throws Refusal 404 when there is none. */
  async delete(caller: Caller, id: string, name: string): Promise<void> {
    await this.clusters.findRow(requireKey(caller), id);
    if (!(await this.store.deleteSnapshot(id, name))) throw unknownSnapshot(name);
  }

  private async stateAt(row: ClusterRow, at: string | undefined) {
    const { past } = this.host;
    if (at !== undefined) return past.state(row, await past.find(row.id, parsePoint(at)));
    const { head, now } = await past.present(row.id);
    return past.state(row, { revision: head, now });
  }
}

const timestamp = (ms: number): string => new Date(ms).toISOString();

const toSnapshot = ({ name, revision, at, createdAt, bytes }: Row): Snapshot => ({
  name,
  revision,
  time: timestamp(at),
  createdAt: timestamp(createdAt),
  bytes,
});

function rejectAsRefusal(error: unknown): never {
  if (error instanceof ClusterNotFound) throw unknownCluster(error.cluster);
  if (error instanceof SnapshotExists) throw new Refusal(409, `a snapshot "${error.snapshot}" exists already`);
  if (error instanceof SnapshotLimitExceeded)
    throw new Refusal(
      403,
      `the snapshots of a cluster must not be more than ${error.max}${error.limit === 'bytes' ? ' bytes' : ''}: delete one first`,
    );
  throw error;
}
