import { randomUUID } from 'node:crypto';
import { ClusterNotFound } from '@terrarium/store';
import type { HostContext } from '../host-context.js';
import type { Checkpointer } from '../log/checkpointer.js';
import { EngineError, type LogWriter } from '../log/log-writer.js';
import { ClusterUnloaded, type LoadedCluster } from './loaded-cluster.js';
import type { Progress } from './cluster-engine.js';
import { traceChild } from '../tracer.js';
import type { LoadedClusters } from './loaded-clusters.js';
import type { ShouldYield, SliceTurns } from './slice-turns.js';

export interface AdvanceResult {
  /** There is more to do now. */
  readonly again: boolean;
  /** Real ms since the epoch at which there will be something to do. */
  readonly nextWake: number | undefined;
}

const IDLE: AdvanceResult = { again: false, nextWake: undefined };

/** Runs clusters' components: controllers, scheduler, kubelets. */
export class ComponentRunner {
  constructor(
    private readonly context: HostContext,
    private readonly clusters: LoadedClusters,
    private readonly turns: Pick<SliceTurns, 'run'>,
    private readonly writer: Pick<LogWriter, 'transact'>,
    private readonly checkpointer: Pick<Checkpointer, 'checkpointIfDue'>,
  ) {}

  /**
   * Runs slice after slice until nothing is left to do now, or `advanceMs` is over. Rejects when the store does not
   * answer.
   */
  async advance(id: string): Promise<AdvanceResult> {
    try {
      return await this.clusters.use(id, (cluster) => this.advanceLoaded(cluster));
    } catch (error) {
      // Deleted since its task was added: there is nothing left to do.
      if (error instanceof ClusterNotFound) return IDLE;
      throw error;
    }
  }

  private async advanceLoaded(cluster: LoadedCluster): Promise<AdvanceResult> {
    if (cluster.row.halted !== undefined) {
      if ((await this.context.store.cluster(cluster.row.id))?.halted !== undefined) return IDLE;
      this.clusters.unload(cluster);
      throw new ClusterUnloaded();
    }
    this.observeLag(cluster);
    const end = performance.now() + this.context.limits.advanceMs;
    for (;;) {
      const result = await cluster.serial.run(() =>
        traceChild(this.context.tracer, 'slice', {}, () => this.runSlice(cluster)),
      );
      cluster.plannedWake = result.nextWake;
      if (!result.again || performance.now() > end) return result;
    }
  }

  /** A cluster that was advanced before its time, by a request, is not late. */
  private observeLag({ plannedWake }: LoadedCluster): void {
    const lag = plannedWake === undefined ? -1 : this.context.now() - plannedWake;
    if (lag >= 0) this.context.metrics.observe('lagMs', lag);
  }

  private async runSlice(cluster: LoadedCluster): Promise<AdvanceResult> {
    try {
      const { result } = await this.writer.transact(cluster, {
        run: (shouldYield) => rethrowAsEngineError(() => this.runComponents(cluster, shouldYield)),
        turns: this.turns,
        wake: (progress) => ({ exactly: this.nextWake(cluster, progress) }),
        alwaysWake: true,
      });
      this.checkpointer.checkpointIfDue(cluster, !result.settled);
      return { again: !result.settled, nextWake: this.nextWake(cluster, result) };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      await this.halt(cluster, error);
      return IDLE;
    }
  }

  private runComponents({ engine }: LoadedCluster, shouldYield: ShouldYield): Progress {
    const { now, limits } = this.context;
    const started = performance.now();
    const mustEnd = (): boolean => engine.state.estimateCreated() > limits.sliceBytes || shouldYield();
    const progress = engine.advanceAt(now(), limits.sliceChanges, mustEnd);
    this.context.metrics.observe('sliceMs', performance.now() - started);
    return progress;
  }

  /** Real ms since the epoch. */
  private nextWake({ engine }: LoadedCluster, { settled, nextWake }: Progress): number | undefined {
    const now = this.context.now();
    if (!settled) return now;
    return nextWake === undefined ? undefined : engine.realTimeOf(nextWake, now);
  }

  /**
   * A broken assertion stops this one cluster. Its log stays, and it still answers requests. Its owner is told an id,
   * by which the operator finds the error.
   */
  private async halt(cluster: LoadedCluster, { cause }: EngineError): Promise<void> {
    const errorId = randomUUID();
    this.context.metrics.halted++;
    this.context.onError(
      new Error(`error ${errorId} has halted the cluster: ${String(cause)}`, { cause }),
      cluster.row.id,
    );
    this.clusters.unload(cluster);
    await this.context.store.halt(
      cluster.row.id,
      `the simulation of this cluster stopped on an internal error (id ${errorId})`,
    );
  }
}

function rethrowAsEngineError<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new EngineError('the engine failed', { cause: error });
  }
}
