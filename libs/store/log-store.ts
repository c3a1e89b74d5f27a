/** Where a cluster's log begins: nowhere, on a template's checkpoint, or on another cluster's log at a revision. */
export type Base =
  { readonly template: string; readonly revision: number } | { readonly parent: string; readonly revision: number };

export interface NewCluster {
  readonly id: string;
  readonly tenantId: string;
  readonly base?: Base;
  /** Name, seed, speed and the like: read by the engine's factory and the API, not by the store. */
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
 * What a write does to nextWake: the worker knows it exactly (undefined = nothing to do); a user's write only makes it
 * due by then.
 */
export type Wake = { readonly exactly: number | undefined } | { readonly by: number };

/** `ok: false` means that the head has moved to `head`. */
export interface AppendResult {
  readonly ok: boolean;
  readonly head: number;
}

/** A cluster whose row is locked: nobody else appends until the function that got it has returned. */
export interface LockedCluster {
  readonly head: number;
  read(after: number, limit: number): Promise<Segment[]>;
  append(append: Append): Promise<AppendResult>;
  setWake(wake: Wake): Promise<AppendResult>;
}

export interface Checkpoint {
  readonly revision: number;
  readonly state: Uint8Array;
  /** Whose state it is: the cluster's own, a template's (shared by many clusters), or an ancestor's. */
  readonly owner: string;
}

export class ClusterNotFound extends Error {
  constructor(readonly cluster: string) {
    super(`cluster ${cluster} does not exist`);
  }
}

/** The revisions asked for have been compacted away. */
export class Compacted extends Error {
  constructor(readonly oldest: number) {
    super(`revisions up to ${oldest} are no longer retained`);
  }
}

/**
 * The logs of all clusters. What `append` has answered lasts. Any method may reject when the store is out of reach;
 * then the outcome of a write is unknown until `head` says.
 */
export interface LogStore {
  /**
   * One insert, whatever the base holds. Rejects with ClusterNotFound, Compacted or TemplateNotFound when there is no
   * such base.
   */
  createCluster(cluster: NewCluster): Promise<ClusterRow>;
  cluster(id: string): Promise<ClusterRow | undefined>;
  /** Its log and checkpoints too, as soon as no fork reads them. Tells whether there was one. */
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
   * these
   * may be its parent's. Rejects with Compacted and ClusterNotFound.
   */
  read(id: string, after: number, limit: number): Promise<Segment[]>;
  /** Changes after this revision can be read. */
  oldestRetained(id: string): Promise<number>;

  saveCheckpoint(owner: string, revision: number, state: Uint8Array): Promise<void>;
  /** The latest at or before `atMost`; the base's when the cluster has none; undefined when it begins empty. */
  loadCheckpoint(id: string, atMost?: number): Promise<Checkpoint | undefined>;
  /**
   * Drops segments older than `before` (real ms) that a checkpoint covers, and older checkpoints. Tells how many
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

/** Under which owner a template's checkpoint is stored. */
export const templateOwner = (template: string): string => `template:${template}`;
