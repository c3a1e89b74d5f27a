import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@terrarium/engine';
import {
  FairQueue,
  tooManyRequests,
  type ClusterHost,
  type ReadTenantLimits,
  type TenantLimits,
  type RefusalReason,
} from '@terrarium/host';
import { COARSE_TTL, Refusal, type Caller } from '@terrarium/platform';
import { LRUCache } from 'lru-cache';
import type { ReadClientAddress } from './client-address.js';
import { Deadlines } from './deadlines.js';
import { GATE_LIMITS, type GateLimits } from './gate-limits.js';
import type { Edge, FinishedRequest, GateObserver } from './observer.js';
import { remoteNetworkOf } from './remote-network.js';
import { requestIdOf } from './request-id.js';
import { ClientLeft, RequestContext, type Identified } from './request-context.js';
import { CredentialWatch } from './streams/credential-watch.js';
import { StreamCounts } from './streams/stream-counts.js';
import { TokenBuckets } from './token-buckets.js';

export interface GateOptions {
  /** Gives turns to requests to clusters. */
  readonly host: Pick<ClusterHost, 'fairQueue' | 'loopTurns' | 'threadShare' | 'metrics'>;
  readonly tenantLimits: ReadTenantLimits;
  readonly observers: readonly GateObserver[];
  /** Called with the unforeseen error of a request. */
  onError(error: unknown, context: RequestContext): void;
  readonly limits?: Partial<GateLimits>;
  /** By default the address of its connection. */
  readonly clientAddress?: ReadClientAddress;
  /** Real ms since the epoch. */
  readonly now?: () => number;
}

/** The beginning of a request, before anything is known of its client. */
export interface Arrival {
  readonly edge: Edge;
  readonly verb: string;
  readonly resource?: string;
  readonly headers: IncomingHttpHeaders;
  /** Of the connection. */
  readonly remoteAddress: string | undefined;
}

const KNOWN_CREDENTIALS = 20_000;
const KNOWN_TTL_MS = 10 * 60_000;
const UNAUTHORIZED = 401;
const CLIENT_LEFT = 499;
const SERVER_ERRORS = 500;
/** One for all: a connection that ends may have thousands of requests, and a stack trace each would be long work. */
const LEFT = new ClientLeft('the client has left');

const OPERATIONS: ReadonlySet<Edge> = new Set(['rest', 'graphql', 'subscription']);

/** Upstream's words (apiserver/pkg/server/filters/timeout.go). */
const requestTimeout = (): ApiError =>
  new ApiError(504, 'Timeout', 'Timeout: request did not complete within the allotted timeout');

/** 401 is an ApiError's of the Kubernetes edge, or a Refusal's of the others. */
const isUnauthorized = (error: unknown): boolean =>
  error instanceof ApiError ? error.code === UNAUTHORIZED : error instanceof Refusal && error.status === UNAUTHORIZED;

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError ? error.code < SERVER_ERRORS : error instanceof Refusal && error.status < SERVER_ERRORS;

/**
 * What every request of every edge passes: request id, identity, suspended tenants, rate, turns, counts, deadline, and
 * those who observe. In this order: begin, identify, run, then startStream when the answer is a stream, and finish.
 */
export class Gate {
  private readonly limits: GateLimits;
  /** Turns of /v1 and GraphQL, whose work is in the database and in this process's one thread. */
  private readonly operations: FairQueue;
  private readonly deadlines: Deadlines;
  private readonly rates: TokenBuckets;
  private readonly failures: TokenBuckets;
  /** Credentials that were good lately: a neighbour's failures behind the same address do not concern them. */
  private readonly known = new LRUCache<string, true>({ max: KNOWN_CREDENTIALS, ttl: KNOWN_TTL_MS, ...COARSE_TTL });
  private readonly streams: StreamCounts;
  private readonly credentials = new CredentialWatch();
  /** Requests that have begun and not finished, streams apart. */
  private underWay = 0;
  private heldRefusals = 0;
  private onIdle: (() => void) | undefined;

  constructor(private readonly options: GateOptions) {
    const limits = { ...GATE_LIMITS, ...options.limits };
    this.limits = limits;
    const operations = {
      seats: limits.operations,
      tenantSeats: limits.tenantOperations,
      tenantSeatsMs: Infinity,
      tenantQueueLength: limits.waitingOperations,
      tenantQueueBytes: limits.waitingOperationBytes,
    };
    this.operations = new FairQueue(operations, options.host.metrics, options.host.threadShare);
    this.deadlines = new Deadlines(limits.deadlineMs);
    this.rates = new TokenBuckets(options.now);
    this.failures = new TokenBuckets(options.now);
    this.streams = new StreamCounts(limits.streams);
  }

