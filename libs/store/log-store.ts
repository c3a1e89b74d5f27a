import type { SnapshotStore } from './snapshot-store.js';

/** Where a cluster's log begins: on a template's checkpoint, or on another cluster's log at a revision. */
export type Base =
  | { readonly template: string; readonly revision: number }
  | { readonly parent: string; readonly revision: number };

export interface NewCluster {
  readonly id: string;
  readonly tenantId: string;
  readonly base?: Base;
  /** Without a base: the state that the log begins on. */
  readonly start?: { readonly revision: number; readonly state: Uint8Array };
  /** Name, seed, speed: read by the factory of engines and by the API, not by the store. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** How many nodes count towards the tenant's quota. */
  readonly nodes: number;
  /** Real ms since the epoch. */
  readonly createdAt: number;
  /** Real ms at which the cluster has something to do; none by default. */
  readonly nextWake?: number;
  /** Real ms at which the cluster is to be deleted. */
  readonly expiresAt?: number;
  /** The cluster is to be deleted when it has not been used for so long; a paused one is not. */
  readonly idleTimeoutMs?: number;
  /** Of a tenant's clusters that exist, one at most has this key: a second creation gives the first one's row. */
  readonly idempotencyKey?: string;
  /** What the tenant may have at most, this cluster included; unlimited by default. */
  readonly quota?: Quota;
}

export interface Quota {
  readonly clusters: number;
  readonly nodes: number;
}

export interface ClusterRow extends Omit<NewCluster, 'quota' | 'idempotencyKey' | 'start'> {
  /** A fork that has no checkpoint of its own yet: it reads its parent's rows. */
  readonly readsParent?: boolean;
  readonly labels: Readonly<Record<string, string>>;
  /** Revision of the last change. */
  readonly head: number;
  /** Real ms at which the cluster's history begins: its creation; for a fork, its first ancestor's. */
  readonly epoch: number;
  /** Stored bytes: its own retained segments and checkpoints, not those of its base. */
  readonly bytes: number;
  /** Real ms of its last use that `touch` was told; at first its creation. */
  readonly lastUsedAt: number;
  /** Real ms since when its components stand still on request. */
  readonly pausedAt?: number;
  /** Why the cluster no longer runs, when an assertion of the engine failed. */
  readonly halted?: string;
}

/** What `updateLife` changes; null clears a value. */
export interface LifeUpdate {
  readonly expiresAt?: number | null;
  readonly idleTimeoutMs?: number | null;
  readonly pausedAt?: number | null;
  readonly labels?: Readonly<Record<string, string>>;
  /** The `name` in its settings. */
  readonly name?: string;
}

export interface ListOptions {
  readonly limit: number;
  /** The last id of the page before. */
  readonly after?: string;
  /** Only clusters that have all of these labels. */
  readonly labels?: Readonly<Record<string, string>>;
}

export interface CreatedCluster {
  readonly row: ClusterRow;
  /** A cluster with the idempotency key existed before: this is its row. */
  readonly existed: boolean;
}

/** What a tenant's clusters use together; deleted ones do not count. */
export interface Usage {
  readonly clusters: number;
  readonly nodes: number;
  readonly bytes: number;
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
  /** The cluster's stored bytes, this append included. */
  readonly bytes: number;
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
  /** `isBeginning`: nothing has gone; the cluster, or its first ancestor, was made with what was before. */
  constructor(
    readonly oldest: number,
    readonly isBeginning = false,
  ) {
    super(`revisions up to ${oldest} are no longer retained`);
  }
}

/** A creation would exceed what the tenant may have. */
export class QuotaExceeded extends Error {
  constructor(
    readonly quota: keyof Quota,
    readonly max: number,
  ) {
    super(`the quota of ${max} ${quota} is used up`);
  }
}

/**
 * The logs of all clusters. What `append` has acknowledged is durable. Any method may reject when the store does not
 * answer; the outcome of a write is then unknown until `heads` tells it.
 */
