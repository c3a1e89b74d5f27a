import { keyOf } from '../../../machinery/meta/object.js';
import { alreadyExists, conflict, notFound, OBJECT_MODIFIED } from '../../../machinery/meta/status.js';
import { convertToVersion } from '../../response/conversion.js';
import { checkUid } from '../rest/preconditions.js';
import type { CreateWrite, DeleteWrite, UpdateWrite } from '../write.js';

/** Throws 409 for a name that is taken. */
export function rejectExisting({ kind, draft, writer }: CreateWrite): void {
  if (writer.state.get(kind, keyOf(draft))) throw alreadyExists(kind, draft.metadata.name ?? '');
}

/** Throws 404. */
export function getExisting(write: UpdateWrite): void {
  const { kind, draft, writer } = write;
  const stored = writer.state.get(kind, keyOf(draft));
  if (!stored) throw notFound(kind, draft.metadata.name ?? '');
  write.stored = stored;
  write.old = convertToVersion(kind, stored);
}

/** Throws 404. */
export function getExistingForDelete(write: DeleteWrite): void {
  const { kind, key, writer } = write;
  const stored = writer.state.get(kind, key);
  if (!stored) throw notFound(kind, key.name);
  write.old = stored;
}

/** Throws 409 when the draft is of another object, or of an older version. */
export function checkPreconditions({ kind, draft, old }: UpdateWrite): void {
  checkUid(kind, draft, old);
  const { resourceVersion, name = '' } = draft.metadata;
  if (resourceVersion && resourceVersion !== '0' && resourceVersion !== old.metadata.resourceVersion)
    throw conflict(kind, name, OBJECT_MODIFIED);
}
