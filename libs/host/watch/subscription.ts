import type { AppliedChange } from '@terrarium/engine';
import { Compacted } from '@terrarium/store';
import type { LoadedCluster } from '../clusters/loaded-cluster.js';
import type { ChangeHistory } from '../log/change-history.js';
import type { Listener } from './broadcaster.js';

/** Changes that a listener is given at once before it must have taken them. */
const BATCH = 500;

/**
 * Delivers every change after `fromRevision` to the listener: past changes first, then, joined to the broadcaster, live
 * ones. Resolves when the listener has joined, with a function that removes it. Calls `listener.ended('expired',
 * oldest)` when the revision is no longer retained.
 */
export async function subscribe(
  history: ChangeHistory,
  cluster: LoadedCluster,
  fromRevision: number,
  listener: Listener,
): Promise<() => void> {
  // From a revision that is still to come, the changes up to it are not delivered.
  const live = fromRevision > cluster.head ? skipUpTo(fromRevision, listener) : listener;
  cluster.pins++;
  try {
    let revision: number | undefined = Math.min(fromRevision, cluster.head);
    while (revision !== undefined && !listener.isOver?.())
      revision = await deliverNext(history, cluster, revision, listener, live);
  } catch (error) {
    if (!(error instanceof Compacted)) throw error;
    listener.ended('expired', error.oldest);
  } finally {
    cluster.pins--;
  }
  return () => cluster.broadcaster.remove(live);
}

/** Delivers the next past changes and returns their last revision; undefined once `live` has joined the broadcaster. */
async function deliverNext(
  history: ChangeHistory,
  cluster: LoadedCluster,
  revision: number,
  listener: Listener,
  live: Listener,
): Promise<number | undefined> {
  // Between two runs of the engine, so that no change falls between the watch cache and the broadcaster.
  const cached = await cluster.serial.run(() => takeCachedOrJoin(cluster, revision, live));
  if (cached === undefined) return deliverFromStore(history, cluster, revision, listener);
  return cached.length > 0 ? deliver(cached, listener) : undefined;
}

/** The next changes of the watch cache; none once the listener has joined; undefined when only the store has them. */
function takeCachedOrJoin(
  cluster: LoadedCluster,
  revision: number,
  live: Listener,
): readonly AppliedChange[] | undefined {
  if (cluster.isUnloaded) {
    live.ended('closed');
    return [];
  }
  const changes = cluster.watchCache.after(revision, BATCH);
  if (changes?.length === 0) cluster.broadcaster.add(live);
  return changes;
}

/** Returns the revision of the last change. */
async function deliver(changes: readonly AppliedChange[], listener: Listener): Promise<number> {
  await listener.changes(changes);
  return changes[changes.length - 1]!.revision;
}

/** Delivers the changes from the store up to where the watch cache begins. Throws Compacted. */
async function deliverFromStore(
  history: ChangeHistory,
  { row, watchCache }: LoadedCluster,
  fromRevision: number,
  listener: Listener,
): Promise<number> {
  const oldest = await history.oldestRetained(row.id);
  if (fromRevision < oldest) throw new Compacted(oldest);
  let revision = fromRevision;
  for await (const changes of history.changesBetween(row, fromRevision, watchCache.start))
    for (let i = 0; i < changes.length; i += BATCH) {
      // A reader that has left must not cost the reading of its whole history.
      if (listener.isOver?.()) return fromRevision;
      revision = await deliver(changes.slice(i, i + BATCH), listener);
    }
  if (revision === fromRevision)
    throw new Error(`the log of ${row.id} ends at ${fromRevision}, before ${watchCache.start}`);
  return revision;
}

function skipUpTo(revision: number, listener: Listener): Listener {
  return {
    changes: (changes) => {
      const later = changes.filter((change) => change.revision > revision);
      if (later.length > 0) return listener.changes(later);
    },
    ended: (...reason) => listener.ended(...reason),
  };
}
