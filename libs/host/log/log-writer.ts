import type { AppliedChange } from '@terrarium/engine';
import { ClusterNotFound, Compacted, encodeChanges, type Segment, type Wake } from '@terrarium/store';
import type { Mark } from '../clusters/cluster-engine.js';
import type { LoadedCluster } from '../clusters/loaded-cluster.js';
import { ClusterUnloaded, type LoadedClusters } from '../clusters/loaded-clusters.js';
import { timeoutError } from '../gate/status-responses.js';
import type { HostContext } from '../host-context.js';
import type { Announcer } from './announce/announcer.js';
import type { HeadCheck } from './head-check.js';

/** After so many lost races in a row a transaction takes the cluster's row lock first. */
const RACES_BEFORE_LOCK = 2;

/** The engine itself failed, as opposed to the store. */
export class EngineError extends Error {}

/** Work on a cluster's engine that is run again and again until its changes are stored. */
export interface Transaction<T> {
  run(): T;
  /** What the result means for nextWake. */
  wake(result: T, changes: readonly AppliedChange[]): Wake | undefined;
  /** The wake is stored even when nothing has changed. */
  readonly alwaysWake: boolean;
}

/** One run whose changes are not in the store yet. */
interface Attempt<T> {
  readonly mark: Mark;
  readonly result: T;
  readonly changes: readonly AppliedChange[];
  readonly segment: Segment | undefined;
  readonly wake: Wake | undefined;
}

export interface TransactionResult<T> {
  readonly result: T;
  readonly appended: boolean;
  readonly wake: Wake | undefined;
}

/** Runs the engine and appends its changes, if the head of the log has not moved; else catches up and runs again. */
export class LogWriter {
  constructor(
    private readonly context: Pick<HostContext, 'store' | 'limits' | 'metrics' | 'now'>,
    private readonly clusters: Pick<LoadedClusters, 'unloadIfDiverged'>,
    private readonly announcer: Pick<Announcer, 'publish'>,
    private readonly heads: HeadCheck,
  ) {}

  /**
   * Resolves when the changes of the run are appended, or, if it changed nothing, when the state that it read was the
   * head. Call it within the cluster's `serial`. When it rejects, the engine is as the store last had it, or the copy
   * is unloaded.
   */
  async transact<T>(cluster: LoadedCluster, transaction: Transaction<T>): Promise<TransactionResult<T>> {
    try {
      return await this.runUntilStored(cluster, transaction);
    } catch (error) {
      this.clusters.unloadIfDiverged(cluster, error);
      throw error;
    }
  }

  /** Replays what other processes have appended. */
  async catchUp(cluster: LoadedCluster): Promise<void> {
    const { store, limits, metrics } = this.context;
    metrics.caughtUpChanges += await cluster.catchUp(
      (after) => store.read(cluster.row.id, after, limits.readSegments),
      limits.readSegments,
    );
  }

  private async runUntilStored<T>(cluster: LoadedCluster, transaction: Transaction<T>): Promise<TransactionResult<T>> {
    if (cluster.isUnloaded) throw new ClusterUnloaded();
    if (cluster.announced > cluster.head) await this.catchUp(cluster);
    for (let lost = 0; lost < RACES_BEFORE_LOCK; lost++) {
      const attempt = runOnce(cluster, transaction, this.context.now());
      try {
        const hasCaughtUp = lost > 0;
        if (await this.store(cluster, transaction, attempt, hasCaughtUp)) return this.commit(cluster, attempt);
      } catch (error) {
        cluster.engine.rollback(attempt.mark);
        throw error;
      }
      cluster.engine.rollback(attempt.mark);
      await this.catchUp(cluster);
    }
    return this.transactLocked(cluster, transaction);
  }

  /** False when the head has moved. */
  private async store<T>(
    cluster: LoadedCluster,
    transaction: Transaction<T>,
    { segment, wake }: Attempt<T>,
    hasCaughtUp: boolean,
  ): Promise<boolean> {
    const { store, metrics } = this.context;
    const { id } = cluster.row;
    if (segment) {
      const { ok } = await this.append(() => store.append(id, { ...segment, expected: cluster.head, wake }));
      if (!ok) metrics.lostRaces++;
      return ok;
    }
    if (transaction.alwaysWake && wake) return (await store.setWake(id, cluster.head, wake)).ok;
    if (hasCaughtUp) return true;
    const head = await this.heads.headOf(id);
    if (head === undefined) throw new ClusterNotFound(id);
    return head === cluster.head;
  }

  /** Catches up and runs while no other process can append. */
  private async transactLocked<T>(cluster: LoadedCluster, transaction: Transaction<T>): Promise<TransactionResult<T>> {
    const { store, limits, metrics } = this.context;
    metrics.rowLocks++;
    let attempt: Attempt<T> | undefined;
    try {
      await this.append(() =>
        store.withLock(cluster.row.id, async (locked) => {
          metrics.caughtUpChanges += await cluster.catchUp(
            (after) => locked.read(after, limits.readSegments),
            limits.readSegments,
          );
          attempt = runOnce(cluster, transaction, this.context.now());
          const { segment, wake } = attempt;
          if (segment) await locked.append({ ...segment, expected: cluster.head, wake });
          else if (transaction.alwaysWake && wake) await locked.setWake(wake);
        }),
      );
    } catch (error) {
      if (attempt) cluster.engine.rollback(attempt.mark);
      throw error;
    }
    return this.commit(cluster, attempt!);
  }

  /**
   * It is not known whether a failed append has reached the store: the caller is told so, and the next head check finds
   * out.
   */
  private async append<R>(write: () => Promise<R>): Promise<R> {
    try {
      return await write();
    } catch (error) {
      if (error instanceof ClusterNotFound || error instanceof EngineError || error instanceof Compacted) throw error;
      this.context.metrics.storeErrors++;
      throw timeoutError(error);
    }
  }

  private commit<T>(cluster: LoadedCluster, attempt: Attempt<T>): TransactionResult<T> {
    const { result, changes, segment, wake } = attempt;
    cluster.engine.commit();
    if (!segment) return { result, appended: false, wake };
    const { metrics } = this.context;
    metrics.appends++;
    metrics.changes += changes.length;
    cluster.recordAppend(changes, segment.changes.length);
    this.announce(cluster.row.id, segment);
    return { result, appended: true, wake };
  }

  private announce(cluster: string, { first, last, changes }: Segment): void {
    const fits = changes.length <= this.context.limits.announceBytes;
    this.announcer.publish({ cluster, first, last, changes: fits ? changes : undefined });
  }
}

/** Leaves the engine's changes uncommitted; on a throw they are rolled back. */
function runOnce<T>(cluster: LoadedCluster, transaction: Transaction<T>, now: number): Attempt<T> {
  const mark = cluster.engine.mark();
  try {
    const result = transaction.run();
    const changes = cluster.engine.since(mark);
    return { mark, result, changes, segment: segmentOf(changes, now), wake: transaction.wake(result, changes) };
  } catch (error) {
    cluster.engine.rollback(mark);
    throw error;
  }
}

function segmentOf(changes: readonly AppliedChange[], at: number): Segment | undefined {
  const [first, last] = [changes[0], changes[changes.length - 1]];
  if (!first || !last) return undefined;
  return { first: first.revision, last: last.revision, at, changes: encodeChanges(changes) };
}
