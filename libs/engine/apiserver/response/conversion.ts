import type { Kind } from '../../machinery/kind.js';
import { apiVersionOf, type KubeObject } from '../../machinery/meta/object.js';
import { ApiError, tooManyRequests } from '../../machinery/meta/status.js';
import { completeManagedFields } from '../../runtime/managed-fields.js';

/** Stored objects are immutable, so each is converted once a revision and version. */
const conversions = new WeakMap<Kind, WeakMap<KubeObject, KubeObject>>();

/** A stored object in the version of `kind`. Throws 500: a conversion webhook fails. */
export function convertToVersion<T extends KubeObject>(kind: Kind<T>, object: KubeObject): T {
  if (isStorageVersion(kind)) return object as T;
  const cache = conversionsOf(kind);
  let result = cache.get(object);
  if (!result) cache.set(object, (result = convert(kind, [object])[0]!));
  return result as T;
}

/** Converts many with one call of a conversion webhook. Throws 429 when it fails, as a cache that cannot be filled. */
export function convertListToVersion<T extends KubeObject>(
  kind: Kind<T>,
  objects: readonly KubeObject[],
): readonly T[] {
  if (kind.fromStored) {
    const cache = conversionsOf(kind);
    const missing = objects.filter((object) => !cache.has(object));
    if (missing.length > 0) convertIntoCache(kind, missing, cache);
  }
  return objects.map((object) => convertToVersion(kind, object));
}

/** A stored object in the version of `kind`, with the managed fields that are worked out only when they are read. */
export const convertWithManagedFields = <T extends KubeObject>(kind: Kind<T>, object: KubeObject): T =>
  completeManagedFields(kind, convertToVersion(kind, object));

function convertIntoCache(kind: Kind, objects: readonly KubeObject[], cache: WeakMap<KubeObject, KubeObject>): void {
  try {
    convert(kind, objects).forEach((result, i) => cache.set(objects[i]!, result));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw tooManyRequests(
      `storage is (re)initializing: failed to list ${apiVersionOf(kind.group, kind.version)}, Kind=${kind.kind}: ${error.message}`,
      1,
    );
  }
}

const isStorageVersion = (kind: Kind): boolean => !kind.storedAs && !kind.fromStored;

function conversionsOf(kind: Kind): WeakMap<KubeObject, KubeObject> {
  let cache = conversions.get(kind);
  if (!cache) conversions.set(kind, (cache = new WeakMap()));
  return cache;
}

function convert(kind: Kind, objects: readonly KubeObject[]): readonly KubeObject[] {
  const whole = objects.map((object) => completeManagedFields(kind.storedAs?.kind ?? kind, object));
  return kind.fromStored ? kind.fromStored(whole) : whole.map((object) => kind.storedAs!.fromStorage(object));
}