  begin({ edge, verb, resource, headers, remoteAddress = '' }: Arrival): RequestContext {
    const traceparent = headers['traceparent'];
    const context = new RequestContext({
      edge,
      verb,
      requestId: requestIdOf(headers['x-request-id']),
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      userAgent: headers['user-agent'],
      remoteAddress: this.options.clientAddress?.(headers, remoteAddress) ?? remoteAddress,
    });
    context.resource = resource;
    this.underWay++;
    for (const observer of this.options.observers) observer.started(context);
    return context;
  }

  /**
   * Finds out whose request it is, and whether the tenant may make one now. `credential` stands for the client's key,
   * token or certificate. Failures of one remote address are bounded: those of `authenticate`, which rejects with 401,
   * and clients whom it finds to be nobody. Rejects with what `authenticate` rejects with, Refusal 403 (suspended) and
   * ApiError 429.
   */
  async identify(
    context: RequestContext,
    credential: string | undefined,
    authenticate: () => Promise<Identified>,
  ): Promise<void> {
    const isKnown = credential !== undefined && this.known.has(credential);
    if (!isKnown) await this.checkFailures(context);
    context.identifiedAt = this.credentials.changes;
    context.authenticate = authenticate;
    try {
      context.setIdentity(await authenticate());
    } catch (error) {
      if (isUnauthorized(error)) this.recordFailure(context);
      throw error;
    }
    const { principal, tenantId } = context;
    if (!principal && tenantId === '') return this.recordFailure(context);
    if (credential !== undefined && !isKnown) this.known.set(credential, true);
    if (tenantId === '') return;
    const limits = this.tenantLimits(tenantId);
    this.checkTenant(tenantId, limits instanceof Promise ? await limits : limits);
  }

  /** A cluster lets in who shows no credential, and has refused this client: it counts as one that has failed. */
  recordRefusal(context: RequestContext): void {
    this.recordFailure(context);
  }

