import type { KubeObject } from '../machinery/meta/object.js';

/**
 * The class that one of the annotations marks as default: the newest, then the first by name (the order of `classes`).
 * Models pkg/volume/util GetDefaultClass.
 */
export function findDefaultClass<T extends KubeObject>(
  classes: readonly T[],
  annotations: readonly string[],
): T | undefined {
  const marked = classes.filter((c) => annotations.some((a) => c.metadata.annotations?.[a] === 'true'));
  return marked.reduce<T | undefined>(
    (best, c) => (best && (best.metadata.creationTimestamp ?? '') >= (c.metadata.creationTimestamp ?? '') ? best : c),
    undefined,
  );
}
