import { isStale } from '../../../kinds/terrarium/noderuntime/encryption.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import type { Kind } from '../../../machinery/kind.js';
import { keyOf, type KubeObject } from '../../../machinery/meta/object.js';
import { removeObject } from '../../../runtime/state/remove-object.js';
import { differsOnlyInTimestamps } from '../../ownership/managed-fields.js';
import { checkObjectSize, checkSpace } from '../object-size.js';
import type { CreateWrite, DeleteWrite, UpdateWrite } from '../write.js';

/** Ends an update that changes nothing, so that it writes nothing. */
export function endUnchanged(write: UpdateWrite): void {
  const { stored, old, draft } = write;
  if (stored !== old || !(deepEqual(draft, old) || differsOnlyInTimestamps(draft, old))) return;
  const { kind, writer, options } = write;
  // etcd's value is encrypted anew by another key.
  if (options.origin.type === 'request' && isStale(writer.state, kind, old)) return;
  write.result = old;
}

/** Throws 413 for a request that makes an object larger than etcd stores. */
export function checkSize({ kind, draft, options }: CreateWrite | UpdateWrite): void {
  if (options.origin.type === 'request') checkObjectSize(kind, draft);
}

export function endDryRun(write: CreateWrite | UpdateWrite): void {
  if (write.options.dryRun) write.result = write.draft;
}

/** Removes a deleted object whose last finalizer this update takes away. Models store.go deleteWithoutFinalizers. */
export function deleteWithoutFinalizers(write: UpdateWrite): void {
  const { kind, draft, writer, options } = write;
  if (!isDeletable(kind, draft)) return;
  const { user, cause } = options.requester;
  removeObject(writer.state, kind, keyOf(draft), user.name, cause);
  write.result = draft;
}

const isDeletable = (kind: Kind, object: KubeObject): boolean =>
  object.metadata.deletionTimestamp !== undefined &&
  !object.metadata.finalizers?.length &&
  !object.metadata.deletionGracePeriodSeconds &&
  !kind.blocksDeletion?.(object);

/** Throws 413 when the cluster has used up its space. */
export function store(write: CreateWrite | UpdateWrite | DeleteWrite): void {
  const { kind, draft, writer, options } = write;
  checkSpace(writer.state, draft);
  const { user, cause } = options.requester;
  write.result = writer.state.put(writer.state.resourceOf(kind), draft, user.name, cause);
}
