import type { Pod } from '../../api/core_v1.js';
import type { Change } from '../change.js';
import type { KubeObject } from '../meta/object.js';
import type { User } from '../client.js';
import type { HistoryAnswer, HistoryQuery } from '../past-change.js';
import type { PodHttpAnswer, PodHttpRequest } from './pod-http.js';
import type { RequestInfo } from './request-info.js';
import type { OpenedSession, PendingAnswer, PodReference, StreamOptions } from './sessions.js';
import type { ApiError } from '../meta/status.js';
import type { Millis } from '../time/time.js';

export type { PodHttpAnswer, PodHttpRequest } from './pod-http.js';

/**
 * One HTTP request to one cluster's API server; the path starts at the cluster ('/api/v1/pods'). Header names are lower
 * case.
 */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  /** Raw query string without '?'. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: Uint8Array;
  /** DER of the client certificate whose key the client holds; the cluster authenticates it. */
  readonly clientCertificate?: Uint8Array;
  /** The user that the host has authenticated; without one the cluster authenticates the certificate or the token. */
  readonly user?: User;
  /** A session that it opens and that is over at once is told of as such, and has no record. */
  readonly takesEnd?: boolean;
  /** It has come by a host of its own, to something in the cluster. */
  readonly visit?: Visit;
  /** What describeRequest has read in the method, path and query; without it they are read when the request runs. */
  readonly info?: RequestInfo | undefined;
}

/** How a browser has come to something in the cluster whose root is a host. */
export interface Visit {
  /** As the browser has it, with the port. */
  readonly host: string;
  /** The Authorization header for the server. */
  readonly authorization?: string | undefined;
}

/** Every form of response. Header names are lower case; a header may repeat (Warning). */
export type ApiResponse =
  | BodyResponse
  | WatchResponse
  | StreamResponse
  | SessionResponse
  | PortForwardResponse
  | ProxiedResponse;

export interface BodyResponse {
  readonly type: 'body';
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array;
  /** The body as texts that follow one another: `body` of many megabytes is only joined when it is read. */
  readonly pieces?: readonly string[];
  /**
   * Makes a large body in pieces, between which the host may do other work; without it the body is made at once when
   * read. The objects in it are immutable, so the cluster may go on.
   */
  prepare?(): Iterable<void>;
}

/** A request whose host runs it again when it needs answers from outside the cluster, or a component's work. */
export interface AskingRequest extends ApiRequest {
  readonly outside: OutsideRecord;
}

export interface OutsideRecord {
  /**
   * A random number from 2^32 to 2^52 that seeds uids and names, so that they are the same in every run of the request;
   * 0 in the first run.
   */
  readonly stream: number;
  /** The answers by the key of their call; undefined when the host makes no calls. */
  readonly answers: ReadonlyMap<string, OutsideAnswer> | undefined;
  /** Real ms that the host has waited for the cluster's components between the runs of the request. */
  readonly waitedMs: number;
  /** What the host has read in the log, by historyKey; undefined when it reads none. */
  readonly history?: Pick<ReadonlyMap<string, HistoryAnswer>, 'get'>;
}

/**
 * Asks the host to run the request again with the answers to these calls; this run has changed nothing. The first run
 * asks for no calls, only for a stream.
 */
export interface OutsideResponse {
  readonly type: 'outside';
  readonly calls: readonly OutsideCall[];
  /** The request waits for a component of the cluster: the host runs it again a little later. */
  readonly waits?: true;
  /** What the host is to read in the log. */
  readonly history?: HistoryQuery;
  /** It would hold the thread for too long: the host runs it again, just so, when others have had their turn. */
  readonly unfinished?: true;
}

/** A POST of JSON to an https address. */
export interface OutsideCall {
  /** The same in every run of the request. */
  readonly key: string;
  readonly url: string;
  /** Base64 of PEM; '' for the authorities that the host trusts. */
  readonly caBundle: string;
  readonly timeoutSeconds: number;
  readonly body: string;
}

/** `error` is what Go's HTTP client would say, without the method and the URL. */
export type OutsideAnswer = PodHttpAnswer | { readonly error: string };

/** Returns the answer to a call, undefined when the host makes no calls. Throws OutsideCallsNeeded. */
export type CallOutside = (call: OutsideCall) => OutsideAnswer | undefined;

/** Ends a run of a request that cannot go on without the answers to these calls. */
export class OutsideCallsNeeded extends Error {
  constructor(readonly calls: readonly OutsideCall[]) {
    super('an answer from outside is wanted');
  }
}

