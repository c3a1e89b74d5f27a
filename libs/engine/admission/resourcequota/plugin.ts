import type { Pod, ResourceQuota } from '../../api/core_v1.js';
import { kind as ResourceQuotas } from '../../kinds/core/resourcequota/kind.js';
import { storageKey } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { addQuantities, compareQuantity } from '../../machinery/quantity/quantity.js';
import type { AdmissionPlugin, AdmissionRequest } from '../../runtime/admission.js';
import { refuseNamed } from '../refuse.js';
import { addUsage, isInScopes, usageOf, type Usage } from '../../kinds/core/resourcequota/usage.js';

/** A quota with one of these names makes the request or limit mandatory for every container. */
const COMPUTE_NAMES = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];

/**
 * Refuses to create objects beyond a namespace's quotas. Models plugin/pkg/admission/resourcequota. Usage is computed
 * from the objects at each create, so that a controller's burst cannot overrun a quota status that lags behind it.
 * Left out: updates that use more (a Service that becomes a NodePort).
 */
export const plugin: AdmissionPlugin = {
  name: 'ResourceQuota',
  validate(request) {
    const { operation, subresource, kind, object, namespace } = request;
    if (operation !== 'CREATE' || subresource || !object || kind.scope !== 'Namespaced') return;
    const quotas = request.client.list(ResourceQuotas, namespace);
    if (quotas.length === 0) return;
    const resource = storageKey(kind);
    const requested = usageOf(resource, object);
    for (const quota of quotas)
      if (isInScopes(quota, resource, object)) checkQuota(request, quota, resource, requested);
  },
};

function checkQuota(request: AdmissionRequest, quota: ResourceQuota, resource: string, requested: Usage): void {
  const hard = quota.spec.hard ?? {};
  if (resource === 'pods') checkConstraints(request, quota, hard);
  const limitedNames = Object.keys(requested)
    .filter((name) => hard[name] !== undefined)
    .sort();
  if (limitedNames.length === 0) return;
  const used = computeUsage(request, quota, resource);
  const exceeded = limitedNames.filter(
    (name) => compareQuantity(addQuantities(used[name] ?? '0', requested[name]!), hard[name]!) > 0,
  );
  if (exceeded.length === 0) return;
  const print = (amounts: Readonly<Usage>): string =>
    exceeded.map((name) => `${name}=${amounts[name] ?? '0'}`).join(',');
  throw refuseNamed(
    request,
    `exceeded quota: ${quota.metadata.name}, requested: ${print(requested)}, used: ${print(used)}, limited: ${print(hard)}`,
  );
}

/** The usage of the namespace's objects of this resource that are in the quota's scopes. */
function computeUsage(request: AdmissionRequest, quota: ResourceQuota, resource: string): Usage {
  const used: Usage = {};
  for (const object of request.client.list(request.kind, request.namespace) as readonly KubeObject[]) {
    if (isInScopes(quota, resource, object)) addUsage(used, usageOf(resource, object));
  }
  return used;
}

/** Refuses a pod that leaves out a request or limit which the quota makes mandatory. Models core Constraints. */
function checkConstraints(request: AdmissionRequest, quota: ResourceQuota, hard: Readonly<Usage>): void {
  const pod = request.object as Pod;
  const missing: string[] = [];
  for (const name of COMPUTE_NAMES.filter((n) => hard[n] !== undefined).sort()) {
    const [what, unit] = name.startsWith('limits.')
      ? (['limits', name.slice(7)] as const)
      : (['requests', name.replace('requests.', '')] as const);
    const without = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])]
      .filter((c) => c.resources?.[what]?.[unit] === undefined)
      .map((c) => c.name);
    if (without.length > 0) missing.push(`${name} for: ${without.sort().join(',')}`);
  }
  if (missing.length > 0)
    throw refuseNamed(request, `failed quota: ${quota.metadata.name}: must specify ${missing.join('; ')}`);
}
