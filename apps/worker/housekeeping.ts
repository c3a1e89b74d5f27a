import type { ClusterHost, TenantLimits } from '@terrarium/host';
import type { StaleCredentials } from '@terrarium/platform';
import type { LogStore } from '@terrarium/store';
import { repeat } from './repeat.js';

/** Between two rounds of this process, and after one of any process; while there is more to do, they come sooner. */
const ROUND_MS = 15_000;
const PAUSE_MS = 10_000;
const BUSY_ROUND_MS = 250;
/** A round that takes longer may be joined by another worker's: each step can be repeated. */
const LEASE_MS = 2 * 60_000;

/** What one round does at most. */
const EXPIRED = 50;
const COMPACTED = 50;
const REVIEWED = 20;
const DETACHED = 10;
const PURGED_ROWS = 2_000;
const TEMPLATES = 100;

const HOUR_MS = 60 * 60_000;
const TEMPLATES_EVERY_MS = HOUR_MS;
const CREDENTIALS_EVERY_MS = HOUR_MS;
/** Longer than any process remembers a template that it has made. */
const TEMPLATE_UNUSED_MS = 48 * HOUR_MS;
/** A fork holds its parent's rows for so long; those of a large parent only until the next round. */
const ATTACHED_MS = HOUR_MS;
const LARGE_PARENT_BYTES = 32 * 1024 * 1024;
/** A log is idle when its cluster has not been used for so long. */
const IDLE_LOG_MS = HOUR_MS;
/** Beyond this share of its tenant's limit a cluster's log is cut off whatever its retention. */
const NEAR_LIMIT_SHARE = 1 / 2;
/** Steps of one compaction of a log near its limit. */
const MAX_STEPS = 16;

export interface HousekeepingParts {
  readonly store: Pick<
    LogStore,
    | 'attachedForks'
    | 'cluster'
    | 'compact'
    | 'dropTemplates'
    | 'expired'
    | 'finishChore'
    | 'purge'
    | 'review'
    | 'reviewable'
    | 'takeChore'
  >;
  readonly host: Pick<ClusterHost, 'checkpoint' | 'compact' | 'deleteCluster' | 'now'>;
  tenantLimits(tenantId: string): Pick<TenantLimits, 'clusterBytes'> | Promise<Pick<TenantLimits, 'clusterBytes'>>;
  readonly credentials: Pick<StaleCredentials, 'prune'>;
  /** Called with what a chore has done: clusters, logs, rows or templates. */
  onDone(chore: string, count: number): void;
  /** Called with the name of the chore that failed. */
  onError(chore: string, error: unknown): void;
}

/** Resolves with true when there is more to do at once. */
type Chore = (parts: HousekeepingParts) => Promise<boolean>;

/** In this order; the chores of a round are independent of each other. */
const CHORES: Readonly<Record<string, Chore>> = {
  deleteExpired,
  reviewLogs,
  detachForks,
  compactLogs,
  purgeDeleted,
  dropTemplates,
  pruneCredentials,
};

/**
 * Does the chores of all clusters, a bounded part in each round, found by indexes. One worker at a time has a round.
 * The function that it returns ends it, and resolves when no round is under way.
 */
export function startHousekeeping(parts: HousekeepingParts): () => Promise<void> {
  return repeat(async () => ((await runRound(parts)) ? BUSY_ROUND_MS : ROUND_MS));
}

/** Resolves with true when there is more to do at once. */
export async function runRound(parts: HousekeepingParts): Promise<boolean> {
  const { store, onError } = parts;
  try {
    if (!(await store.takeChore('housekeeping', LEASE_MS))) return false;
  } catch (error) {
    onError('takeChore', error);
    return false;
  }
  let hasMore = false;
  for (const [name, chore] of Object.entries(CHORES)) {
    try {
      if (await chore(parts)) hasMore = true;
    } catch (error) {
      onError(name, error);
    }
  }
  await store
    .finishChore('housekeeping', hasMore ? 0 : PAUSE_MS)
    .catch((error: unknown) => onError('finishChore', error));
  return hasMore;
}

