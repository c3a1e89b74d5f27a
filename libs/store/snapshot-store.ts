/** A state of a cluster that was kept under a name, until it is deleted or its cluster is. */
export interface Snapshot {
  readonly name: string;
  readonly revision: number;
  /** Virtual ms of the state. */
  readonly at: number;
  /** Real ms since the epoch. */
  readonly createdAt: number;
  /** Of the state as it is stored. */
  readonly bytes: number;
}

export interface NewSnapshot extends Omit<Snapshot, 'bytes'> {
  readonly state: Uint8Array;
}

/** What the snapshots of one cluster may be at most. */
export interface SnapshotLimits {
  readonly count: number;
  readonly bytes: number;
}

/** The cluster's whole state is replaced at the revision after `expected`. */
export interface Reset {
  /** The head that the writer saw; refused when it is no longer the head. */
  readonly expected: number;
  /** Real ms since the epoch. */
  readonly at: number;
  /** The new state, whose revision is `expected` + 1. */
  readonly state: Uint8Array;
  /** Merged into the cluster's settings; null removes one. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** As of an append: `ok: false` means that the head has moved to `head`. */
export interface ResetResult {
  readonly ok: boolean;
  readonly head: number;
  readonly bytes: number;
}

export class SnapshotExists extends Error {
  constructor(readonly snapshot: string) {
    super(`there is a snapshot ${snapshot} already`);
  }
}

export class SnapshotLimitExceeded extends Error {
  constructor(
    readonly limit: keyof SnapshotLimits,
    readonly max: number,
  ) {
    super(`the snapshots of the cluster are ${max} ${limit} already`);
  }
}

/** Named states of clusters, and clusters that are put back to a state. */
export interface SnapshotStore {
  /** Rejects with ClusterNotFound, SnapshotExists and SnapshotLimitExceeded. */
  saveSnapshot(id: string, snapshot: NewSnapshot, limits: SnapshotLimits): Promise<Snapshot>;
  /** By name; [] also when there is no such cluster. */
  listSnapshots(id: string): Promise<Snapshot[]>;
  loadSnapshot(id: string, name: string): Promise<NewSnapshot | undefined>;
  /** False when there was none. */
  deleteSnapshot(id: string, name: string): Promise<boolean>;
  /**
   * Appends a RESET segment and its checkpoint in one commit, and makes the cluster due at once, also when it had
   * halted. Rejects with ClusterNotFound.
   */
  reset(id: string, reset: Reset): Promise<ResetResult>;
}
