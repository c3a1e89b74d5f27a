import type { ResourceQuota } from '../../api/core_v1.js';
import { ResourceQuotas } from '../../kinds/index.js';
import type { Client } from '../../machinery/client.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { storageKey } from '../../machinery/kind.js';
import { addUsage, isInScopes, usageOf, type Usage } from '../../kinds/core/resourcequota/usage.js';
import { keyOf } from '../../machinery/meta/object.js';
import { defineController, NO_KEYS } from '../../runtime/controller.js';

/** Says how much of each quota is used. Models pkg/controller/resourcequota. */
export const controller = defineController({
  name: 'resourcequota',
  actor: 'system:serviceaccount:kube-system:resourcequota-controller',
  for: ResourceQuotas,
  everything: {
    keys({ metadata: { namespace } }, reader, _old, _deleted, resource) {
      if (!namespace) return NO_KEYS;
      const quotas = reader.list(ResourceQuotas, namespace);
      // Asked of every change there is.
      if (quotas.length === 0) return NO_KEYS;
      return quotas.filter((quota) => countedNames(quota).some((name) => canCount(name, resource))).map(keyOf);
    },
  },
  reconcile({ client }, key) {
    const quota = client.get(ResourceQuotas, key);
    if (!quota || quota.metadata.deletionTimestamp !== undefined) return;
    const hard = quota.spec.hard ?? {};
    const used = calculateUsage(client, quota, key.namespace);
    const status = { hard, used };
    if (!deepEqual(status, quota.status)) client.updateStatus(ResourceQuotas, { ...quota, status });
  },
});

function calculateUsage(client: Client, quota: ResourceQuota, namespace: string): Usage {
  const hard = countedNames(quota);
  const sum: Usage = {};
  for (const kind of client.allKinds()) {
    const resource = storageKey(kind);
    if (kind.scope !== 'Namespaced' || !hard.some((name) => canCount(name, resource))) continue;
    for (const object of client.list(kind, namespace))
      if (isInScopes(quota, resource, object)) addUsage(sum, usageOf(resource, object));
  }
  return Object.fromEntries(hard.map((name) => [name, sum[name] ?? '0']));
}

const countedNames = ({ spec }: ResourceQuota): string[] => Object.keys(spec.hard ?? {});

const OWN_NAMES = new Set(['configmaps', 'secrets', 'replicationcontrollers', 'resourcequotas']);

/** Whether a quota's resource name counts objects of this resource. */
function canCount(name: string, resource: string): boolean {
  if (name.startsWith('count/')) return name === `count/${resource}`;
  if (OWN_NAMES.has(name)) return name === resource;
  if (name === 'services' || name.startsWith('services.')) return resource === 'services';
  if (name === 'persistentvolumeclaims' || name === 'requests.storage' || name.includes('storageclass'))
    return resource === 'persistentvolumeclaims';
  return resource === 'pods';
}
