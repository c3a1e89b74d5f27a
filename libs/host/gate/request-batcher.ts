import {
  ApiError,
  type ApiRequest,
  type ApiResponse,
  type AppliedChange,
  type AskingRequest,
  type BodyResponse,
  type OutsideResponse,
  type SessionAnswer,
  type SessionRequest,
} from '@terrarium/engine';
import type { ClusterEngine } from '../clusters/cluster-engine.js';
import type { EngineRequest, EngineResponse, LoadedCluster, QueuedRequest } from '../clusters/loaded-cluster.js';
import { isSpaceExceeded } from '../clusters/cluster-space.js';
import type { HostContext } from '../host-context.js';
import type { Checkpointer } from '../log/checkpointer.js';
import type { LogWriter } from '../log/log-writer.js';
import { decidesTime } from './decides-time.js';
import type { FairQueue } from './fair-queue.js';
import type { LoopTurns } from './loop-turns.js';
import { costClassOf, type Pacer } from './pacer.js';
import { internalError, statusResponse, tooManyRequests } from './status-responses.js';

/** `wantsAdvance`: the cluster's components have something to do now. */
export type OnCommitted = (cluster: string, commit: { readonly wantsAdvance: boolean }) => void;

export interface RequestBatcherOptions {
  readonly writer: Pick<LogWriter, 'transact'>;
  readonly checkpointer: Pick<Checkpointer, 'checkpointIfDue'>;
  readonly fairQueue: Pick<FairQueue, 'recordCost'>;
  readonly pacer: Pick<Pacer, 'admit' | 'isExpensive' | 'record'>;
  readonly loopTurns: Pick<LoopTurns, 'next'>;
  readonly onCommitted?: OnCommitted;
}

/** Runs requests on their cluster's engine: those that arrive while an append is under way share the next append. */
export class RequestBatcher {
  constructor(
    private readonly context: Pick<HostContext, 'limits' | 'metrics' | 'tracer' | 'now' | 'onError'>,
    private readonly options: RequestBatcherOptions,
  ) {}

  /** Resolves when the request's changes are stored. Rejects with 429 when too many requests wait for the cluster. */
  run(cluster: LoadedCluster, request: ApiRequest | AskingRequest): Promise<ApiResponse | OutsideResponse> {
    return this.finish(cluster, request) as Promise<ApiResponse | OutsideResponse>;
  }

  /** The same for what comes over a connection into a pod. Rejects with 500 when the engine throws, too. */
  async runSession(cluster: LoadedCluster, request: SessionRequest): Promise<SessionAnswer> {
    const answer = (await this.finish(cluster, request)) as SessionAnswer | BodyResponse;
    if (answer.type === 'body') throw errorOf(answer);
    return answer;
  }

  /** What takes long is continued behind the requests that have come meanwhile, and other tenants' work. */
  private async finish(cluster: LoadedCluster, request: EngineRequest): Promise<EngineResponse> {
    for (;;) {
      const response = await this.queue(cluster, request);
      if (!isUnfinished(response)) return response;
      await this.options.loopTurns.next(cluster.row.tenantId);
    }
  }

  private queue(cluster: LoadedCluster, request: EngineRequest): Promise<EngineResponse> {
    const { limits, metrics } = this.context;
    if (cluster.queue.length >= limits.queuedRequests) {
      metrics.refuse('clusterQueue');
      return Promise.reject(tooManyRequests());
    }
    const costClass = costClassOf(cluster.row.id, request);
    const traceparent = this.context.tracer?.current();
    return new Promise<EngineResponse>((resolve, reject) =>
      this.enqueue(cluster, { request, costClass, resolve, reject, traceparent }),
    );
  }

  private enqueue(cluster: LoadedCluster, entry: QueuedRequest): void {
    cluster.queue.push(entry);
    cluster.queuedBytes += bodyBytes(entry.request);
    if (cluster.queue.length === 1) void cluster.serial.run(() => this.traceBatch(cluster));
  }

