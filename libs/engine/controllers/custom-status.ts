import { CustomResourceDefinitions } from '../kinds/index.js';
import { deepEqual } from '../machinery/meta/equal.js';
import type { Client } from '../machinery/client.js';
import { apiVersionOf, type KubeObject } from '../machinery/meta/object.js';
import type { Kind } from '../machinery/kind.js';
import type { Context } from '../runtime/controller.js';

/** The kind as its definition has it: one that is made up for reads knows nothing of generations and subresources. */
export const servedKind = <T extends KubeObject>(client: Client, kind: Kind<T>): Kind<T> =>
  (client.kindFor(apiVersionOf(kind.group, kind.version), kind.kind) as Kind<T> | undefined) ?? kind;

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
  const served = servedKind(client, kind);
  if (version.subresources?.status) client.updateStatus(served, next);
  else client.update(served, next);
}
