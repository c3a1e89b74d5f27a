import {
  QuotaExceeded,
  REVIEW_GROWTH_BYTES,
  REVIEW_TAIL_BYTES,
  STEP_BYTES,
  STEP_SEGMENTS,
  TOUCH_MS,
  templateOwner,
  type AppendResult,
  type ClusterRow,
  type LifeUpdate,
  type NewCluster,
  type Quota,
  type Segment,
  type Usage,
  type Wake,
} from '../log-store.js';

/** One cluster of MemoryLogStore: what PostgresLogStore has in the cluster's row and in its segments. */
export interface StoredCluster {
  row: ClusterRow;
  readonly idempotencyKey: string | undefined;
  readonly segments: Segment[];
  readsParent: boolean;
  /** The revision of the state that it began on. */
  readonly start: number | undefined;
  deleted: boolean;
  /** Real ms; see LogStore.compactable and LogStore.reviewable. */
  compactAt: number;
  reviewAt: number;
  /** Bytes of the segments after the last checkpoint. */
  tailBytes: number;
  /** The row's lock: the last of a chain of promises. */
  lock: Promise<unknown>;
}

/** A cluster on which nothing was written yet. `epoch`: where its history begins, real ms. */
export function newStoredCluster(
  { quota: _, idempotencyKey, start, ...cluster }: NewCluster,
  epoch: number,
): StoredCluster {
  const { base, createdAt } = cluster;
  const readsParent = !!base && 'parent' in base;
  const row: ClusterRow = {
    ...cluster,
    labels: { ...cluster.labels },
    settings: structuredClone(cluster.settings),
    head: base?.revision ?? start?.revision ?? 0,
    epoch,
    bytes: start?.state.length ?? 0,
    lastUsedAt: createdAt,
    ...(readsParent ? { readsParent } : {}),
  };
  return {
    row,
    idempotencyKey,
    segments: [],
    readsParent,
    start: start?.revision,
    deleted: false,
    compactAt: Infinity,
    reviewAt: Infinity,
    tailBytes: 0,
    lock: Promise.resolve(),
  };
}

/** Compares the head, appends the segment if there is one, sets the wake: log.append's twin. */
export function write(
  held: StoredCluster,
  expected: number,
  wake: Wake | undefined,
  segment: Segment | undefined,
): AppendResult {
  const { row } = held;
  if (row.head !== expected) return { ok: false, head: row.head, bytes: row.bytes };
  if (segment) addSegment(held, segment);
  const head = segment?.last ?? expected;
  held.row = { ...held.row, head, nextWake: wakeAfter(row.nextWake, wake) };
  return { ok: true, head, bytes: held.row.bytes };
}

/** What follows from a checkpoint of a revision, which has so many new bytes: the parent is not read any more. */
export function noteCheckpoint(held: StoredCluster, revision: number, newBytes: number): void {
  const { readsParent: _, ...row } = held.row;
  held.readsParent = false;
  held.row = { ...row, bytes: row.bytes + newBytes };
  held.tailBytes = sumBytes(held.segments.filter((s) => s.last > revision));
  held.compactAt = Math.min(held.compactAt, held.segments.find((s) => s.last === revision)?.at ?? Infinity);
}

/** Notes a use. One that does not idle is noted only now and then. */
export function touch(held: StoredCluster, at: number): void {
  const { lastUsedAt, idleTimeoutMs } = held.row;
  const isDue = at > lastUsedAt + (idleTimeoutMs === undefined ? TOUCH_MS : 0);
  if (isDue) held.row = { ...held.row, lastUsedAt: at };
}

export function changeLife(row: ClusterRow, update: LifeUpdate): ClusterRow {
  const { name, labels = row.labels } = update;
  return {
    ...row,
    expiresAt: apply(row.expiresAt, update.expiresAt),
    idleTimeoutMs: apply(row.idleTimeoutMs, update.idleTimeoutMs),
    pausedAt: apply(row.pausedAt, update.pausedAt),
    labels: { ...labels },
    settings: name === undefined ? row.settings : { ...row.settings, name },
  };
}

/** The id of the cluster that it was forked from. */
export const parentOf = (held: StoredCluster): string | undefined =>
  held.row.base && 'parent' in held.row.base ? held.row.base.parent : undefined;

/** nextWake after a write. */
function wakeAfter(now: number | undefined, wake: Wake | undefined): number | undefined {
  if (!wake) return now;
  return 'by' in wake ? Math.min(now ?? Infinity, wake.by) : wake.exactly;
}

/** The new value of a field that an update may change or, with null, clear. */
const apply = (value: number | undefined, update: number | null | undefined): number | undefined =>
  update === undefined ? value : (update ?? undefined);

/** Stored bytes of these segments. */
export const sumBytes = (segments: readonly Segment[]): number =>
  segments.reduce((sum, s) => sum + s.changes.length, 0);

/** The cluster's log begins on this checkpoint of a template. */
export const isOn = ({ base }: ClusterRow, owner: string, revision: number): boolean =>
  !!base && 'template' in base && templateOwner(base.template) === owner && base.revision === revision;

/** Real ms at which the cluster expires. A paused cluster does not become idle. */
export function endOf({ expiresAt = Infinity, idleTimeoutMs = Infinity, lastUsedAt, pausedAt }: ClusterRow): number {
  return Math.min(expiresAt, pausedAt === undefined ? lastUsedAt + idleTimeoutMs : Infinity);
}

/** How many of these segments one step deletes. */
export function countStep(segments: readonly Segment[]): number {
  let count = 0;
  for (let bytes = 0; count < segments.length && count < STEP_SEGMENTS && bytes < STEP_BYTES; count++)
    bytes += segments[count]!.changes.length;
  return count;
}

/** Throws QuotaExceeded when one more cluster with so many nodes is too much. */
export function checkQuota(usage: Usage, nodes: number, quota: Quota): void {
  if (usage.clusters + 1 > quota.clusters) throw new QuotaExceeded('clusters', quota.clusters);
  if (usage.nodes + nodes > quota.nodes) throw new QuotaExceeded('nodes', quota.nodes);
}

function addSegment(held: StoredCluster, { first, last, at, changes }: Segment): void {
  const { row, tailBytes } = held;
  held.segments.push({ first, last, at, changes: Uint8Array.from(changes) });
  held.row = { ...row, bytes: row.bytes + changes.length };
  held.tailBytes += changes.length;
  const outgrowsTail = tailBytes < REVIEW_TAIL_BYTES && held.tailBytes >= REVIEW_TAIL_BYTES;
  const grows = Math.floor(row.bytes / REVIEW_GROWTH_BYTES) < Math.floor(held.row.bytes / REVIEW_GROWTH_BYTES);
  if (outgrowsTail || grows) held.reviewAt = Math.min(held.reviewAt, at);
}
