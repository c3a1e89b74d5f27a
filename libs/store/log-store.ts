/** Where a cluster's log begins: on a template's checkpoint, or on another cluster's log at a revision. */
export type Base =
  { readonly template: string; readonly revision: number } | { readonly parent: string; readonly revision: number };

export interface NewCluster {
  readonly id: string;
  readonly tenantId: string;
  readonly base?: Base;
  /** Name, seed, speed: read by the factory of engines and by the API, not by the store. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Real ms since the epoch. */
  readonly createdAt: number;
  /** Real ms at which the cluster has something to do; none by default. */
  readonly nextWake?: number;
}

export interface ClusterRow extends NewCluster {
  /** Revision of the last change. */
  readonly head: number;
  /** Real ms at which the cluster's history begins: its creation; for a fork, its first ancestor's. */
  readonly epoch: number;
  /** Why the cluster no longer runs, when an assertion of the engine failed. */
  readonly halted?: string;
}

/** One append: the changes of revisions `first` to `last`. */
export interface Segment {
  readonly first: number;
  readonly last: number;
  readonly at: number;
  readonly changes: Uint8Array;
}

export interface Append extends Segment {
  /** The head that the writer saw; the append is refused when it is no longer the head. */
  readonly expected: number;
  readonly wake?: Wake;
}

/**
 * What a write does to nextWake: the worker sets it exactly (undefined: there is nothing to do); a user's write brings
 * it forward.
 */
export type Wake = { readonly exactly: number | undefined } | { readonly by: number };

/** `ok: false` means that the head has moved to `head`. */
export interface AppendResult {
  readonly ok: boolean;
  readonly head: number;
}

/** A cluster whose row is locked: no other process appends until the function that was given it has returned. */
export interface LockedCluster {
  readonly head: number;
  read(after: number, limit: number): Promise<Segment[]>;
  append(append: Append): Promise<AppendResult>;
  setWake(wake: Wake): Promise<AppendResult>;
}

export interface Checkpoint {
  readonly revision: number;
  readonly state: Uint8Array;
  /** Id of the cluster or of its ancestor; or templateOwner() of a template, whose state many clusters share. */
  readonly owner: string;
}

export class ClusterNotFound extends Error {
  constructor(readonly cluster: string) {
    super(`cluster ${cluster} does not exist`);
  }
}

/** The requested revisions have been compacted away. */
export class Compacted extends Error {
  constructor(readonly oldest: number) {
    super(`revisions up to ${oldest} are no longer retained`);
  }
}

/**
 * The logs of all clusters. What `append` has acknowledged is durable. Any method may reject when the store does not
 * answer; the outcome of a write is then unknown until `heads` tells it.
 */
export interface LogStore {
  /**
   * One insert, whatever the base holds. Rejects with ClusterNotFound, Compacted or TemplateNotFound when there is no
   * such base.
   */
  createCluster(cluster: NewCluster): Promise<ClusterRow>;
  cluster(id: string): Promise<ClusterRow | undefined>;
  /** Deletes its log and checkpoints too, as soon as no fork reads them. False when there was no such cluster. */
  deleteCluster(id: string): Promise<boolean>;
  /** By id; `after` is the last id of the page before. */
  list(tenantId: string, options: { readonly limit: number; readonly after?: string }): Promise<ClusterRow[]>;
  count(tenantId: string): Promise<number>;
  updateSettings(id: string, settings: Readonly<Record<string, unknown>>): Promise<void>;

  /** Clusters that do not exist are left out. */
  heads(ids: readonly string[]): Promise<Map<string, number>>;
  /** Rejects with ClusterNotFound. */
  append(id: string, append: Append): Promise<AppendResult>;
  /** Sets nextWake when the head is still `expected`. */
  setWake(id: string, expected: number, wake: Wake): Promise<AppendResult>;
  withLock<T>(id: string, run: (cluster: LockedCluster) => Promise<T>): Promise<T>;
  /**
   * Segments in order, beginning with the change after `after`, at most `limit` of them; [] at the head. For a fork
   * they may be its parent's. Rejects with Compacted and ClusterNotFound.
   */
  read(id: string, after: number, limit: number): Promise<Segment[]>;
  /** Changes after this revision can be read. */
  oldestRetained(id: string): Promise<number>;

  saveCheckpoint(owner: string, revision: number, state: Uint8Array): Promise<void>;
  /** The latest at or before `atMost`; the base's when the cluster has none; undefined when it begins empty. */
  loadCheckpoint(id: string, atMost?: number): Promise<Checkpoint | undefined>;
  /**
   * Drops segments older than `before` (real ms) that a checkpoint covers, and older checkpoints. Returns the number of
   * segments.
   */
  compact(id: string, before: number): Promise<number>;
  /** Clusters for which `compact` would drop something. */
  compactable(before: number, limit: number): Promise<string[]>;

  /** Clusters with nextWake before `before` that are not halted, the longest overdue first. */
  overdue(before: number, limit: number): Promise<string[]>;
  /** Takes the cluster out of `overdue`; undefined lets it run again. */
  halt(id: string, reason: string | undefined): Promise<void>;
  close(): Promise<void>;
}

export class TemplateNotFound extends Error {
  constructor(readonly template: string) {
    super(`template ${template} has no checkpoint`);
  }
}

/** The owner of a template's checkpoints. */
export const templateOwner = (template: string): string => `template:${template}`;
