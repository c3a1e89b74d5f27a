import { kinds } from '../kinds/index.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { withFields } from '../runtime/attribution.js';
import { Registry } from '../runtime/registry.js';

const builtIn = new Registry(kinds);

/**
 * An object of the log as clients see it, with every managed field. Components make no custom objects, so these are
 * complete.
 */
export function shown(object: KubeObject): KubeObject {
  const kind = builtIn.kindFor(object.apiVersion, object.kind);
  return kind ? withFields(kind, object) : object;
}
