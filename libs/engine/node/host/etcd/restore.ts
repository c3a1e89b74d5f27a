import { kinds } from '../../../kinds/index.generated.js';
import type { Reader } from '../../../machinery/client.js';
import { etcdKey } from '../../../machinery/etcd-key.js';
import type { Kind } from '../../../machinery/kind.js';
import { keyOf, type KubeObject } from '../../../machinery/meta/object.js';
import type { Etcd } from '../../../runtime/controller.js';
import { readJson } from '../json.js';
import { isInRegistry, type RegistryRow } from '../views/registry-view.js';

/** What nobody brings back: leases say who is alive, events what has happened, and both would be of the past. */
const PASSING: ReadonlySet<string> = new Set(['Lease', 'Event']);

export const isKept = (kind: Kind): boolean => isInRegistry(kind) && !PASSING.has(kind.kind);

/**
 * Makes the cluster's objects those of a snapshot. They get new revisions, as after `--bump-revision`: who watches
 * hears of every change. Left out: custom resources, which stay.
 */
export function restoreObjects(rows: readonly RegistryRow[], read: Reader, etcd: Etcd): void {
  const wanted = new Map(rows.map(([key, value]) => [key, value]));
  for (const kind of kinds.filter(isKept)) {
    for (const object of read.list(kind)) {
      const key = etcdKey(kind, object);
      const text = wanted.get(key);
      wanted.delete(key);
      const next = text === undefined ? undefined : (readJson(text) as KubeObject | undefined);
      if (!next) etcd.remove(kind, keyOf(object));
      else if (next.metadata.resourceVersion !== object.metadata.resourceVersion) etcd.put(kind, next);
    }
  }
  for (const [key, text] of wanted) {
    const object = readJson(text) as KubeObject | undefined;
    const kind = object && kinds.find((one) => isKept(one) && one.kind === object.kind && isAt(key, one, object));
    if (kind) etcd.put(kind, object);
  }
}

const isAt = (key: string, kind: Kind, object: KubeObject): boolean => etcdKey(kind, object) === key;

/** Deletes keys of etcd as etcdctl does: no finalizer, no grace period. */
export function removeKeys(keys: ReadonlySet<string>, read: Reader, etcd: Etcd): void {
  for (const kind of kinds.filter(isInRegistry))
    for (const object of read.list(kind)) if (keys.has(etcdKey(kind, object))) etcd.remove(kind, keyOf(object));
}
