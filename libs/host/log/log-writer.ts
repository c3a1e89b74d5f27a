import type { AppliedChange } from '@terrarium/engine';
import { ClusterNotFound, Compacted, encodeChanges, type LogStore, type Segment, type Wake } from '@terrarium/store';
import type { Announcer } from './announce/announcer.js';
import { unknownOutcome } from '../gate/answers.js';
import type { Mark } from '../clusters/engine.js';
import type { HeadCheck } from './head-check.js';
import type { Limits, Metrics } from '../limits.js';
import { Gone } from '../clusters/loaded-clusters.js';
import type { Warm } from '../clusters/loaded-cluster.js';

/** After so many lost races in a row a run takes the cluster's row lock first. */
const RACES_BEFORE_LOCK = 2;

/** The engine itself failed, as opposed to the store. */
export class EngineFailure extends Error {}

/** Something to run on a cluster's engine, again and again until it stands. */
export interface Run<T> {
  run(): T;
  /** What the result means for nextWake. */
  wake(result: T, changed: readonly AppliedChange[]): Wake | undefined;
  /** Records the wake even when nothing has changed. */
  readonly alwaysWake: boolean;
}

/** A run that is not in the store yet. */
interface Attempt<T> {
  readonly mark: Mark;
  readonly result: T;
  readonly changes: readonly AppliedChange[];
  readonly segment: Segment | undefined;
  readonly wake: Wake | undefined;
}

export interface Done<T> {
  readonly result: T;
  readonly appended: boolean;
  readonly wake: Wake | undefined;
}

export interface WriterOptions {
  readonly store: LogStore;
  readonly announcer: Announcer;
  readonly heads: HeadCheck;
  readonly limits: Limits;
  readonly metrics: Metrics;
  now(): number;
}

/**
 * Runs the engine and appends what it changed, if the head of the log has not moved; else catches up and runs again.
 */
export class LogWriter {
  constructor(private readonly options: WriterOptions) {}

  /**
   * Resolves when what the run changed is appended, or, if it changed nothing, when what it saw was the head. Call it
   * within the cluster's `serial`. Whatever goes wrong, the engine is left as the store last had it, or the copy no
   * longer agrees with its `head` and is to be discarded.
   */
  async transact<T>(warm: Warm, job: Run<T>): Promise<Done<T>> {
    if (warm.gone) throw new Gone();
    let confirmed = false;
    if (warm.announced > warm.head) await this.catchUp(warm);
    for (let lost = 0; lost < RACES_BEFORE_LOCK; lost++) {
      const attempt = run(warm, job, this.options.now());
      try {
        if (await this.write(warm, job, attempt, confirmed)) return this.committed(warm, attempt);
      } catch (error) {
        warm.engine.rollback(attempt.mark);
        throw error;
      }
      warm.engine.rollback(attempt.mark);
      await this.catchUp(warm);
      confirmed = true;
    }
    return this.transactLocked(warm, job);
  }

  async catchUp(warm: Warm): Promise<void> {
    const { store, limits, metrics } = this.options;
    metrics.caughtUpChanges += await warm.catchUp(
      (after) => store.read(warm.row.id, after, limits.readSegments),
      limits.readSegments,
    );
  }

  /** Whether the attempt stands. */
  private async write<T>(warm: Warm, job: Run<T>, { segment, wake }: Attempt<T>, confirmed: boolean): Promise<boolean> {
    const { store, heads, metrics } = this.options;
    const { id } = warm.row;
    if (segment) {
      const { ok } = await this.append(() => store.append(id, { ...segment, expected: warm.head, wake }));
      if (!ok) metrics.lostRaces++;
      return ok;
    }
    if (job.alwaysWake && wake) return (await store.setWake(id, warm.head, wake)).ok;
    if (confirmed) return true;
    const head = await heads.ask(id);
    if (head === undefined) throw new ClusterNotFound(id);
    return head === warm.head;
  }

  /** Nobody else can append while this one catches up and runs. */
  private async transactLocked<T>(warm: Warm, job: Run<T>): Promise<Done<T>> {
    const { store, limits, metrics } = this.options;
    metrics.rowLocks++;
    let attempt: Attempt<T> | undefined;
    try {
      await this.append(() =>
        store.withLock(warm.row.id, async (cluster) => {
          metrics.caughtUpChanges += await warm.catchUp(
            (after) => cluster.read(after, limits.readSegments),
            limits.readSegments,
          );
          attempt = run(warm, job, this.options.now());
          const { segment, wake } = attempt;
          if (segment) await cluster.append({ ...segment, expected: warm.head, wake });
          else if (job.alwaysWake && wake) await cluster.setWake(wake);
        }),
      );
    } catch (error) {
      if (attempt) warm.engine.rollback(attempt.mark);
      throw error;
    }
    return this.committed(warm, attempt!);
  }

  /**
   * Whether a failed append has reached the store is not known: the caller is told so, and the next head check finds
   * out.
   */
  private async append<R>(write: () => Promise<R>): Promise<R> {
    try {
      return await write();
    } catch (error) {
      if (error instanceof ClusterNotFound || error instanceof EngineFailure || error instanceof Compacted) throw error;
      this.options.metrics.storeErrors++;
      throw unknownOutcome(error);
    }
  }

  private committed<T>(warm: Warm, { result, changes, segment, wake }: Attempt<T>): Done<T> {
    const { announcer, limits, metrics } = this.options;
    warm.engine.commit();
    if (!segment) return { result, appended: false, wake };
    metrics.appends++;
    metrics.changes += changes.length;
    warm.grown(changes, segment.changes.length);
    const fits = segment.changes.length <= limits.announceBytes;
    announcer.publish({
      cluster: warm.row.id,
      first: segment.first,
      last: segment.last,
      changes: fits ? segment.changes : undefined,
    });
    return { result, appended: true, wake };
  }
}

function run<T>(warm: Warm, job: Run<T>, now: number): Attempt<T> {
  const mark = warm.engine.mark();
  try {
    const result = job.run();
    const changes = warm.engine.since(mark);
    const [first, last] = [changes[0], changes[changes.length - 1]];
    const segment = first &&
      last && { first: first.revision, last: last.revision, at: now, changes: encodeChanges(changes) };
    return { mark, result, changes, segment, wake: job.wake(result, changes) };
  } catch (error) {
    warm.engine.rollback(mark);
    throw error;
  }
}
