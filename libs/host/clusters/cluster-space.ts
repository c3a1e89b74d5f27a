/** From this share of its space on, a cluster's log is compacted. */
const NEAR_SHARE = 3 / 4;
/** Compaction is worth its work when the log has grown by this share of the space since the last one. */
const WORTHWHILE_SHARE = 1 / 8;

/** What is known of the space that one cluster has and uses; bytes. */
export interface ClusterSpace {
  quota: number;
  /** Retained segments and checkpoints. */
  stored: number;
  /** What was stored after the last compaction. */
  compacted: number;
  isTenantFull: boolean;
  /** Real ms since the epoch. */
  readAt: number;
}

/** A cluster whose use of its space is asked for. */
interface Measured {
  readonly space: ClusterSpace;
  /** The live objects are not larger together: bytes. */
  readonly maxStateBytes: number;
  readonly engine: { readonly state: { readonly bytes: number } };
}

/** The live objects are measured only when it depends on them. */
const usesBytes = ({ space, maxStateBytes, engine }: Measured, bytes: number): boolean =>
  space.stored + maxStateBytes >= bytes && space.stored + engine.state.bytes >= bytes;

/** The cluster may not grow. */
export const isSpaceExceeded = (cluster: Measured): boolean =>
  cluster.space.isTenantFull || usesBytes(cluster, cluster.space.quota);

/** The log should be compacted at once, whatever its retention, and it is worth it. */
export function needsCompaction(cluster: Measured): boolean {
  const { quota, stored, compacted, isTenantFull } = cluster.space;
  if (!isTenantFull && !usesBytes(cluster, NEAR_SHARE * quota)) return false;
  return stored - compacted >= WORTHWHILE_SHARE * quota;
}