/**
 * Throws ComponentNeeded while the host has waited for less than `ms` (real) for the cluster's components; returns when
 * the host does not wait, or waits no longer.
 */
export type WaitForComponent = (ms: Millis) => void;

/** Ends a run of a request that cannot go on before a component of the cluster has done its part. */
export class ComponentNeeded extends Error {
  /** `ms`: how long it waits at most. */
  constructor(readonly ms: Millis) {
    super('the request waits for a component of the cluster');
  }
}

/** A change and the object before it, from which a watch tells ADDED, MODIFIED and DELETED by its selector. */
export interface AppliedChange extends Change {
  readonly old: KubeObject | undefined;
}

/**
 * A watch: the host writes `initial`, then `encode(change)` for every later change, until the client leaves or the
 * timeout is over.
 */
export interface WatchResponse {
  readonly type: 'watch';
  readonly status: 200;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Storage key of the watched resource. */
  readonly resource: string;
  /** The host delivers the changes after this revision, or `expired()` when the log no longer reaches back to it. */
  readonly fromRevision: number;
  /** Frames for the initial state (resourceVersion unset or '0', or sendInitialEvents), printed when they are taken. */
  readonly initial: Iterable<string | Uint8Array>;
  /** Watches with the same key encode a change to the same frame, so that the host encodes it once. */
  readonly shareKey: string;
  /** The frame of a change; undefined when the watch does not select the object. */
  encode(change: AppliedChange): string | Uint8Array | undefined;
  /** A BOOKMARK frame at a revision; undefined without allowWatchBookmarks. */
  bookmark(revision: number): string | Uint8Array | undefined;
  /** The ERROR frame (410 Expired) for a revision that is no longer retained. */
  expired(requested: number, oldest: number): string | Uint8Array;
  readonly timeoutSeconds: number;
}

/** A body that grows with virtual time: `kubectl logs -f`. */
export interface StreamResponse {
  readonly type: 'stream';
  readonly status: 200;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The text since the last call. The host calls again at `wakeAt` and after every change to the cluster. */
  next(now: Millis): { readonly chunk: string; readonly done: boolean; readonly wakeAt?: Millis };
}

/** A session that has been opened in a container, over a connection that is upgraded: `kubectl exec` and `attach`. */
export interface SessionResponse {
  readonly type: 'session';
  readonly status: 101;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly opened: OpenedSession;
  readonly streams: StreamOptions;
  /** Empty for `attach`. */
  readonly command: readonly string[];
}

/** Connections to a pod's ports, which the client opens over one that is upgraded: `kubectl port-forward`. */
export interface PortForwardResponse {
  readonly type: 'portforward';
  readonly status: 101;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly target: PodReference;
  /** Of the query: for protocols that do not name the ports themselves. */
  readonly ports: readonly number[];
}

/**
 * The answer of a process of the cluster that is yet to come, or a connection with it that was upgraded. The host reads
 * HTTP/1.1 from the session, of an upgrade after a TLS server's hello, and lets it pass.
 */
export interface ProxiedResponse {
  readonly type: 'proxied';
  readonly status: 200;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly pending: PendingAnswer;
  readonly isUpgrade: boolean;
  /** Whether `finish` wants the body of an answer with these headers; any other one passes as it is. */
  wantsBody(headers: PodHttpAnswer['headers']): boolean;
  /** The response for an answer. */
  finish(answer: PodHttpAnswer): BodyResponse;
  /** What the client is told when no answer comes: 'EOF'. */
  refuse(why: string): ApiError;
}

/** The validated options of `kubectl logs` for one container. Models core/v1 PodLogOptions. */
export interface PodLogOptions {
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  /** One of the two; absent: both. */
  readonly stream?: 'stdout' | 'stderr';
  readonly limitBytes?: number;
}

/**
 * Sends a request to a process of a pod. `error` is in the words of Go's dialer: 'dial tcp 10.244.1.5:8443: connect:
 * connection refused'.
 */
export type Dial = (pod: Pod, request: PodHttpRequest, now: Millis) => PodHttpAnswer | { readonly error: string };

/** What a request of a user to a process has led to: an answer, none, or one that is yet to come. */
export type ReachAnswer = PodHttpAnswer | PendingAnswer | { readonly error: string };
export type Reach = (pod: Pod, request: PodHttpRequest, now: Millis) => ReachAnswer;
