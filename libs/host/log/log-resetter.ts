import { ApiError, type CheckpointState } from '@terrarium/engine';
import { ClusterNotFound, RESET } from '@terrarium/store';
import { encodeCheckpoint } from '../clusters/checkpoint-codec.js';
import type { LoadedClusters } from '../clusters/loaded-clusters.js';
import type { HostContext } from '../host-context.js';
import type { Announcer } from './announce/announcer.js';

/** A busy cluster's head moves all the time: each try is one round trip. */
const MAX_TRIES = 50;

/** Replaces the whole state of clusters, in every process. */
export class LogResetter {
  constructor(
    private readonly context: Pick<HostContext, 'store' | 'now'>,
    private readonly clusters: Pick<LoadedClusters, 'peek' | 'unload'>,
    private readonly announcer: Pick<Announcer, 'publish'>,
  ) {}

  /**
   * The cluster goes on from this state at its next revision, which it resolves with; `settings` are merged into its
   * row's. Watches end with 410. Rejects with ClusterNotFound, and with ApiError 409 when others write all the time.
   */
  async reset(id: string, state: CheckpointState, settings: Readonly<Record<string, unknown>>): Promise<number> {
    const { store, now } = this.context;
    const encoded = await encodeCheckpoint(state);
    let expected = (await store.heads([id])).get(id);
    if (expected === undefined) throw new ClusterNotFound(id);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const begun = { revision: expected + 1, virtual: state.now };
      const merged = { ...settings, begun };
      const { ok, head } = await store.reset(id, { expected, at: now(), state: encoded, settings: merged });
      if (ok) return this.announce(id, head);
      expected = head;
    }
    throw new ApiError(409, 'Conflict', 'the cluster is being changed by others all the time: try again');
  }

  private async announce(id: string, revision: number): Promise<number> {
    const cluster = await this.clusters.peek(id);
    if (cluster && cluster.head < revision) this.clusters.unload(cluster, 'expired', revision);
    this.announcer.publish({ cluster: id, first: revision, last: revision, changes: RESET });
    return revision;
  }
}
