import { ClusterNotFound, type ClusterRow, type NewCluster } from '../log-store.js';
import { parentOf, type StoredCluster } from './memory-cluster.js';

/** The clusters of MemoryLogStore, also those that are deleted and not purged yet: the twin of the cluster's table. */
export class ClusterTable {
  private readonly byId = new Map<string, StoredCluster>();

  add(cluster: StoredCluster): void {
    this.byId.set(cluster.row.id, cluster);
  }

  remove(id: string): void {
    this.byId.delete(id);
  }

  all(): StoredCluster[] {
    return [...this.byId.values()];
  }

  /** Also one that is deleted. */
  get(id: string): StoredCluster | undefined {
    return this.byId.get(id);
  }

  /** Not one that is deleted. */
  find(id: string): StoredCluster | undefined {
    const held = this.byId.get(id);
    return held?.deleted === false ? held : undefined;
  }

  mustFind(id: string): StoredCluster {
    const held = this.find(id);
    if (!held) throw new ClusterNotFound(id);
    return held;
  }

  /** The cluster that stands for a new one with the same idempotency key. */
  findByKey({ tenantId, idempotencyKey }: Pick<NewCluster, 'tenantId' | 'idempotencyKey'>): StoredCluster | undefined {
    if (idempotencyKey === undefined) return undefined;
    return this.all().find(
      (held) => !held.deleted && held.row.tenantId === tenantId && held.idempotencyKey === idempotencyKey,
    );
  }

  rowsOf(tenantId: string): ClusterRow[] {
    return this.all()
      .filter((held) => !held.deleted && held.row.tenantId === tenantId)
      .map((held) => held.row);
  }

  /** Clusters whose time is before `before`, the earliest first. */
  earliest(timeOf: (held: StoredCluster) => number, before: number, limit: number): string[] {
    return this.all()
      .filter((held) => !held.deleted && timeOf(held) < before)
      .sort((a, b) => timeOf(a) - timeOf(b))
      .slice(0, limit)
      .map((held) => held.row.id);
  }

  /** The forks that still read this cluster's rows. */
  forksOf(id: string): StoredCluster[] {
    return this.all().filter((held) => held.readsParent && parentOf(held) === id);
  }

  /** Runs `run` when all that has locked the row before has let it go. */
  async runLocked<T>(id: string, run: (held: StoredCluster) => Promise<T>): Promise<T> {
    const held = this.mustFind(id);
    const turn = held.lock.then(() => run(held));
    // The caller is told of the error; the lock is free again.
    held.lock = turn.catch(() => undefined);
    return turn;
  }
}
