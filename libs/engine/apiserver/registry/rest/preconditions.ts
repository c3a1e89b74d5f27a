import type { Kind } from '../../../machinery/kind.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { conflict } from '../../../machinery/meta/status.js';

/** Throws 409 when a draft is of another object than the live one. Models storage/interfaces.go Preconditions.Check. */
export function checkUid(kind: Kind, { metadata: { uid, name = '' } }: KubeObject, live: KubeObject): void {
  if (!uid || uid === live.metadata.uid) return;
  const message = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid}`;
  throw conflict(kind, name, message);
}
