/** Every bound of a host. Beyond a bound on requests or streams the answer is 429, unless the field says otherwise. */
export interface Limits {
  /** Requests that may wait for one cluster. */
  readonly queuedRequests: number;
  /** Requests that share one append, and for how long (ms) they may run before other clusters have a turn. */
  readonly batchRequests: number;
  readonly batchMs: number;
  /** Requests that run at once: of all tenants, of one, and of one as many as cost (ms) so much together. */
  readonly seats: number;
  readonly tenantSeats: number;
  readonly tenantSeatsMs: number;
  /** Requests of one tenant that may wait for a seat, and the bytes of their bodies. */
  readonly tenantQueueLength: number;
  readonly tenantQueueBytes: number;
  /** Watches and followed pod logs of one cluster, in this process. */
  readonly clusterStreams: number;
  /** Requests that wait for webhooks outside their cluster: in this process, and of one tenant. */
  readonly egressRequests: number;
  readonly tenantEgressRequests: number;
  /** The webhook calls of one request: rounds, ms, bytes of answers, calls of a round. Beyond, the answer is 504. */
  readonly egressRounds: number;
  readonly egressMs: number;
  readonly egressBytes: number;
  readonly egressCalls: number;
  /** Changes of one slice of an advance, and how long (ms) slices may follow each other before the advance returns. */
  readonly sliceChanges: number;
  readonly advanceMs: number;
  /** Segments of one read of the store. */
  readonly readSegments: number;
  /** Changes that one cluster's watch cache keeps. */
  readonly watchCacheChanges: number;
  /** Bytes that may wait for one stream's reader; beyond, the stream ends. */
  readonly streamBytes: number;
  readonly bookmarkMs: number;
  /** Loaded clusters: how many, how large together, and how long one stays loaded without being used. */
  readonly loadedClusters: number;
  readonly loadedBytes: number;
  readonly loadedIdleMs: number;
  /** Parsed checkpoints of templates that this process keeps. */
  readonly templates: number;
  /**
   * Changes, or bytes of segments, after which a checkpoint is due; but never before there are half as many changes as
   * objects.
   */
  readonly tailChanges: number;
  readonly tailBytes: number;
  /** How long the log reaches back behind the newest checkpoint. */
  readonly retentionMs: number;
  /** Largest segment that is announced with its changes. */
  readonly announceBytes: number;
  /** How often idle clusters are unloaded, and the heads of watched clusters are checked for lost announcements. */
  readonly sweepMs: number;
}

export const LIMITS: Limits = {
  queuedRequests: 2_000,
  batchRequests: 128,
  batchMs: 10,
  seats: 160,
  tenantSeats: 128,
  tenantSeatsMs: 20,
  tenantQueueLength: 2_000,
  tenantQueueBytes: 64 * 1024 * 1024,
  clusterStreams: 2_000,
  egressRequests: 64,
  tenantEgressRequests: 16,
  egressRounds: 64,
  egressMs: 60_000,
  egressBytes: 16 * 1024 * 1024,
  egressCalls: 4,
  sliceChanges: 2_000,
  advanceMs: 250,
  readSegments: 32,
  watchCacheChanges: 10_000,
  streamBytes: 16 * 1024 * 1024,
  bookmarkMs: 60_000,
  loadedClusters: 256,
  loadedBytes: 512 * 1024 * 1024,
  loadedIdleMs: 5 * 60_000,
  templates: 16,
  tailChanges: 2_000,
  tailBytes: 4 * 1024 * 1024,
  retentionMs: 60 * 60_000,
  announceBytes: 1024 * 1024,
  sweepMs: 5_000,
};