  /**
   * The requests that may run now. Those that the pacer holds back leave the queue and come back later: what a request
   * costs is known only when one of its kind has run, and by then others of the kind may be in the queue.
   */
  private takeBatch(cluster: LoadedCluster): QueuedRequest[] {
    const { tenantId } = cluster.row;
    const batch: QueuedRequest[] = [];
    for (const entry of cluster.queue.slice(0, this.context.limits.batchRequests)) {
      try {
        const turn = this.options.pacer.admit(tenantId, entry.costClass);
        if (!turn) {
          batch.push(entry);
          continue;
        }
        turn.then(() => this.enqueue(cluster, entry), entry.reject);
      } catch (error) {
        entry.reject(error);
      }
      cluster.queue.splice(cluster.queue.indexOf(entry), 1);
      cluster.queuedBytes -= bodyBytes(entry.request);
    }
    return batch;
  }

  private traceBatch(cluster: LoadedCluster): Promise<void> {
    const { limits, tracer } = this.context;
    if (!tracer) return this.runBatch(cluster);
    const parents = cluster.queue.slice(0, limits.batchRequests).map(({ traceparent }) => traceparent);
    return tracer.run('batch', { parents, attributes: { 'terrarium.requests': parents.length } }, () =>
      this.runBatch(cluster),
    );
  }

  private async runBatch(cluster: LoadedCluster): Promise<void> {
    const { metrics, now } = this.context;
    const { tenantId } = cluster.row;
    const { pacer, loopTurns } = this.options;
    metrics.observe('queueDepth', cluster.queue.length);
    const batch = this.takeBatch(cluster);
    if (batch.length === 0) return this.runNext(cluster);
    if (batch.some(({ request, costClass }) => pacer.isExpensive(costClass, bodyBytes(request))))
      await loopTurns.next(tenantId);
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
      if (isSpaceExceeded(cluster)) for (const response of result) if (isTooLarge(response)) metrics.refuse('space');
      settle = () => result.forEach((response, i) => batch[i]!.resolve(response));
    } catch (error) {
      settle = () => batch.forEach((entry) => entry.reject(error));
    }
    for (const { request } of cluster.queue.splice(0, served)) cluster.queuedBytes -= bodyBytes(request);
    this.runNext(cluster);
    settle();
  }

  private runNext(cluster: LoadedCluster): void {
    if (cluster.queue.length > 0) void cluster.serial.run(() => this.traceBatch(cluster));
  }

  /**
   * The responses to the first requests of the batch, at least one, until the batch's time is up. A request that the
   * engine throws on is answered 500, and the others run again without it.
   */
  private handleBatch(cluster: LoadedCluster, batch: readonly QueuedRequest[]): EngineResponse[] {
    const { engine, row } = cluster;
    const mark = engine.mark();
    const started = performance.now();
    for (;;) {
      const responses: EngineResponse[] = [];
      const realNow = this.context.now();
      const now = engine.virtualNow(realNow);
      let begun = performance.now();
      try {
        for (const entry of batch) {
          responses.push(entry.failed ?? handleRequest(engine, entry.request, now, realNow));
          const ended = performance.now();
          this.options.pacer.record(row.tenantId, entry.costClass, ended - begun);
          begun = ended;
          if (ended - started > this.context.limits.batchMs) break;
        }
        this.options.fairQueue.recordCost(row.tenantId, responses.length, begun - started);
        return responses;
      } catch (error) {
        engine.rollback(mark);
        const isRefused = error instanceof ApiError;
        if (!isRefused) this.context.onError(error, row.id);
        batch[responses.length]!.failed = statusResponse(isRefused ? error : internalError());
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

function handleRequest(engine: ClusterEngine, request: EngineRequest, now: number, realNow: number): EngineResponse {
  return 'path' in request ? engine.handle(request, now, realNow) : engine.handleSession(request, now);
}

function bodyBytes(request: EngineRequest): number {
  if ('path' in request) return request.body?.length ?? 0;
  return request.type === 'input' ? (request.input.stdin?.length ?? 0) : 0;
}

/** A session's input that the cluster refuses, such as for its space, fails with the reason. */
function errorOf({ status, body }: BodyResponse): ApiError {
  const { reason, message } = JSON.parse(String(body)) as { reason: string; message: string };
  return new ApiError(status, reason, message);
}

const isUnfinished = (response: EngineResponse): boolean =>
  response.type === 'unfinished' || (response.type === 'outside' && response.unfinished === true);

const isTooLarge = (response: EngineResponse): boolean => response.type === 'body' && response.status === 413;

function wantsAdvance({ engine }: LoadedCluster, changes: readonly AppliedChange[]): boolean {
  if (changes.length === 0) return false;
  return engine.wantsAdvance() || changes.some(decidesTime);
}
