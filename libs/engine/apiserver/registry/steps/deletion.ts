import { deepEqual } from '../../../machinery/meta/equal.js';
import { removeObject } from '../../../runtime/state/remove-object.js';
import { markForDeletion, planDeletion } from '../rest/before-delete.js';
import type { DeleteWrite } from '../write.js';

/** Chooses between removal and a mark. Throws 409 for preconditions that do not hold. */
export function beforeDelete(write: DeleteWrite): void {
  write.plan = planDeletion(write.kind, write.old, write.deletion);
}

/** Ends the deletion of an object whose deletion is already under way, and that this request does not hasten. */
export function endPending(write: DeleteWrite): void {
  if (write.plan.action === 'pending') write.result = write.old;
}

/** Removes an object that has neither grace nor finalizers. */
export function deleteImmediately(write: DeleteWrite): void {
  const { kind, key, old, plan, dryRun, writer, options } = write;
  if (plan.action !== 'remove') return;
  const { user, cause } = options.requester;
  if (!dryRun) removeObject(writer.state, kind, key, user.name, cause);
  write.deleted = true;
  write.result = old;
}

/** Sets the deletion's timestamp, grace and finalizers; the object stays until they have run out. */
export function markAsDeleting(write: DeleteWrite): void {
  const { kind, old, plan, context } = write;
  if (plan.action === 'mark') write.draft = markForDeletion(kind, old, plan, context.now);
}

export function endUnchangedDeletion(write: DeleteWrite): void {
  if (deepEqual(write.draft, write.old)) write.result = write.old;
}

export function endDryRunDeletion(write: DeleteWrite): void {
  if (write.dryRun) write.result = write.draft;
}
