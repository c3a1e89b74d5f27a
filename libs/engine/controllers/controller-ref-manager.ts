import type { Client } from '../machinery/client.js';
import type { Kind } from '../machinery/kind.js';
import {
  apiVersionOf,
  controllerOf,
  type Key,
  type KubeObject,
  type LabelSelector,
  type OwnerReference,
} from '../machinery/meta/object.js';
import { matchesLabelSelector } from '../machinery/selectors/selectors.js';
import { index, watch, type Controller, type Source } from '../runtime/controller.js';

const ORPHANS = 'orphans';

/** Objects without a controller, by namespace: candidates for adoption. */
export const orphanIndex = <T extends KubeObject>(kind: Kind<T>): NonNullable<Controller['indexes']>[number] =>
  index(kind, ORPHANS, (object) => (controllerOf(object) ? [] : [object.metadata.namespace ?? '']));

/** Models metav1.NewControllerRef. */
export const newControllerRef = (kind: Kind, owner: KubeObject): OwnerReference => ({
  apiVersion: apiVersionOf(kind.group, kind.version),
  blockOwnerDeletion: true,
  controller: true,
  kind: kind.kind,
  name: owner.metadata.name!,
  uid: owner.metadata.uid!,
});

type Selecting = KubeObject & { spec: { selector?: LabelSelector } };

/** Wakes every owner whose selector matches an object without a controller, so that the owner can adopt it. */
export const orphanSource = <T extends KubeObject, O extends Selecting>(kind: Kind<T>, ownerKind: Kind<O>): Source =>
  watch<T>({
    kind,
    when: (object) => controllerOf(object) === undefined,
    *keys(object, reader): Iterable<Key> {
      const namespace = object.metadata.namespace ?? '';
      for (const owner of reader.list(ownerKind, namespace)) {
        if (matchesLabelSelector(owner.spec.selector, object.metadata.labels ?? {}))
          yield { namespace, name: owner.metadata.name! };
      }
    },
  });

/**
 * Adopts the orphans that match the selector and releases those of the `dependents` that match it no longer; returns
 * what the owner controls then. An owner that is being deleted does neither. Models
 * pkg/controller/controller_ref_manager.go.
 */
export function claimObjects<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  ownerKind: Kind,
  owner: KubeObject,
  selector: LabelSelector,
  dependents: readonly KubeObject[] = client.dependents(owner.metadata.uid!),
): T[] {
  const uid = owner.metadata.uid!;
  const deleting = owner.metadata.deletionTimestamp !== undefined;
  const claimed: T[] = [];
  const apiVersion = apiVersionOf(kind.group, kind.version);
  for (const object of dependents) {
    if (object.kind !== kind.kind || object.apiVersion !== apiVersion || controllerOf(object)?.uid !== uid) continue;
    if (matchesLabelSelector(selector, object.metadata.labels ?? {})) claimed.push(object as T);
    else if (!deleting) releaseObject(client, kind, object as T, uid);
  }
  if (deleting) return claimed;
  for (const orphan of client.byIndex(kind, ORPHANS, owner.metadata.namespace ?? '')) {
    if (
      orphan.metadata.deletionTimestamp !== undefined ||
      !matchesLabelSelector(selector, orphan.metadata.labels ?? {})
    )
      continue;
    const ownerReferences = [...(orphan.metadata.ownerReferences ?? []), newControllerRef(ownerKind, owner)];
    claimed.push(client.update(kind, { ...orphan, metadata: { ...orphan.metadata, ownerReferences } }));
  }
  return claimed;
}

function releaseObject<T extends KubeObject>(client: Client, kind: Kind<T>, object: T, ownerUid: string): void {
  const { ownerReferences, ...metadata } = object.metadata;
  const kept = ownerReferences?.filter((r) => r.uid !== ownerUid) ?? [];
  client.update(kind, { ...object, metadata: kept.length ? { ...metadata, ownerReferences: kept } : metadata });
}
