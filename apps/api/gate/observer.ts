/**
 * Where a request comes in: the clusters' Kubernetes API over HTTP or over a WebSocket, a command on a WebSocket, /v1,
 * an operation of GraphQL, a subscription of it, and the routes that say nothing about any tenant.
 */
export type Edge = 'kubernetes' | 'websocket' | 'exec' | 'rest' | 'graphql' | 'subscription' | 'open';

export interface StartedRequest {
  readonly edge: Edge;
  /** The edge at the start: the gate may learn later that the request is of another one. */
  readonly arrivalEdge: Edge;
  /** Kubernetes' verb ('list', 'watch'), the method in lower case, or the kind of the operation ('mutation'). */
  readonly verb: string;
  /** The client's X-Request-Id, or one that the gate has made. */
  readonly requestId: string;
  /** W3C trace context of the client, as it came. */
  readonly traceparent?: string;
  /** The User-Agent header, as it came. */
  readonly userAgent?: string;
  /** Known some time after the start. */
  readonly clusterId?: string;
}

export interface FinishedRequest extends StartedRequest {
  /** HTTP status; 101 for a WebSocket that was accepted, 499 when the client left before the answer. */
  readonly code: number;
  /** From the request's first line to the end of its answer; a stream's whole life. */
  readonly ms: number;
  /** The part of it that the request has waited for its tenant's turn. */
  readonly waitMs: number;
  readonly tenantId?: string;
  /** Kubernetes' resource ('pods'), where the edge knows it. */
  readonly resource?: string;
  /** Bytes of the answer's body, where the edge knows them. */
  readonly bytes?: number;
  /** The unforeseen error behind a 5xx. */
  readonly error?: unknown;
}

/** Is told about every request of every edge: metrics, the request log, traces. Must not throw. */
export interface GateObserver {
  started(request: StartedRequest): void;
  /** Called once for each request that has started; `started` is the very value that started() got. */
  finished(request: FinishedRequest, started: StartedRequest): void;
}

/** Injection token: the observers of this process. */
export const GATE_OBSERVERS = Symbol('gate observers');
