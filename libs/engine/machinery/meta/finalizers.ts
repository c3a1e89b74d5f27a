import type { KubeObject } from './object.js';

type Held = Pick<KubeObject, 'metadata'>;

/** The object itself when it has the finalizer. Models controller-runtime's controllerutil.AddFinalizer. */
export function addFinalizer<T extends Held>(object: T, finalizer: string): T {
  const { finalizers = [] } = object.metadata;
  if (finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
}

/** Without the list when nothing is left in it; the object itself when it has not the finalizer. */
export function removeFinalizer<T extends Held>(object: T, finalizer: string): T {
  const { finalizers = [], ...metadata } = object.metadata;
  if (!finalizers.includes(finalizer)) return object;
  const left = finalizers.filter((one) => one !== finalizer);
  return { ...object, metadata: left.length > 0 ? { ...object.metadata, finalizers: left } : metadata };
}

/** A deletion adds these to an object, for no field manager. */
const OF_DELETION = ['orphan', 'foregroundDeletion'];

/** The finalizers of an object without those that its deletion has added; undefined: none. */
export function ownFinalizers({ deletionTimestamp, finalizers }: KubeObject['metadata']): string[] | undefined {
  const own = deletionTimestamp === undefined ? finalizers : finalizers?.filter((one) => !OF_DELETION.includes(one));
  return own?.length ? own : undefined;
}
