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
