import { ClusterNotFound } from '@terrarium/store';
import type { HostContext } from '../host-context.js';
import type { Checkpointer } from '../log/checkpointer.js';
import { EngineError, type LogWriter } from '../log/log-writer.js';
import type { LoadedCluster } from './loaded-cluster.js';
import { ClusterUnloaded, type LoadedClusters } from './loaded-clusters.js';

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
    const end = performance.now() + this.context.limits.advanceMs;
    for (;;) {
      const result = await cluster.serial.run(() => this.runSlice(cluster));
      if (!result.again || performance.now() > end) return result;
    }
  }

  private async runSlice(cluster: LoadedCluster): Promise<AdvanceResult> {
    const { engine } = cluster;
    const { now, limits } = this.context;
    const nextWake = (progress: { settled: boolean; nextWake: number | undefined }): number | undefined => {
      if (!progress.settled) return now();
      return progress.nextWake === undefined ? undefined : engine.realTimeOf(progress.nextWake, now());
    };
    try {
      const { result } = await this.writer.transact(cluster, {
        run: () => rethrowAsEngineError(() => engine.advance(engine.virtualNow(now()), limits.sliceChanges)),
        wake: (progress) => ({ exactly: nextWake(progress) }),
        alwaysWake: true,
      });
      this.checkpointer.checkpointIfDue(cluster, !result.settled);
      return { again: !result.settled, nextWake: nextWake(result) };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      await this.halt(cluster, error);
      return IDLE;
    }
  }

  /** A broken assertion stops this one cluster. Its log stays, and it still answers requests. */
  private async halt(cluster: LoadedCluster, error: EngineError): Promise<void> {
    this.context.metrics.halted++;
    this.context.onError(error.cause, cluster.row.id);
    this.clusters.unload(cluster);
    await this.context.store.halt(cluster.row.id, error.message);
  }
}

function rethrowAsEngineError<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new EngineError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
