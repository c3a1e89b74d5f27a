import type { DeleteOptions } from '../api/meta_v1.js';
import type { Client } from '../machinery/client.js';
import type { Kind } from '../machinery/kind.js';
import { keyOf, type KubeObject } from '../machinery/meta/object.js';
import { ApiError } from '../machinery/meta/status.js';

/** Deletes objects that nobody has deleted yet. Returns why others stay; one that is gone meanwhile is as well. */
export function deleteAll(
  client: Client,
  kind: Kind,
  objects: readonly KubeObject[],
  options?: DeleteOptions,
): readonly ApiError[] {
  const errors: ApiError[] = [];
  for (const object of objects) {
    if (object.metadata.deletionTimestamp !== undefined) continue;
    try {
      client.delete(kind, keyOf(object), options);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== 404) errors.push(error);
    }
  }
  return errors;
}
