import type { APIService } from '../../api/apiregistration_v1.js';
import type { Namespace } from '../../api/core_v1.js';
import { APIServices, Namespaces, Pods } from '../../kinds/index.js';
import { storageKey } from '../../machinery/kind.js';
import type { Client, Reader } from '../../machinery/client.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { Kind } from '../../machinery/kind.js';
import { keyOf, type Key } from '../../machinery/meta/object.js';
import { parseTimestamp, SECOND } from '../../machinery/time/time.js';
import { defineController, NO_KEYS, watch, type Context } from '../../runtime/controller.js';
import { deleteAll } from '../delete-all.js';
import { deletionConditions, type Remaining } from './conditions.js';

const FINALIZER = 'kubernetes';
/** Time for every admission plug-in to see that the namespace is going: namespaceDeletionGracePeriod. */
const GRACE = 5 * SECOND;

/** Empties a namespace that is being deleted, pods first, then lets it go. Models pkg/controller/namespace/deletion. */
export const controller = defineController({
  name: 'namespace',
  actor: 'system:serviceaccount:kube-system:namespace-controller',
  for: { kind: Namespaces, when: (namespace) => namespace.metadata.deletionTimestamp !== undefined },
  everything: {
    keys(object, reader, _old, deleted) {
      const name = object.metadata.namespace;
      if (!deleted || !name) return NO_KEYS;
      const namespace: Key = { namespace: '', name };
      return reader.get(Namespaces, namespace)?.metadata.deletionTimestamp ? [namespace] : NO_KEYS;
    },
  },
  watches: [
    watch<APIService>({
      kind: APIServices,
      when: (service, old) => isUnavailable(service) || (old !== undefined && isUnavailable(old)),
      *keys(_service, reader) {
        for (const one of reader.list(Namespaces)) if (one.metadata.deletionTimestamp) yield keyOf(one);
      },
    }),
  ],
  reconcile(context, key) {
    const { client } = context;
    const namespace = client.get(Namespaces, key);
    if (!namespace || namespace.metadata.deletionTimestamp === undefined) return;
    if (!namespace.spec.finalizers?.includes(FINALIZER)) return;
    const due = parseTimestamp(namespace.metadata.deletionTimestamp) + GRACE;
    if (context.now < due) return { requeueAfter: due - context.now };
    const undiscovered = undiscoveredGroups(client);
    const remaining = { ...deleteAllContent(client, key.name), undiscovered };
    const reported = updateConditions(context, namespace, remaining);
    if (remaining.count.size > 0 || remaining.errors.length > 0 || undiscovered.length > 0) {
      if (remaining.errors.length > 0) throw remaining.errors[0]!;
      return;
    }
    const finalizers = reported.spec.finalizers?.filter((f) => f !== FINALIZER) ?? [];
    client.subresource(Namespaces, key, 'finalize', { ...reported, spec: { ...reported.spec, finalizers } });
  },
});

/** Another API server's group whose server cannot be reached: what it has in the namespace is not known. */
const isUnavailable = ({ spec, status }: APIService): boolean =>
  spec.service !== undefined &&
  (status?.conditions ?? []).some((one) => one.type === 'Available' && one.status === 'False');

/** 'metrics.k8s.io/v1beta1' of every group that discovery does not reach. */
const undiscoveredGroups = (reader: Reader): string[] =>
  reader
    .list(APIServices)
    .filter(isUnavailable)
    .map(({ spec }) => `${spec.group}/${spec.version}`)
    .sort();

/** Deletes what there is; other kinds wait until the last pod has gone. */
function deleteAllContent(client: Client, namespace: string): Remaining {
  const remaining: Remaining = { count: new Map(), finalizers: new Map(), errors: [] };
  const kinds = client
    .allKinds()
    .filter((kind) => kind.scope === 'Namespaced' && !kind.internal && (kind.verbs?.includes('delete') ?? true));
  const seen = new Set<string>();
  deleteCollection(client, Pods, namespace, remaining);
  if (remaining.count.size > 0) return remaining;
  for (const kind of kinds) {
    const resource = storageKey(kind);
    if (kind === (Pods as Kind) || seen.has(resource)) continue;
    seen.add(resource);
    deleteCollection(client, kind, namespace, remaining);
  }
  return remaining;
}

function deleteCollection(client: Client, kind: Kind, namespace: string, remaining: Remaining): void {
  remaining.errors.push(...deleteAll(client, kind, client.list(kind, namespace), { propagationPolicy: 'Background' }));
  const left = client.list(kind, namespace);
  if (left.length > 0) remaining.count.set(`${kind.plural}.${kind.group}`, left.length);
  for (const object of left) {
    for (const finalizer of object.metadata.finalizers ?? [])
      remaining.finalizers.set(finalizer, (remaining.finalizers.get(finalizer) ?? 0) + 1);
  }
}

function updateConditions({ client, now }: Context, namespace: Namespace, remaining: Remaining): Namespace {
  const conditions = deletionConditions(namespace.status.conditions, remaining, now);
  if (deepEqual(conditions, namespace.status.conditions)) return namespace;
  return client.updateStatus(Namespaces, { ...namespace, status: { ...namespace.status, conditions } });
}
