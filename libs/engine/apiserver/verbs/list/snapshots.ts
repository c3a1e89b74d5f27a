import { LRUCache } from 'lru-cache';
import type { KubeObject } from '../../../machinery/meta/object.js';
import type { State } from '../../../runtime/state/state.js';
import type { Call } from '../../call.js';

const MAX_SNAPSHOTS = 32;

/**
 * Collections of which a page has been taken, so that the pages that follow are of the same revision while this process
 * remembers it, even when the state's history no longer reaches back to it.
 */
const snapshotsOf = new WeakMap<State, LRUCache<string, readonly KubeObject[]>>();

const snapshotKey = ({ server, kind, namespace }: Call, revision: number): string =>
  `${revision} ${server.state.resourceOf(kind)} ${namespace}`;

export const findSnapshot = (call: Call, revision: number): readonly KubeObject[] | undefined =>
  snapshotsOf.get(call.server.state)?.get(snapshotKey(call, revision));

/** Keeps the whole collection of a call at a revision, and forgets the snapshot that was kept first. */
export function keepSnapshot(call: Call, revision: number, objects: readonly KubeObject[]): void {
  const { state } = call.server;
  let snapshots = snapshotsOf.get(state);
  if (!snapshots) snapshotsOf.set(state, (snapshots = new LRUCache({ max: MAX_SNAPSHOTS })));
  const key = snapshotKey(call, revision);
  snapshots.set(key, objects);
}
