import type { Edge } from './observer.js';
import type { BucketRate } from './token-buckets.js';

/** How many streams of one edge are open at once: of one cluster, and of all clusters of one tenant. */
export interface StreamLimit {
  readonly cluster: number;
  readonly tenant: number;
}

export interface GateLimits {
  /** Until a request must be answered: kube-apiserver's --request-timeout. */
  readonly deadlineMs: number;
  /** Requests of /v1 and operations of GraphQL that run at once: of all tenants, and of one. */
  readonly operations: number;
  readonly tenantOperations: number;
  /** Those of one tenant that may wait for their turn, and the bytes of their bodies. */
  readonly waitingOperations: number;
  readonly waitingOperationBytes: number;
  /** Refused credentials of one remote address. */
  readonly failures: BucketRate;
  /** Beyond that rate a refusal is sent after so many ms; no more than so many wait, and others are sent at once. */
  readonly heldRefusalMs: number;
  readonly heldRefusals: number;
  readonly streams: Readonly<Partial<Record<Edge, StreamLimit>>>;
}

export const GATE_LIMITS: GateLimits = {
  deadlineMs: 60_000,
  operations: 24,
  tenantOperations: 8,
  waitingOperations: 500,
  waitingOperationBytes: 64 * 1024 * 1024,
  failures: { perSecond: 10, burst: 100 },
  heldRefusalMs: 1_000,
  heldRefusals: 2_000,
  streams: {
    kubernetes: { cluster: 2_000, tenant: 10_000 },
    websocket: { cluster: 2_000, tenant: 10_000 },
    exec: { cluster: 200, tenant: 2_000 },
    subscription: { cluster: 2_000, tenant: 10_000 },
  },
};