  /**
   * Runs a request in a turn of its tenant, until the deadline. Rejects with ApiError 429, with ApiError 504, and with
   * ClientLeft when the client leaves while the request waits.
   */
  run<T>(context: RequestContext, bytes: number, work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const expire = (): void => {
        const error = requestTimeout();
        context.abort(error);
        reject(error);
      };
      const deadline = this.deadlines.add(expire);
      this.takeTurn(context, bytes, work).then(
        (value) => {
          this.deadlines.delete(deadline);
          resolve(value);
        },
        (error: Error) => {
          this.deadlines.delete(deadline);
          reject(error);
        },
      );
    });
  }

  /** One request to a cluster, within an operation that `run` runs. */
  turn<T>(context: RequestContext, bytes: number, work: () => Promise<T>): Promise<T> {
    return this.inQueue(this.options.host.fairQueue, context, bytes, work);
  }

  /**
   * Runs a root field of an operation when those before it have ended. Each field after the first waits until the
   * tenant's rate allows one more request.
   */
  runField<T>(context: RequestContext, work: () => Promise<T>): Promise<T> {
    const isFirst = context.fields++ === 0;
    const running = context.lastField.then(async () => {
      if (!isFirst) await this.waitForRate(context);
      return work();
    });
    // The field's own caller is told of the error; the next field runs all the same.
    context.lastField = running.catch(() => undefined);
    return running;
  }

  /** Resolves when the next piece of an answer may be made. */
  nextPiece({ tenantId }: RequestContext): Promise<void> {
    return this.options.host.loopTurns.next(tenantId);
  }

  /** Charges ms of this process's thread that the engine has not counted. */
  recordCost({ tenantId }: Pick<RequestContext, 'tenantId'>, ms: number): void {
    this.options.host.fairQueue.recordCost(tenantId, 1, ms);
  }

  /**
   * The answer is a stream: counts it until `finish`, and calls `end` when its client would be refused now; none for
   * what ends with its connection. Throws ApiError 429 when there are too many.
   */
  startStream(context: RequestContext, end: (() => void) | undefined): void {
    try {
      this.streams.add(context);
    } catch (error) {
      throw this.refuse(context.edge === 'exec' ? 'sessions' : 'streams', error as Error);
    }
    this.endRequest(context);
    if (end) context.stopWatch = this.watchCredential(context, end);
  }

  /**
   * Calls `end` when the credential of an identified request ends or is revoked, or its tenant is suspended. Returns
   * what ends the watch.
   */
  watchCredential(context: RequestContext, end: () => void): () => void {
    const { principal, tenantId, identifiedAt } = context;
    const { expiresAt } = (principal ?? {}) as Partial<Caller>;
    return this.credentials.add({ tenantId, expiresAt, identifiedAt, isAllowed: () => this.isAllowed(context) }, end);
  }

  /** A tenant, or its keys, tokens or users have changed; without one, everybody's. A listener of Invalidations. */
  forget(tenantId?: string): void {
    this.credentials.forget(tenantId);
  }

  /** Resolves when every request that is no stream has its answer, or after `deadlineMs`. */
  whenIdle(deadlineMs: number): Promise<void> {
    if (this.underWay === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const deadline = setTimeout(resolve, deadlineMs);
      this.onIdle = () => {
        clearTimeout(deadline);
        resolve();
      };
    });
  }

  /** The client has left; `finish` follows. */
  leave(context: RequestContext): void {
    context.abort(LEFT);
  }

  /** `code`: the HTTP status of the answer; 499 for none. */
  finish(context: RequestContext, code: number = CLIENT_LEFT): void {
    this.streams.remove(context);
    context.stopWatch?.();
    this.endRequest(context);
    if (context.error !== undefined) this.options.onError(context.error, context);
    const finished: FinishedRequest = {
      edge: context.edge,
      arrivalEdge: context.arrivalEdge,
      verb: context.verb,
      requestId: context.requestId,
      traceparent: context.traceparent,
      userAgent: context.userAgent,
      code,
      ms: performance.now() - context.startedAt,
      waitMs: context.waitMs,
      tenantId: context.tenantId || undefined,
      clusterId: context.clusterId,
      resource: context.resource,
      bytes: context.bytes,
      error: context.error,
    };
    for (const observer of this.options.observers) observer.finished(finished, context);
  }

  private endRequest(context: RequestContext): void {
    if (!context.isUnderWay) return;
    context.isUnderWay = false;
    if (--this.underWay === 0) this.onIdle?.();
  }

  /** Rejects when neither can be found out. */
  private async isAllowed({ authenticate, tenantId }: RequestContext): Promise<boolean> {
    const identified = await authenticate?.().catch((error: unknown) => {
      if (isRefusal(error)) return undefined;
      throw error;
    });
    if (!identified || identified.tenantId !== tenantId) return false;
    if (tenantId === '') return identified.principal !== undefined;
    return !(await this.tenantLimits(tenantId)).suspended;
  }

  private takeTurn<T>(context: RequestContext, bytes: number, work: () => T | Promise<T>): Promise<T> {
    if (OPERATIONS.has(context.edge))
      return this.inQueue(this.operations, context, bytes, async () => {
        await this.options.host.loopTurns.next(context.tenantId);
        return work();
      });
    return this.inQueue(this.options.host.fairQueue, context, bytes, work);
  }

  private async inQueue<T>(
    queue: Pick<FairQueue, 'acquire' | 'release'>,
    context: RequestContext,
    bytes: number,
    work: () => T | Promise<T>,
  ): Promise<T> {
    const { tenantId } = context;
    const seat = queue.acquire(tenantId, bytes, () => context.signal);
    if (seat) {
      const since = performance.now();
      await seat.finally(() => (context.waitMs += performance.now() - since));
    }
    try {
      return await work();
    } finally {
      queue.release(tenantId);
    }
  }

  /** Throws 429 when too many clients of the request's network were refused lately. */
  private async checkFailures({ remoteAddress }: RequestContext): Promise<void> {
    const wait = this.failures.waitOf(remoteNetworkOf(remoteAddress), this.limits.failures);
    if (wait === 0) return;
    await this.holdRefusal();
    throw this.refuse('credentials', tooManyRequests(wait));
  }

  private recordFailure({ remoteAddress }: RequestContext): void {
    this.failures.take(remoteNetworkOf(remoteAddress), this.limits.failures);
  }

  /** Who guesses credentials waits for each refusal: at once, they would keep the thread busy. */
  private async holdRefusal(): Promise<void> {
    if (this.heldRefusals >= this.limits.heldRefusals) return;
    this.heldRefusals++;
    await sleep(this.limits.heldRefusalMs).finally(() => this.heldRefusals--);
  }

  private checkTenant(tenantId: string, limits: TenantLimits): void {
    if (limits.suspended) throw this.refuse('suspended', new Refusal(403, 'the tenant is suspended'));
    const wait = this.takeRate(tenantId, limits);
    if (wait > 0) throw this.refuse('rate', tooManyRequests(wait));
  }

  /** Counts a refusal; the answer is the request's. */
  private refuse<E extends Error>(reason: RefusalReason, error: E): E {
    this.options.host.metrics.refuse(reason);
    return error;
  }

  private async waitForRate(context: RequestContext): Promise<void> {
    const { tenantId, signal } = context;
    if (tenantId === '') return;
    for (;;) {
      const wait = this.takeRate(tenantId, await this.tenantLimits(tenantId));
      if (wait === 0) return;
      await sleep(wait, undefined, { signal });
    }
  }

  private tenantLimits(tenantId: string): TenantLimits | Promise<TenantLimits> {
    return this.options.tenantLimits(tenantId);
  }

  private takeRate(tenantId: string, { requestsPerSecond }: TenantLimits): number {
    if (requestsPerSecond === undefined) return 0;
    return this.rates.take(tenantId, { perSecond: requestsPerSecond, burst: Math.max(1, requestsPerSecond) });
  }
}
