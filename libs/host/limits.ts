/** Every bound of a host. */
export interface Limits {
  /** Requests that may wait for one cluster; more are answered 429. */
  readonly queuedRequests: number;
  /** Requests that share one append, and for how long (ms) they may run together before other clusters have a turn. */
  readonly batchRequests: number;
  readonly batchMs: number;
  /** Requests that run at once: of all tenants, of one, and of one as many as cost (ms) so much together; see Turns. */
  readonly seats: number;
  readonly tenantSeats: number;
  readonly tenantSeatsMs: number;
  /** Requests of one tenant that may wait for their turn, and the bytes of their bodies; more are answered 429. */
  readonly tenantWaiting: number;
  readonly tenantWaitingBytes: number;
  /** Watches and followed logs of one cluster, in this process; more are answered 429. */
  readonly clusterStreams: number;
  /**
   * Requests that wait for answers from outside their cluster, in this process and of one tenant; more are answered
   * 429.
   */
  readonly outsideRequests: number;
  readonly tenantOutsideRequests: number;
  /**
   * What one request may do outside: how often, how long (ms), how many bytes of answers, calls at once. Beyond, it is
   * answered 504.
   */
  readonly outsideRounds: number;
  readonly outsideMs: number;
  readonly outsideBytes: number;
  readonly outsideCalls: number;
  /**
   * Changes of one slice of an advance, and how long (ms) slices may follow each other before other clusters have a
   * turn.
   */
  readonly sliceChanges: number;
  readonly advanceMs: number;
  /** Segments of one read of the store. */
  readonly readSegments: number;
  /** Recent changes kept for resumes, per cluster. */
  readonly windowChanges: number;
  /** Bytes that wait for one watch's reader before it is cut off. */
  readonly streamBytes: number;
  readonly bookmarkMs: number;
  /** Warm clusters: how many, how large together, and how long one stays without being used. */
  readonly warmClusters: number;
  readonly warmBytes: number;
  readonly warmIdleMs: number;
  readonly templates: number;
  /**
   * Changes, or bytes of segments, after which a checkpoint is due; and never more often than once for half as many
   * changes as there are objects.
   */
  readonly tailChanges: number;
  readonly tailBytes: number;
  /** How long the log reaches back behind the newest checkpoint. */
  readonly retentionMs: number;
  /** Largest segment that is announced with its changes. */
  readonly announceBytes: number;
  /** How often idle clusters are let go and watched clusters' heads are checked, in case an announcement was lost. */
  readonly sweepMs: number;
}

export const LIMITS: Limits = {
  queuedRequests: 2_000,
  batchRequests: 128,
  batchMs: 10,
  seats: 160,
  tenantSeats: 128,
  tenantSeatsMs: 20,
  tenantWaiting: 2_000,
  tenantWaitingBytes: 64 * 1024 * 1024,
  clusterStreams: 2_000,
  outsideRequests: 64,
  tenantOutsideRequests: 16,
  outsideRounds: 64,
  outsideMs: 60_000,
  outsideBytes: 16 * 1024 * 1024,
  outsideCalls: 4,
  sliceChanges: 2_000,
  advanceMs: 250,
  readSegments: 32,
  windowChanges: 10_000,
  streamBytes: 16 * 1024 * 1024,
  bookmarkMs: 60_000,
  warmClusters: 256,
  warmBytes: 512 * 1024 * 1024,
  warmIdleMs: 5 * 60_000,
  templates: 16,
  tailChanges: 2_000,
  tailBytes: 4 * 1024 * 1024,
  retentionMs: 60 * 60_000,
  announceBytes: 1024 * 1024,
  sweepMs: 5_000,
};

/** Counters since the process started; the apps publish them. */
export class Metrics {
  requests = 0;
  batches = 0;
  appends = 0;
  changes = 0;
  lostRaces = 0;
  rowLocks = 0;
  caughtUpChanges = 0;
  loads = 0;
  evictions = 0;
  watches = 0;
  cutOff = 0;
  refused = 0;
  checkpoints = 0;
  halted = 0;
  failedRequests = 0;
  storeErrors = 0;
}
