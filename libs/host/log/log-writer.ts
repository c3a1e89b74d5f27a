import { AssertionError, type AppliedChange } from '@terrarium/engine';
import {
  ClusterNotFound,
  Compacted,
  encodeChanges,
  type Append,
  type LockedCluster,
  type ObjectTexts,
  type Segment,
  type Wake,
} from '@terrarium/store';
import type { ClusterEngine, Mark } from '../clusters/cluster-engine.js';
import { ClusterUnloaded, type LoadedCluster } from '../clusters/loaded-cluster.js';
import type { LoadedClusters } from '../clusters/loaded-clusters.js';
import { isSpaceExceeded } from '../clusters/cluster-space.js';
import type { Space } from '../clusters/space.js';
import { yieldAfter, type ShouldYield, type SliceTurns } from '../clusters/slice-turns.js';
import { timeoutError } from '../gate/status-responses.js';
import type { HostContext } from '../host-context.js';
import { traceChild } from '../tracer.js';
import type { Announcer } from './announce/announcer.js';
import type { HeadCheck } from './head-check.js';

/** After so many lost races in a row a transaction takes the cluster's row lock first. */
const RACES_BEFORE_LOCK = 2;

/** The engine itself failed, as opposed to the store. */
export class EngineError extends Error {}

/** Errors that say what has happened to a write; after any other its outcome is unknown. */
const NOT_OF_THE_CONNECTION = [ClusterNotFound, ClusterUnloaded, Compacted, EngineError, AssertionError];

/** Work on a cluster's engine that is run again and again until its changes are stored. */
export interface Transaction<T> {
  /** Ends soon after `shouldYield` says true. */
  run(shouldYield: ShouldYield): T;
  /** The work waits for its cluster's turn on the thread; without turns it runs at once. */
  readonly turns?: Pick<SliceTurns, 'run'>;
  /** What the result means for nextWake. */
  wake(result: T, changes: readonly AppliedChange[]): Wake | undefined;
  /** The wake is stored even when nothing has changed. */
  readonly alwaysWake: boolean;
}

interface EncodedSegment extends Segment {
  /** Length of the segment's text. */
  readonly textBytes: number;
}

/** One run whose changes are not in the store yet. */
interface Attempt<T> {
  readonly mark: Mark;
  readonly result: T;
  readonly changes: readonly AppliedChange[];
  readonly segment: EncodedSegment | undefined;
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
    private readonly context: Pick<HostContext, 'store' | 'limits' | 'metrics' | 'tracer' | 'now'>,
    private readonly clusters: Pick<LoadedClusters, 'unloadIfDiverged' | 'recordGrowth'>,
    private readonly announcer: Pick<Announcer, 'publish'>,
    private readonly heads: HeadCheck,
    private readonly space: Pick<Space, 'isFresh' | 'refresh'>,
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

  /** Replays what other processes have appended: what they have announced, then what the store has besides. */
  async catchUp(cluster: LoadedCluster): Promise<void> {
    const { store, limits, metrics } = this.context;
    metrics.caughtUpChanges += await cluster.replayAnnounced();
    metrics.caughtUpChanges += await cluster.catchUp(
      (after) => store.read(cluster.row.id, after, limits.readSegments),
      limits.readSegments,
    );
  }

  /** As catchUp, but the store is read only when announcements are missing. */
  private async followAnnounced(cluster: LoadedCluster): Promise<void> {
    this.context.metrics.caughtUpChanges += await cluster.replayAnnounced();
    if (cluster.announced.last > cluster.head) await this.catchUp(cluster);
  }

  private async runUntilStored<T>(cluster: LoadedCluster, transaction: Transaction<T>): Promise<TransactionResult<T>> {
    if (cluster.isUnloaded) throw new ClusterUnloaded();
    await this.followAnnounced(cluster);
    if (!this.space.isFresh(cluster)) await this.space.refresh(cluster);
    for (let lost = 0; lost < RACES_BEFORE_LOCK; lost++) {
      const { turns } = transaction;
      const attempt = turns ? await this.runInTurn(cluster, transaction, turns) : this.runOnce(cluster, transaction);
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

  private runInTurn<T>(
    cluster: LoadedCluster,
    transaction: Transaction<T>,
    turns: Pick<SliceTurns, 'run'>,
  ): Promise<Attempt<T>> {
    return turns.run(cluster.row, (shouldYield) => {
      // The cluster may have been deleted while its slice waited.
      if (cluster.isUnloaded) throw new ClusterUnloaded();
      return this.runOnce(cluster, transaction, shouldYield);
    });
  }

  /** Leaves the engine's changes uncommitted; on a throw they are rolled back. */
  private runOnce<T>(
    cluster: LoadedCluster,
    transaction: Transaction<T>,
    shouldYield = yieldAfter(this.context.limits.sliceMs),
  ): Attempt<T> {
    const { engine } = cluster;
    const mark = engine.mark();
    engine.setSpaceExceeded(isSpaceExceeded(cluster));
    try {
      const result = transaction.run(shouldYield);
      const changes = engine.since(mark);
      const segment = encodeSegment(changes, textsOf(engine), this.context.now());
      return { mark, result, changes, segment, wake: transaction.wake(result, changes) };
    } catch (error) {
      engine.rollback(mark);
      throw error;
    }
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
      const { ok, bytes } = await this.append(() => store.append(id, { ...segment, expected: cluster.head, wake }));
      if (ok) cluster.space.stored = bytes;
      else metrics.lostRaces++;
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
          attempt = this.runOnce(cluster, transaction);
          const { segment, wake } = attempt;
          if (segment)
            cluster.space.stored = await appendToLocked(locked, { ...segment, expected: cluster.head, wake });
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
    const started = performance.now();
    try {
      const result = await traceChild(this.context.tracer, 'append', {}, write);
      this.context.metrics.observe('appendMs', performance.now() - started);
      return result;
    } catch (error) {
      if (NOT_OF_THE_CONNECTION.some((type) => error instanceof type)) throw error;
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
    cluster.recordAppend(changes, { stored: segment.changes.length, text: segment.textBytes });
    this.announce(cluster.row.id, segment);
    this.clusters.recordGrowth(cluster, segment.textBytes);
    return { result, appended: true, wake };
  }

  private announce(cluster: string, { first, last, changes }: Segment): void {
    const fits = changes.length <= this.context.limits.announceBytes;
    this.announcer.publish({ cluster, first, last, changes: fits ? changes : undefined });
  }
}

/**
 * The cluster's stored bytes. Throws an AssertionError when the append is refused: no other process can move the head
 * of a locked cluster.
 */
async function appendToLocked(locked: LockedCluster, segment: Append): Promise<number> {
  const { ok, head, bytes } = await locked.append(segment);
  if (!ok) throw new AssertionError(`the head of a locked cluster is ${head}, not ${segment.expected}`);
  return bytes;
}

const textsOf = (engine: ClusterEngine): ObjectTexts => ({
  textOf: (object) => engine.textOf(object),
  recordSize: (object, bytes) => engine.state.recordSize(object, bytes),
});

function encodeSegment(changes: readonly AppliedChange[], texts: ObjectTexts, at: number): EncodedSegment | undefined {
  const [first, last] = [changes[0], changes[changes.length - 1]];
  if (!first || !last) return undefined;
  const { stored, textBytes } = encodeChanges(changes, texts);
  return { first: first.revision, last: last.revision, at, changes: stored, textBytes };
}
