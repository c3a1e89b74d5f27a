import { kinds } from '../kinds/index.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { completeManagedFields } from '../runtime/managed-fields.js';
import { Registry } from '../runtime/registry.js';

const builtInKinds = new Registry(kinds);

/**
 * An object of the log as the Kubernetes API shows it: with the field sets that managedFields of components' writes are
 * stored without. Components write no custom objects, so that those need no restoring.
 */
export function restoreManagedFields(object: KubeObject): KubeObject {
  const kind = builtInKinds.kindFor(object.apiVersion, object.kind);
  return kind ? completeManagedFields(kind, object) : object;
}
