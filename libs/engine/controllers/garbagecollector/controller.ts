import type { Client } from '../../machinery/client.js';
import type { Kind } from '../../machinery/kind.js';
import { removeFinalizer } from '../../machinery/meta/finalizers.js';
import { keyOf, type KubeObject, type OwnerReference } from '../../machinery/meta/object.js';
import { ApiError } from '../../machinery/meta/status.js';
import { Namespaces } from '../../kinds/index.js';
import { defineController, type Result } from '../../runtime/controller.js';
import { itemsToCollect, FOREGROUND, isWaiting, itemOf, ORPHAN, ownerKey } from './items.js';

/** A reconcile ends after so many changes, so that a slice can end, and goes on in the next one. */
const MAX_CHANGES = 100;
const AGAIN: Result = { requeueAfter: 0 };

/**
 * Deletes what has lost all its owners, and carries out foreground and orphaning deletions.
 * Models pkg/controller/garbagecollector. Left out: the warning about owners in another namespace.
 */
export const controller = defineController({
  name: 'garbagecollector',
  actor: 'system:serviceaccount:kube-system:generic-garbage-collector',
  eventSource: 'garbage-collector-controller',
  for: { kind: Namespaces, when: () => false },
  everything: { keys: itemsToCollect },
  reconcile({ client }, key): Result | void {
    const item = itemOf(key);
    const kind = client.kindFor(item.apiVersion, item.kind);
    const object = kind && client.get(kind, { namespace: item.namespace, name: item.name });
    if (!object || object.metadata.uid !== item.uid) {
      return forDependents(client, item.uid, (dependent) => attemptToDeleteItem(client, dependent)) ? undefined : AGAIN;
    } else if (isWaiting(object, ORPHAN)) {
      return orphanDependents(client, kind, object);
    } else if (isWaiting(object, FOREGROUND)) {
      return processDeletingDependentsItem(client, kind, object);
    } else {
      attemptToDeleteItem(client, object);
    }
  },
});

/** False when the reconcile has to end before each dependent has been worked on. */
function forDependents(client: Client, uid: string, work: (dependent: KubeObject) => void): boolean {
  const end = client.revision + MAX_CHANGES;
  for (const dependent of client.dependents(uid)) {
    if (client.revision >= end) return false;
    work(dependent);
  }
  return true;
}

interface Owners {
  readonly solid: OwnerReference[];
  readonly absent: OwnerReference[];
  /** Owners that go once their dependents have gone. */
  readonly waiting: OwnerReference[];
}

function ownersOf(client: Client, object: KubeObject): Owners {
  const owners: Owners = { solid: [], absent: [], waiting: [] };
  for (const ref of object.metadata.ownerReferences ?? []) {
    const kind = client.kindFor(ref.apiVersion, ref.kind);
    // A kind that is not served, or an owner that cannot be looked up from here: no reason to delete anything.
    if (!kind || (kind.scope === 'Namespaced' && !object.metadata.namespace)) {
      owners.solid.push(ref);
      continue;
    }
    const owner = client.get(kind, ownerKey(kind, ref, object));
    if (owner?.metadata.uid !== ref.uid) owners.absent.push(ref);
    else if (isWaiting(owner, FOREGROUND)) owners.waiting.push(ref);
    else owners.solid.push(ref);
  }
  return owners;
}

/** Deletes an object that no owner holds; strips references that no longer count. Models attemptToDeleteItem. */
function attemptToDeleteItem(client: Client, object: KubeObject): void {
  const { metadata } = object;
  if (!metadata.ownerReferences?.length || metadata.deletionTimestamp !== undefined) return;
  const kind = client.kindFor(object.apiVersion, object.kind);
  if (!kind) return;
  const { solid, absent, waiting } = ownersOf(client, object);
  if (solid.length > 0) {
    if (absent.length + waiting.length > 0) patchOwnerReferences(client, kind, object, solid);
    return;
  }
  const dependents = waiting.length > 0 ? client.dependents(metadata.uid!) : [];
  const foreground = dependents.length > 0;
  // Its owner and its dependent wait: in a circle they would wait for each other.
  if (dependents.some((d) => isWaiting(d, FOREGROUND)))
    patchOwnerReferences(
      client,
      kind,
      object,
      metadata.ownerReferences.map((ref) => ({ ...ref, blockOwnerDeletion: false })),
    );
  deleteObject(client, kind, object, foreground ? 'Foreground' : policyOf(object));
}

/** A propagation policy that the object was deleted with before stands in its finalizers. */
function policyOf({ metadata: { finalizers } }: KubeObject): string {
  if (finalizers?.includes(ORPHAN)) return 'Orphan';
  return finalizers?.includes(FOREGROUND) ? 'Foreground' : 'Background';
}

function deleteObject(client: Client, kind: Kind, object: KubeObject, propagationPolicy: string): void {
  try {
    client.delete(kind, keyOf(object), { preconditions: { uid: object.metadata.uid }, propagationPolicy });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 404) throw error;
  }
}

/** Dependents that block their owner go first. Models processDeletingDependentsItem. */
function processDeletingDependentsItem(client: Client, kind: Kind, owner: KubeObject): Result | void {
  const uid = owner.metadata.uid!;
  if (!forDependents(client, uid, (dependent) => attemptToDeleteItem(client, dependent))) return AGAIN;
  const blocked = client
    .dependents(uid)
    .some((d) => d.metadata.ownerReferences?.some((r) => r.uid === uid && r.blockOwnerDeletion));
  if (!blocked) release(client, kind, owner, FOREGROUND);
}

function orphanDependents(client: Client, kind: Kind, owner: KubeObject): Result | void {
  const uid = owner.metadata.uid!;
  const isDone = forDependents(client, uid, (dependent) => {
    const dependentKind = client.kindFor(dependent.apiVersion, dependent.kind);
    const others = dependent.metadata.ownerReferences!.filter((r) => r.uid !== uid);
    if (dependentKind) patchOwnerReferences(client, dependentKind, dependent, others);
  });
  if (!isDone) return AGAIN;
  release(client, kind, owner, ORPHAN);
}

function patchOwnerReferences(client: Client, kind: Kind, object: KubeObject, kept: OwnerReference[]): void {
  const { ownerReferences: _, ...metadata } = object.metadata;
  client.update(kind, { ...object, metadata: kept.length ? { ...metadata, ownerReferences: kept } : metadata });
}

function release(client: Client, kind: Kind, object: KubeObject, finalizer: string): void {
  const current = client.get(kind, keyOf(object));
  if (!current || current.metadata.uid !== object.metadata.uid) return;
  client.update(kind, removeFinalizer(current, finalizer));
}
