import type { Reader } from '../../../machinery/client.js';
import { etcdKey } from '../../../machinery/etcd-key.js';
import type { Kind } from '../../../machinery/kind.js';
import { keyOf, type KubeObject } from '../../../machinery/meta/object.js';
import type { Etcd } from '../../../runtime/controller.js';
import { readJson } from '../json.js';
import { isInRegistry, storedKinds, type RegistryRow } from '../views/registry-view.js';

/** What nobody brings back: leases say who is alive, events what has happened, and both would be of the past. */
const PASSING: ReadonlySet<string> = new Set(['Lease', 'Event']);

export const isKept = (kind: Kind): boolean => isInRegistry(kind) && !PASSING.has(kind.kind);
const isMade = (kind: Kind): boolean => kind.kind !== 'Lease';

/**
 * Makes the cluster's objects those of a store: of a snapshot, or of one that etcd ran with before. They get new
 * revisions, as after `--bump-revision`: who watches hears of every change. In a store that is empty there are no
 * events either.
 */
export function restoreObjects(rows: readonly RegistryRow[], read: Reader, etcd: Etcd): void {
  const wanted = new Map(rows.map(([key, value]) => [key, value]));
  // Objects go before their definition.
  for (const kind of storedKinds(read)
    .filter(rows.length === 0 ? isMade : isKept)
    .reverse())
    for (const object of read.list(kind)) {
      const key = etcdKey(kind, object);
      const text = wanted.get(key);
      wanted.delete(key);
      const next = text === undefined ? undefined : (readJson(text) as KubeObject | undefined);
      if (!next) etcd.remove(kind, keyOf(object));
      else if (next.metadata.resourceVersion !== object.metadata.resourceVersion) etcd.put(kind, next);
    }
  putAll(wanted, read, etcd);
  // What has come back with their definitions is known by now.
  putAll(wanted, read, etcd);
}

/** Puts what belongs to a kind that is known, and takes it out of the rows. */
function putAll(rows: Map<string, string>, read: Reader, etcd: Etcd): void {
  const known = storedKinds(read).filter(isKept);
  for (const [key, text] of rows) {
    const object = readJson(text) as KubeObject | undefined;
    const kind = object && known.find((one) => one.kind === object.kind && etcdKey(one, object) === key);
    if (!kind) continue;
    etcd.put(kind, object);
    rows.delete(key);
  }
}

/** Deletes keys of etcd as etcdctl does: no finalizer, no grace period. */
export function removeKeys(keys: ReadonlySet<string>, read: Reader, etcd: Etcd): void {
  for (const kind of storedKinds(read))
    for (const object of read.list(kind)) if (keys.has(etcdKey(kind, object))) etcd.remove(kind, keyOf(object));
}
