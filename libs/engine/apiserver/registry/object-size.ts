import { isBuiltIn, type Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { ApiError } from '../../machinery/meta/status.js';
import { encodeUtf8 } from '../../machinery/text/utf8.js';
import type { State } from '../../runtime/state/state.js';
import { encodeObject } from '../response/encode.js';

/** As etcd's limit on a request (--max-request-bytes). */
const MAX_OBJECT_BYTES = 1.5 * 1024 * 1024;

/** Throws when etcd would not store the object; upstream answers 500 without a reason, in these words. */
export function checkObjectSize(kind: Kind, object: KubeObject): void {
  if (roomLeft(object, MAX_OBJECT_BYTES) >= 0) return;
  const bytes = isBuiltIn(kind) ? encodeObject(kind, object) : encodeUtf8(JSON.stringify(object));
  if (bytes.length > MAX_OBJECT_BYTES) throw new ApiError(413, '', 'etcdserver: request is too large');
}

/**
 * Throws when etcd would store nothing more (its NOSPACE alarm); upstream answers 500 without a reason, in these words.
 * An object that is being deleted may still be updated: the removal of its last finalizer gives space back.
 */
export function checkSpace({ isSpaceExceeded }: Pick<State, 'isSpaceExceeded'>, draft: KubeObject): void {
  if (isSpaceExceeded && draft.metadata.deletionTimestamp === undefined)
    throw new ApiError(413, '', 'etcdserver: mvcc: database space exceeded');
}

/**
 * What is left of `room` characters after a rough count of the value's, with its quotes and commas; below zero when it
 * is larger.
 */
function roomLeft(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 3;
  if (typeof value !== 'object' || value === null) return room - 8;
  let left = room - 2;
  if (Array.isArray(value)) for (let i = 0; i < value.length && left >= 0; i++) left = roomLeft(value[i], left);
  else
    for (const key in value)
      if ((left = roomLeft((value as Record<string, unknown>)[key], left - key.length - 4)) < 0) break;
  return left;
}