/** Clusters whose time or idle timeout is over, through the host, so that their watches end in every process. */
async function deleteExpired({ store, host, onDone, onError }: HousekeepingParts): Promise<boolean> {
  const now = host.now();
  const ids = await store.expired(now, EXPIRED);
  for (const id of ids) await host.deleteCluster(id, now).catch((error: unknown) => onError('deleteExpired', error));
  onDone('deleteExpired', ids.length);
  return ids.length === EXPIRED;
}

/** Logs that have grown: those near their limit are cut off, those of idle clusters get a checkpoint. */
async function reviewLogs(parts: HousekeepingParts): Promise<boolean> {
  const { store, host, onError } = parts;
  const ids = await store.reviewable(host.now(), REVIEWED);
  for (const id of ids) {
    try {
      await reviewLog(parts, id);
    } catch (error) {
      onError('reviewLogs', error);
      await store.review(id, host.now() + HOUR_MS);
    }
  }
  parts.onDone('reviewLogs', ids.length);
  return ids.length === REVIEWED;
}

async function reviewLog({ store, host, tenantLimits }: HousekeepingParts, id: string): Promise<void> {
  const row = await store.cluster(id);
  if (!row) return;
  const { clusterBytes } = await tenantLimits(row.tenantId);
  const isNearLimit = row.bytes > NEAR_LIMIT_SHARE * clusterBytes;
  const isIdle = row.lastUsedAt < host.now() - IDLE_LOG_MS;
  if (!isNearLimit && !isIdle) return store.review(id, host.now() + HOUR_MS);
  // First, so that growth in the meantime asks for a review again.
  await store.review(id, undefined);
  await host.checkpoint(id);
  if (!isNearLimit) return;
  for (let steps = 0; steps < MAX_STEPS; steps++) if ((await store.compact(id, host.now())) === 0) return;
}

/**
 * Forks that hold rows of their parent for long, of a parent that is deleted, or of one that needs the space: with a
 * checkpoint of their own they need these rows no more.
 */
async function detachForks({ store, host, onDone, onError }: HousekeepingParts): Promise<boolean> {
  const ids = await store.attachedForks(host.now() - ATTACHED_MS, LARGE_PARENT_BYTES, DETACHED);
  let failed = 0;
  for (const id of ids)
    await host.checkpoint(id).catch((error: unknown) => {
      failed++;
      onError('detachForks', error);
    });
  onDone('detachForks', ids.length - failed);
  return ids.length === DETACHED && failed === 0;
}

/** Logs that reach further back than the retention. Watches that resume from before get 410. */
async function compactLogs({ host, onDone }: HousekeepingParts): Promise<boolean> {
  const compacted = await host.compact(COMPACTED);
  onDone('compactLogs', compacted);
  return compacted === COMPACTED;
}

async function purgeDeleted({ store, onDone }: HousekeepingParts): Promise<boolean> {
  const rows = await store.purge(PURGED_ROWS);
  onDone('purgeDeleted', rows);
  return rows > 0;
}

async function dropTemplates({ store, host, onDone }: HousekeepingParts): Promise<boolean> {
  if (!(await store.takeChore('templates', TEMPLATES_EVERY_MS))) return false;
  const dropped = await store.dropTemplates(host.now() - TEMPLATE_UNUSED_MS, TEMPLATES);
  onDone('dropTemplates', dropped);
  if (dropped === TEMPLATES) await store.finishChore('templates', 0);
  return dropped === TEMPLATES;
}

/** Keys and tokens of all tenants. */
async function pruneCredentials({ store, host, credentials }: HousekeepingParts): Promise<boolean> {
  if (await store.takeChore('credentials', CREDENTIALS_EVERY_MS)) await credentials.prune(host.now());
  return false;
}
