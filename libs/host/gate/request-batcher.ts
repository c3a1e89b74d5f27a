import type { ApiRequest, ApiResponse, AppliedChange, AskingRequest, OutsideResponse } from '@terrarium/engine';
import type { LoadedCluster, QueuedRequest } from '../clusters/loaded-cluster.js';
import type { HostContext } from '../host-context.js';
import type { Checkpointer } from '../log/checkpointer.js';
import type { LogWriter } from '../log/log-writer.js';
import type { FairQueue } from './fair-queue.js';
import { internalError, statusResponse, tooManyRequests } from './status-responses.js';

/** Changes to resources of this API group decide when the components run, whatever the controllers say. */
const OWN_GROUP = '.terrarium.dev';

/** `wantsAdvance`: the cluster's components have something to do now. */
export type OnCommitted = (cluster: string, commit: { readonly wantsAdvance: boolean }) => void;

export interface RequestBatcherOptions {
  readonly writer: Pick<LogWriter, 'transact'>;
  readonly checkpointer: Pick<Checkpointer, 'checkpointIfDue'>;
  readonly fairQueue: Pick<FairQueue, 'recordCost'>;
  readonly onCommitted?: OnCommitted;
}

/** Runs requests on their cluster's engine: those that arrive while an append is under way share the next append. */
export class RequestBatcher {
  constructor(
    private readonly context: Pick<HostContext, 'limits' | 'metrics' | 'now' | 'onError'>,
    private readonly options: RequestBatcherOptions,
  ) {}

  /** Resolves when the request's changes are stored. Throws 429 when too many requests wait for the cluster. */
  run(cluster: LoadedCluster, request: ApiRequest | AskingRequest): Promise<ApiResponse | OutsideResponse> {
    if (cluster.queue.length >= this.context.limits.queuedRequests) throw tooManyRequests();
    return new Promise<ApiResponse | OutsideResponse>((resolve, reject) => {
      cluster.queue.push({ request, resolve, reject });
      if (cluster.queue.length === 1) void cluster.serial.run(() => this.runBatch(cluster));
    });
  }

  private async runBatch(cluster: LoadedCluster): Promise<void> {
    const { limits, metrics, now } = this.context;
    const batch = cluster.queue.slice(0, limits.batchRequests);
    metrics.batches++;
    let settle: () => void;
    let served = batch.length;
    try {
      const { result, appended, wake } = await this.options.writer.transact(cluster, {
        run: () => this.handleBatch(cluster, batch),
        wake: (_responses, changes) => (wantsAdvance(cluster, changes) ? { by: now() } : undefined),
        alwaysWake: false,
      });
      if (appended) {
        this.options.checkpointer.checkpointIfDue(cluster, false);
        this.notifyCommitted(cluster.row.id, wake !== undefined);
      }
      served = result.length;
      settle = () => result.forEach((response, i) => batch[i]!.resolve(response));
    } catch (error) {
      settle = () => batch.forEach((entry) => entry.reject(error));
    }
    cluster.queue.splice(0, served);
    if (cluster.queue.length > 0) void cluster.serial.run(() => this.runBatch(cluster));
    settle();
  }

  /**
   * The responses to the first requests of the batch, at least one, until the batch's time is up. A request that the
   * engine throws on is answered 500, and the others run again without it.
   */
  private handleBatch(cluster: LoadedCluster, batch: readonly QueuedRequest[]): (ApiResponse | OutsideResponse)[] {
    const { engine, row } = cluster;
    const mark = engine.mark();
    const started = performance.now();
    for (;;) {
      const responses: (ApiResponse | OutsideResponse)[] = [];
      const now = engine.virtualNow(this.context.now());
      try {
        for (const entry of batch) {
          responses.push(entry.failed ?? engine.handle(entry.request, now));
          if (performance.now() - started > this.context.limits.batchMs) break;
        }
        this.options.fairQueue.recordCost(row.tenantId, responses.length, performance.now() - started);
        return responses;
      } catch (error) {
        engine.rollback(mark);
        this.context.onError(error, row.id);
        batch[responses.length]!.failed = statusResponse(internalError());
      }
    }
  }

  /** The changes are stored: the requests are answered even when the callback throws. */
  private notifyCommitted(id: string, wantsAdvance: boolean): void {
    try {
      this.options.onCommitted?.(id, { wantsAdvance });
    } catch (error) {
      this.context.onError(error, id);
    }
  }
}

function wantsAdvance({ engine }: LoadedCluster, changes: readonly AppliedChange[]): boolean {
  if (changes.length === 0) return false;
  return engine.wantsAdvance() || changes.some((change) => change.resource.endsWith(OWN_GROUP));
}
