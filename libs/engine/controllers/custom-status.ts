import { CustomResourceDefinitions } from '../kinds/index.js';
import { deepEqual } from '../machinery/meta/equal.js';
import type { KubeObject } from '../machinery/meta/object.js';
import type { Kind } from '../machinery/kind.js';
import type { Context } from '../runtime/controller.js';

/** Writes the status of a custom object, whether its definition has it as a subresource or not. */
export function writeCustomStatus<T extends KubeObject & { readonly status?: unknown }>(
  { client }: Pick<Context, 'client'>,
  kind: Kind<T>,
  object: T,
  status: unknown,
): void {
  if (deepEqual(object.status, status)) return;
  const definition = client.get(CustomResourceDefinitions, { namespace: '', name: `${kind.plural}.${kind.group}` });
  const version = definition?.spec.versions.find(({ name }) => name === kind.version);
  if (!version) return;
  const next = { ...object, status };
  if (version.subresources?.status) client.updateStatus(kind, next);
  else client.update(kind, next);
}
