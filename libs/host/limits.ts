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
  /**
   * A tenant who has made a request so many ms ago is still at work: then no other tenant holds the thread for more
   * than half of the time, once it has held it for so many ms.
   */
  readonly atWorkMs: number;
  readonly burstMs: number;
  /**
   * A request that costs so many ms is expensive. Those of a tenant may use so many ms at first, then this share of the
   * thread; so many of them may wait.
   */
  readonly expensiveMs: number;
  readonly expensiveBurstMs: number;
  readonly expensiveShare: number;
  readonly tenantExpensiveRequests: number;
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
  /**
   * Changes of one slice of an advance, and its real time (ms) on the thread: while others wait for their turn, and
   * while none does.
   */
  readonly sliceChanges: number;
  readonly sliceMs: number;
  readonly loneSliceMs: number;
  /** How long (ms) slices may follow each other before the advance returns. */
  readonly advanceMs: number;
  /**
   * Space of one cluster, unless its tenant's limits name another: the bytes of its retained log and of its live
   * objects together.
   */
  readonly clusterBytes: number;
  /** By how many bytes the live objects may grow in one slice. */
  readonly sliceBytes: number;
  /** Segments of one read of the store. */
  readonly readSegments: number;
  /** Real ms that one question about the past takes, and the changes that it looks at. */
  readonly historyMs: number;
  readonly historyChanges: number;
  /** Bytes of segments that a host keeps unpacked for such questions, of all clusters together. */
  readonly historyTextBytes: number;
  /** Changes that one cluster's watch cache keeps, the bytes of objects that they have replaced, and for how long. */
  readonly watchCacheChanges: number;
  readonly watchCacheBytes: number;
  readonly watchCacheMs: number;
  /** Bytes that may wait for one stream's reader; beyond, the stream ends. */
  readonly streamBytes: number;
  readonly bookmarkMs: number;
  /** Loaded clusters: how many, their memory together, and how long one stays loaded without being used. */
  readonly loadedClusters: number;
  readonly loadedBytes: number;
  readonly loadedIdleMs: number;
  /** Past states of clusters: how many, and their memory together. */
  readonly pastClusters: number;
  readonly pastBytes: number;
  /** Parsed checkpoints of templates that this process keeps. */
  readonly templates: number;
  /**
   * Changes, or bytes of segments, after which a checkpoint is due; but never before there are 0.8 times as many
   * changes as objects.
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

const MIB = 1024 * 1024;

export const LIMITS: Limits = {
  queuedRequests: 2_000,
  batchRequests: 128,
  batchMs: 10,
  seats: 160,
  tenantSeats: 128,
  tenantSeatsMs: 20,
  tenantQueueLength: 2_000,
  tenantQueueBytes: 64 * MIB,
  atWorkMs: 2_000,
  burstMs: 100,
  expensiveMs: 10,
  expensiveBurstMs: 2_000,
  expensiveShare: 0.01,
  tenantExpensiveRequests: 32,
  clusterStreams: 2_000,
  egressRequests: 64,
  tenantEgressRequests: 16,
  egressRounds: 64,
  egressMs: 60_000,
  egressBytes: 16 * MIB,
  egressCalls: 4,
  sliceChanges: 2_000,
  sliceMs: 5,
  loneSliceMs: 100,
  advanceMs: 250,
  // 10,000 running pods with their events are 70 MiB, and a loaded copy of a full cluster fits `loadedBytes`.
  clusterBytes: 128 * MIB,
  sliceBytes: 4 * MIB,
  readSegments: 32,
  historyMs: 250,
  historyChanges: 50_000,
  historyTextBytes: 64 * MIB,
  watchCacheChanges: 10_000,
  watchCacheBytes: 16 * MIB,
  // As upstream's cacher.go: eventFreshDuration.
  watchCacheMs: 75_000,
  streamBytes: 16 * MIB,
  bookmarkMs: 60_000,
  loadedClusters: 4_000,
  loadedBytes: 512 * MIB,
  loadedIdleMs: 5 * 60_000,
  pastClusters: 32,
  pastBytes: 64 * MIB,
  templates: 16,
  tailChanges: 2_000,
  tailBytes: 4 * MIB,
  retentionMs: 60 * 60_000,
  announceBytes: MIB,
  sweepMs: 5_000,
};
