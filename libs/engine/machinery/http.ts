import type { Pod } from '../api/core_v1.js';
import type { Change } from './change.js';
import type { KubeObject } from './meta/object.js';
import type { User } from './client.js';
import type { Millis } from './time/time.js';

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
  /** DER of the certificate that the client has shown and holds the key of; whose it is, the cluster finds out. */
  readonly clientCertificate?: Uint8Array;
  /**
   * Whoever the host has recognized; without it a certificate or a token says who it is, or else nobody in particular
   * asks.
   */
  readonly user?: User;
}

/** Everything a request can be answered with. `headers` are lower case; a header may repeat (Warning). */
export type ApiResponse = BodyResponse | WatchResponse | StreamResponse | ExecResponse;

export interface BodyResponse {
  readonly type: 'body';
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array;
}

/** A request of a host that calls addresses outside the cluster for it, with what has come of that so far. */
export interface AskingRequest extends ApiRequest {
  readonly outside: OutsideRecord;
}

export interface OutsideRecord {
  /**
   * Random, from 2^32 to 2^52: uids and names that the request gives are the same however often it is run. 0: nothing
   * was asked yet.
   */
  readonly stream: number;
  /** By the calls' keys. */
  readonly answers: ReadonlyMap<string, OutsideAnswer>;
}

/**
 * Nothing has happened: the request is to be run again, in a stream, with the answers to these calls. None in its first
 * run.
 */
export interface OutsideResponse {
  readonly type: 'outside';
  readonly calls: readonly OutsideCall[];
}

/** A POST of JSON to an https address. */
export interface OutsideCall {
  /** The same in every run of the request. */
  readonly key: string;
  readonly url: string;
  /** Base64 of PEM; '' for the authorities that the host believes. */
  readonly caBundle: string;
  readonly timeoutSeconds: number;
  readonly body: string;
}

/** `error` is what Go's HTTP client would say, without the method and the URL. */
export type OutsideAnswer = PodHttpAnswer | { readonly error: string };

/** The answer to a call, or undefined where nobody can be asked. Throws OutsideWanted. */
export type AskOutside = (call: OutsideCall) => OutsideAnswer | undefined;

/** Ends the run of a request that has to know the answers first. */
export class OutsideWanted extends Error {
  constructor(readonly calls: readonly OutsideCall[]) {
    super('an answer from outside is wanted');
  }
}

/** A change together with what the object was before it: enough to tell ADDED from MODIFIED and a selector's exit. */
export interface AppliedChange extends Change {
  readonly old: KubeObject | undefined;
}

/**
 * A watch to run: the host writes `initial`, then `encode(change)` for every later change, until the client leaves or
 * the timeout.
 */
export interface WatchResponse {
  readonly type: 'watch';
  readonly status: 200;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Storage key of the watched resource. */
  readonly resource: string;
  /**
   * Changes after this revision are to be delivered; when older than the retained log, the host answers `expired()`.
   */
  readonly fromRevision: number;
  /** Frames for the initial state (resourceVersion unset or '0', or sendInitialEvents). */
  readonly initial: readonly (string | Uint8Array)[];
  /** Watches with the same key encode every change to the same frame: encode once, send to all. */
  readonly shareKey: string;
  /** The frame of a change, or undefined when this watch does not see it. */
  encode(change: AppliedChange): string | Uint8Array | undefined;
  /** A BOOKMARK frame at a revision, or undefined when bookmarks were not asked for. */
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
  /** What has been written since the last call; called again at `wakeAt`, and after every change to the cluster. */
  next(now: Millis): { readonly chunk: string; readonly done: boolean; readonly wakeAt?: Millis };
}

/** What a command has done with what it was given on its standard input. */
export interface CommandResult {
  readonly output: string;
  readonly code: number;
  /** It has ended although more input might come. */
  readonly ended: boolean;
}

/** A command in a container, over a connection that is upgraded: `kubectl exec`. */
export interface ExecResponse {
  readonly type: 'exec';
  readonly status: 101;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly command: readonly string[];
  /** Standard input is to be read. */
  readonly stdin: boolean;
  readonly tty: boolean;
  /** It reads lines, one after the other, and answers each. */
  readonly isShell: boolean;
  /** Runs it from its beginning on all input so far: a pure function, so that more input may follow. */
  run(stdin: string): CommandResult;
}

/** What `kubectl logs` asks of one container; already checked. Models core/v1 PodLogOptions. */
export interface PodLogOptions {
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly limitBytes?: number;
}

/** One HTTP request to a port of a pod, on the cluster's own network. Header names are lower case. */
export interface PodHttpRequest {
  readonly scheme: 'http' | 'https';
  readonly port: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PodHttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How long it takes to answer, in virtual ms: what a caller's timeout is compared with. */
  readonly delayMs?: Millis;
}

/**
 * Carries a request to whoever listens there; `error` is what a dialer would say: 'dial tcp 10.244.1.5:8443: connect:
 * connection refused'.
 */
export type Dial = (pod: Pod, request: PodHttpRequest, now: Millis) => PodHttpAnswer | { readonly error: string };
