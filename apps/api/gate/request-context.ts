import type { User } from '@terrarium/engine';
import type { Principal } from '@terrarium/platform';
import type { Edge, StartedRequest } from './observer.js';

/** Whose request it is. */
export interface Identified {
  readonly principal: Principal | undefined;
  /** Whose turns the request takes; '' for none's. */
  readonly tenantId: string;
  readonly clusterId?: string;
  readonly user?: User;
  readonly clientCertificate?: Uint8Array;
}

/** The client has closed its connection before the answer. */
export class ClientLeft extends Error {}

const NO_FIELD: Promise<unknown> = Promise.resolve();

/** One request from its first line to the end of its answer. */
export class RequestContext implements StartedRequest {
  edge: Edge;
  readonly arrivalEdge: Edge;
  verb: string;
  readonly requestId: string;
  readonly traceparent: string | undefined;
  readonly userAgent: string | undefined;
  readonly remoteAddress: string;
  /** By performance.now(). */
  readonly startedAt = performance.now();
  /** The holder of a key or a token; none for a client whom its cluster authenticates. */
  principal: Principal | undefined;
  /** As whom the principal is known in its cluster; none for a client whom the cluster authenticates. */
  user: User | undefined;
  /** DER; one that the cluster has issued. */
  clientCertificate: Uint8Array | undefined;
  /** Whose turns the request takes; '' for a client without a tenant. */
  tenantId = '';
  clusterId: string | undefined;
  /** Kubernetes' resource. */
  resource: string | undefined;
  /** Finds out again whose request it is; known from identify on. */
  authenticate: (() => Promise<Identified>) | undefined;
  /** CredentialWatch.changes before it was identified. */
  identifiedAt = 0;
  /** Ends the watch over a stream's credential. */
  stopWatch: (() => void) | undefined;
  waitMs = 0;
  /** False once the answer is sent, or is a stream. */
  isUnderWay = true;
  /** Of the answer's body, where they are known. */
  bytes: number | undefined;
  /** The unforeseen error behind a 5xx. */
  error: unknown;
  /** Called when the answer is known, before it is sent. */
  onAnswer: (() => void) | undefined;
  /** Root fields of an operation: how many have come, and the last of them, after which the next one runs. */
  fields = 0;
  lastField: Promise<unknown> = NO_FIELD;
  private aborter: AbortController | undefined;
  private abortReason: Error | undefined;

  constructor(start: Omit<StartedRequest, 'arrivalEdge'> & { readonly remoteAddress: string }) {
    this.edge = start.edge;
    this.arrivalEdge = start.edge;
    this.verb = start.verb;
    this.requestId = start.requestId;
    this.traceparent = start.traceparent;
    this.userAgent = start.userAgent;
    this.remoteAddress = start.remoteAddress;
  }

  setIdentity({ principal, tenantId, clusterId, user, clientCertificate }: Identified): void {
    this.principal = principal;
    this.tenantId = tenantId;
    this.clusterId = clusterId;
    this.user = user;
    this.clientCertificate = clientCertificate;
  }

  /** Aborted when the client leaves or the deadline passes. Made when it is read: most requests never wait. */
  get signal(): AbortSignal {
    if (!this.aborter) {
      this.aborter = new AbortController();
      if (this.abortReason) this.aborter.abort(this.abortReason);
    }
    return this.aborter.signal;
  }

  get isAborted(): boolean {
    return this.abortReason !== undefined;
  }

  abort(reason: Error): void {
    if (this.abortReason) return;
    this.abortReason = reason;
    this.aborter?.abort(reason);
  }
}