export interface LogStore extends SnapshotStore {
  /** One of `createClusters`. */
  createCluster(cluster: NewCluster): Promise<ClusterRow>;
  /**
   * Creates all of these clusters of one tenant, or none: one insert each, whatever the base holds. Rejects with
   * QuotaExceeded; with ClusterNotFound, Compacted or TemplateNotFound when there is no such base.
   */
  createClusters(clusters: readonly NewCluster[]): Promise<CreatedCluster[]>;
  cluster(id: string): Promise<ClusterRow | undefined>;
  /**
   * From now on there is no such cluster; `purge` deletes its rows. False when there was none; with `expiredBefore`
   * (real ms) also when it had not expired by then.
   */
  deleteCluster(id: string, expiredBefore?: number): Promise<boolean>;
  /** In the order of their ids. */
  list(tenantId: string, options: ListOptions): Promise<ClusterRow[]>;
  usage(tenantId: string): Promise<Usage>;
  updateSettings(id: string, settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** Rejects with ClusterNotFound. */
  updateLife(id: string, update: LifeUpdate): Promise<ClusterRow>;
  /**
   * Clusters were used at `at` (real ms); one that does not exist is left out. Without an idle timeout lastUsedAt is
   * exact to the minute only, so that busy clusters do not cost a write for each call.
   */
  touch(entries: readonly { readonly id: string; readonly at: number }[]): Promise<void>;
  /** The clusters of a suspended tenant are not `overdue`. */
  suspendTenant(tenantId: string, suspended: boolean): Promise<void>;

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
   * Drops segments older than `before` (real ms) that a checkpoint covers, and older checkpoints: one step of bounded
   * work. While it leaves segments for the next step the cluster is `compactable`. Returns the number of segments.
   */
  compact(id: string, before: number): Promise<number>;
  /** Clusters for which `compact` would drop something, the oldest logs first. */
  compactable(before: number, limit: number): Promise<string[]>;
  /**
   * Clusters whose log has grown enough to be looked at before `now` (by 16 MiB, or by 256 KiB since the last
   * checkpoint), the longest waiting first.
   */
  reviewable(now: number, limit: number): Promise<string[]>;
  /** The cluster is `reviewable` at `at` (real ms), or, undefined, when its log has grown again. */
  review(id: string, at: number | undefined): Promise<void>;
  /** Clusters whose time or idle timeout is over, the longest expired first. */
  expired(now: number, limit: number): Promise<string[]>;
  /**
   * Forks that read rows of a parent that is deleted or has grown to `parentBytes`, or that were created before
   * `createdBefore` (real ms), the oldest first. Their own checkpoint lets these rows go.
   */
  attachedForks(createdBefore: number, parentBytes: number, limit: number): Promise<string[]>;
  /** Deletes rows of deleted clusters that no fork reads, at most about `limit`, in short steps. Returns how many. */
  purge(limit: number): Promise<number>;
  /**
   * Deletes templates on which no cluster has been created since `unusedSince` (real ms, more than an hour ago) and on
   * which none begins; looks at no more than `limit`. Returns how many.
   */
  dropTemplates(unusedSince: number, limit: number): Promise<number>;

  /**
   * True when the chore is due: it is then the caller's for `leaseMs`, and due again after them. Of all processes that
   * ask at once, one is told so.
   */
  takeChore(name: string, leaseMs: number): Promise<boolean>;
  /** The chore is done; it is due again in `dueInMs`. */
  finishChore(name: string, dueInMs: number): Promise<void>;

  /**
   * Clusters with nextWake before `before`, the longest overdue first; without those that are halted or paused and
   * those of suspended tenants.
   */
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

/** One step of deleting segments: so many, or one more than so many bytes. It takes some 10 ms. */
export const STEP_SEGMENTS = 1_000;
export const STEP_BYTES = 16 * 1024 * 1024;
/** lastUsedAt of a cluster without an idle timeout is not moved by less than this. */
export const TOUCH_MS = 60_000;
/** A log's growth after which it is `reviewable`: each time, and once since the last checkpoint. */
export const REVIEW_GROWTH_BYTES = 16 * 1024 * 1024;
export const REVIEW_TAIL_BYTES = 256 * 1024;
