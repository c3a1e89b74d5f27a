import {
  applyFields,
  ownersOf,
  trackUpdate,
  type OwnedWrite,
  type Owners,
} from '../../machinery/managedfields/index.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject, Unstructured } from '../../machinery/meta/object.js';
import type { Millis } from '../../machinery/time/time.js';
import { applyConflict } from './apply-conflict.js';
import { ignoreLastApplied } from './last-applied.js';
import { ownedWrite } from './managed-fields.js';

/** The manager of `kubectl apply --server-side`, which may take over the fields of client-side apply. */
export const KUBECTL = 'kubectl';
/** Owns the fields of an object that had no managedFields before the first apply. */
const BEFORE_FIRST_APPLY = 'before-first-apply';

/** The owners of an object's fields before an apply. */
export function ownersBeforeApply(kind: Kind, live: KubeObject | undefined, now: Millis): Owners {
  const owners = ownersOf(live?.metadata.managedFields);
  if (live && owners.size === 0) {
    const manager = { kind, manager: BEFORE_FIRST_APPLY, subresource: '' };
    trackUpdate({}, live, owners, ownedWrite(manager, now));
  }
  return owners;
}

/**
 * The live object with an applied configuration merged in; undefined when that changes nothing. Updates `owners`.
 * Throws 409 for the fields of others, unless forced. Models fieldmanager.go Apply.
 */
export function mergeConfiguration(
  live: KubeObject | undefined,
  configuration: Unstructured,
  owners: Owners,
  write: OwnedWrite,
  force: boolean,
): unknown {
  const { object, conflicts } = applyFields(live ?? {}, configuration, owners, write, force);
  if (conflicts.length === 0) return object;
  const canTakeOver = write.manager === KUBECTL && live !== undefined;
  const left = canTakeOver ? ignoreLastApplied(conflicts, live, write.type, write.apiVersion) : conflicts;
  if (left.length > 0) throw applyConflict(left);
  return applyFields(live ?? {}, configuration, owners, write, true).object;
}
