import { kinds } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import type { Kind } from '../../machinery/kind.js';
import { NO_KEYS } from '../../runtime/controller.js';
import { apiVersionOf, type Key, type KubeObject, type OwnerReference } from '../../machinery/meta/object.js';

export const FOREGROUND = 'foregroundDeletion';
export const ORPHAN = 'orphan';

/** One object of any kind, by its identity; it may be gone already. */
export interface Item {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Work keys name any kind: neither names, kinds nor uids contain a '|'. */
export const itemKey = (o: KubeObject): Key => ({
  namespace: o.metadata.namespace ?? '',
  name: `${o.apiVersion}|${o.kind}|${o.metadata.name}|${o.metadata.uid}`,
});

export function itemOf(key: Key): Item {
  const [apiVersion = '', kind = '', name = '', uid = ''] = key.name.split('|');
  return { apiVersion, kind, namespace: key.namespace, name, uid };
}

/** Where an owner must be: a namespaced one is in its dependent's namespace. */
export const ownerKey = (kind: Kind, ref: OwnerReference, dependent: KubeObject): Key => ({
  namespace: kind.scope === 'Namespaced' ? (dependent.metadata.namespace ?? '') : '',
  name: ref.name,
});

const refKey = (ref: OwnerReference, kind: Kind | undefined, dependent: KubeObject): Key => ({
  namespace: kind?.scope === 'Cluster' ? '' : (dependent.metadata.namespace ?? ''),
  name: `${ref.apiVersion}|${ref.kind}|${ref.name}|${ref.uid}`,
});

// oxlint-disable-next-line house/no-module-state -- the built-in kinds
const builtIn = new Map<string, Kind>();
function builtInKind(ref: OwnerReference): Kind | undefined {
  if (builtIn.size === 0)
    for (const kind of kinds) builtIn.set(`${apiVersionOf(kind.group, kind.version)}/${kind.kind}`, kind);
  return builtIn.get(`${ref.apiVersion}/${ref.kind}`);
}

/** Is this owner there, and here to stay? Unknown for kinds that are not built in. */
function isOwnerStanding(ref: OwnerReference, kind: Kind | undefined, dependent: KubeObject, reader: Reader): boolean {
  if (!kind) return false;
  const owner = reader.get(kind, ownerKey(kind, ref, dependent));
  return owner?.metadata.uid === ref.uid && owner.metadata.deletionTimestamp === undefined;
}

export const isWaiting = (object: KubeObject, finalizer: string): boolean =>
  object.metadata.deletionTimestamp !== undefined && (object.metadata.finalizers?.includes(finalizer) ?? false);

/** What a change of one object gives the collector to do: nothing, nearly always. */
export function itemsToCollect(
  object: KubeObject,
  reader: Reader,
  old: KubeObject | undefined,
  deleted: boolean,
): readonly Key[] {
  const { metadata } = object;
  const refs = metadata.ownerReferences;
  if (!deleted && metadata.deletionTimestamp === undefined && old?.metadata.ownerReferences === refs) return NO_KEYS;
  const keys: Key[] = [];
  if (
    deleted ? reader.dependents(metadata.uid!).length > 0 : isWaiting(object, FOREGROUND) || isWaiting(object, ORPHAN)
  )
    keys.push(itemKey(object));
  if (!deleted && old?.metadata.ownerReferences === refs) return keys;
  for (const ref of [...(refs ?? []), ...(deleted ? [] : (old?.metadata.ownerReferences ?? []))]) {
    const kind = builtInKind(ref);
    if (!isOwnerStanding(ref, kind, object, reader)) keys.push(refKey(ref, kind, object));
  }
  return keys;
}
