import {
  ApiError,
  type ApiRequest,
  type ApiResponse,
  type AskingRequest,
  type BodyResponse,
  type CheckpointState,
  type OutsideRecord,
  type OutsideResponse,
  type WatchResponse,
} from '@terrarium/engine';
import { ClusterNotFound, type ClusterRow } from '@terrarium/store';
import type { LoadedClusters } from '../clusters/loaded-clusters.js';
import type { Pacer } from '../gate/pacer.js';
import { clusterNotFound, serviceUnavailable, statusResponse } from '../gate/status-responses.js';
import type { HostContext } from '../host-context.js';
import type { LogWriter } from '../log/log-writer.js';
import { NO_HISTORY, settleHistory } from '../log/settle-history.js';
import type { FrameStream } from '../watch/frame-stream.js';
import { findPoint, timeOfRevision, type Present } from './find-point.js';
import type { PastCluster, PastClusters } from './past-clusters.js';
import { openPastWatch } from './past-watch.js';
import type { PastPoint, PointQuery } from './point.js';
import { servePast } from './serve-past.js';

export interface PastParts {
  readonly context: HostContext;
  readonly clusters: LoadedClusters;
  readonly pasts: PastClusters;
  readonly pacer: Pacer;
  readonly writer: Pick<LogWriter, 'catchUp'>;
  /** Makes a large body in pieces. */
  prepare(tenantId: string, response: BodyResponse): Promise<BodyResponse>;
}

/** A past state, and the virtual time (ms) of its moment. */
export interface PastState {
  readonly state: CheckpointState;
  readonly now: number;
}

/** What clusters were: read-only, from the nearest checkpoint and the changes after it. */
export class Past {
  /** The revisions that watches show. */
  private readonly watched = new WeakMap<WatchResponse, number>();

  constructor(private readonly parts: PastParts) {}

  /** The last revision, and the virtual time. Rejects with ClusterNotFound. */
  async present(id: string): Promise<Present> {
    const { context, clusters, writer } = this.parts;
    return clusters.use(id, async (cluster) => {
      const head = await this.headOf(id);
      if (head > cluster.head) await cluster.serial.run(() => writer.catchUp(cluster));
      return { head, now: cluster.engine.virtualNow(context.now()) };
    });
  }

  /** The state of the present, between two runs of its engine. Rejects with ClusterNotFound. */
  async stateNow(id: string): Promise<CheckpointState> {
    const { clusters, writer } = this.parts;
    return clusters.use(id, async (cluster) => {
      const head = await this.headOf(id);
      return cluster.serial.run(async () => {
        if (head > cluster.head) await writer.catchUp(cluster);
        return cluster.engine.checkpoint();
      });
    });
  }

  /** Rejects with ClusterNotFound; with ApiError 400 for what is to come, and 410 for what is no longer retained. */
  async find(id: string, query: PointQuery): Promise<PastPoint> {
    const row = await this.rowOf(id);
    // Only times need the cluster's own clock.
    const present = 'revision' in query ? { head: await this.headOf(id), now: 0 } : await this.present(id);
    return findPoint(this.parts.context.store, row, present, query);
  }

  /** Answers a request as it would have been answered then. Never rejects: an error is a Status body. */
  async request(id: string, query: PointQuery, request: ApiRequest): Promise<ApiResponse> {
    try {
      const row = await this.rowOf(id);
      const point = await this.find(id, query);
      const past = await this.load(row, point);
      const costClass = `past ${id} ${request.method} ${request.path}`;
      const serve = (asked: ApiRequest | AskingRequest): Promise<ApiResponse | OutsideResponse> =>
        this.parts.pacer.run(row.tenantId, costClass, () => servePast(past, asked, point.now));
      const response = await this.serveWithLog(row, point, request, serve);
      if (response.type === 'watch') this.watched.set(response, point.revision);
      const isWhole = response.type !== 'body' || !response.prepare;
      return isWhole ? response : await this.parts.prepare(row.tenantId, response);
    } catch (error) {
      return statusResponse(this.toApiError(error, id));
    }
  }

  /** What the state does not tell of the time before its moment is in the log. */
  private async serveWithLog(
    { id, base, settings }: ClusterRow,
    { revision }: PastPoint,
    request: ApiRequest,
    serve: (asked: ApiRequest | AskingRequest) => Promise<ApiResponse | OutsideResponse>,
  ): Promise<ApiResponse> {
    const { store, limits, segmentTexts } = this.parts.context;
    const beginning = base && 'template' in base ? base.revision : 0;
    const asking = (history: OutsideRecord['history']): AskingRequest => ({
      ...request,
      outside: { stream: 0, answers: undefined, waitedMs: 0, history },
    });
    const isQuestion = request.method === 'POST';
    const first = await serve(isQuestion ? asking(NO_HISTORY) : request);
    const { template } = settings as { readonly template?: string };
    const source = { store, id, limits, segmentTexts, beginning, template, head: () => revision };
    const settled = await settleHistory(source, first, (history) => serve(asking(history)));
    if (settled.type === 'outside') throw serviceUnavailable();
    return settled;
  }

  /** The frames of a watch that `request` has answered with. */
  watch(response: WatchResponse): FrameStream {
    return openPastWatch(response, this.watched.get(response) ?? response.fromRevision, this.parts.context.limits);
  }

  /** The whole state at a point. Its objects are shared with the copy in memory: they are never changed. */
  async state(row: ClusterRow, point: PastPoint): Promise<PastState> {
    const { cluster } = await this.load(row, point);
    const state = cluster.engine.checkpoint();
    return { state, now: Math.max(point.now ?? state.now, state.now) };
  }

  /** The virtual time (ms) of a revision. */
  async timeOf(row: ClusterRow, revision: number): Promise<number> {
    // The state tells it, too, and whether the store answers.
    const time = await timeOfRevision(this.parts.context.store, row.id, revision).catch(() => -Infinity);
    return time > -Infinity ? time : (await this.state(row, { revision })).now;
  }

  /** What can be read; `from`: virtual ms, when the log tells it. Rejects with ClusterNotFound. */
  async range(id: string): Promise<Present & { readonly oldest: number; readonly from?: number }> {
    const { store } = this.parts.context;
    const [present, oldest] = [await this.present(id), await store.oldestRetained(id)];
    // The first state is as old as what came after it.
    const from = oldest < present.head ? await timeOfRevision(store, id, oldest + 1) : -Infinity;
    return { ...present, oldest, ...(from > -Infinity ? { from } : {}) };
  }

  /** The cluster has been deleted, or put back to another state. */
  forget(id: string): void {
    this.parts.pasts.forget(id);
  }

  /** Loading is work of its own: what a tenant's past states take of the thread is held against it. */
  private async load(row: ClusterRow, point: PastPoint): Promise<PastCluster> {
    const { pacer, pasts } = this.parts;
    const costClass = `past ${row.id}`;
    await pacer.admit(row.tenantId, costClass);
    const started = performance.now();
    const past = await pasts.take(row, point);
    pacer.record(row.tenantId, costClass, performance.now() - started);
    return past;
  }

  private async rowOf(id: string): Promise<ClusterRow> {
    const row = await this.parts.context.store.cluster(id);
    if (!row) throw new ClusterNotFound(id);
    return row;
  }

  private async headOf(id: string): Promise<number> {
    const head = (await this.parts.context.store.heads([id])).get(id);
    if (head === undefined) throw new ClusterNotFound(id);
    return head;
  }

  private toApiError(error: unknown, id: string): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof ClusterNotFound) return clusterNotFound(id);
    this.parts.context.onError(error, id);
    return serviceUnavailable();
  }
}
