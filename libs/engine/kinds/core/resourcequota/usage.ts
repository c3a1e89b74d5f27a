import type { PersistentVolumeClaim, Pod, ResourceQuota, Service } from '../../../api/core_v1.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { addQuantities, compareQuantity } from '../../../machinery/quantity/quantity.js';
import { isPodPhaseTerminal } from '../pod/kind.js';

/** Quota name -> amount: { pods: '1', 'requests.cpu': '500m' }. */
export type Usage = Record<string, string>;

/** The usage of one object of a resource: 'pods', 'deployments.apps'. Models pkg/quota/v1/evaluator/core. */
export function usageOf(resource: string, object: KubeObject): Usage {
  const usage: Usage = { [`count/${resource}`]: '1' };
  switch (resource) {
    case 'pods':
      return Object.assign(usage, podUsage(object as Pod));
    case 'services':
      return Object.assign(usage, serviceUsage(object as Service));
    case 'persistentvolumeclaims':
      return Object.assign(usage, claimUsage(object as PersistentVolumeClaim));
    case 'configmaps':
    case 'secrets':
    case 'replicationcontrollers':
    case 'resourcequotas':
      return Object.assign(usage, { [resource]: '1' });
    default:
      return usage;
  }
}

function podUsage(pod: Pod): Usage {
  if (isPodPhaseTerminal(pod.status?.phase)) return {};
  const usage: Usage = { pods: '1' };
  for (const what of ['requests', 'limits'] as const) {
    for (const [name, amount] of Object.entries(podTotal(pod, what))) {
      usage[`${what}.${name}`] = amount;
      if (what === 'requests') usage[name] = amount;
    }
  }
  return usage;
}

function podTotal(pod: Pod, what: 'requests' | 'limits'): Usage {
  const sum: Usage = {};
  for (const c of pod.spec.containers) addUsage(sum, c.resources?.[what] ?? {});
  for (const c of pod.spec.initContainers ?? []) {
    for (const [name, amount] of Object.entries(c.resources?.[what] ?? {}))
      if (sum[name] === undefined || compareQuantity(amount, sum[name]) > 0) sum[name] = amount;
  }
  for (const [name, amount] of Object.entries(pod.spec.overhead ?? {}))
    if (what === 'requests' || sum[name] !== undefined) addUsage(sum, { [name]: amount });
  return sum;
}

function serviceUsage(service: Service): Usage {
  const { type, ports = [], allocateLoadBalancerNodePorts } = service.spec;
  const usage: Usage = { services: '1' };
  if (type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false))
    usage['services.nodeports'] = String(ports.length);
  if (type === 'LoadBalancer') usage['services.loadbalancers'] = '1';
  return usage;
}

function claimUsage(claim: PersistentVolumeClaim): Usage {
  const storage = claim.spec.resources?.requests?.['storage'];
  const ofClass = claim.spec.storageClassName
    ? `${claim.spec.storageClassName}.storageclass.storage.k8s.io/`
    : undefined;
  return {
    persistentvolumeclaims: '1',
    ...(ofClass ? { [`${ofClass}persistentvolumeclaims`]: '1' } : {}),
    ...(storage
      ? { 'requests.storage': storage, ...(ofClass ? { [`${ofClass}requests.storage`]: storage } : {}) }
      : {}),
  };
}

export function addUsage(sum: Usage, more: Readonly<Usage>): void {
  for (const name in more) sum[name] = sum[name] === undefined ? more[name]! : addQuantities(sum[name], more[name]!);
}

/** Whether the object is in all scopes of the quota. Only pods have scopes. */
export function isInScopes(quota: ResourceQuota, resource: string, object: KubeObject): boolean {
  const selectors = [
    ...(quota.spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists', values: undefined })),
    ...(quota.spec.scopeSelector?.matchExpressions ?? []),
  ];
  if (selectors.length === 0) return true;
  return (
    resource === 'pods' && selectors.every((s) => isInScope(object as Pod, s.scopeName, s.operator, s.values ?? []))
  );
}

function isInScope(pod: Pod, scope: string, operator: string, values: readonly string[]): boolean {
  switch (scope) {
    case 'Terminating':
      return pod.spec.activeDeadlineSeconds !== undefined;
    case 'NotTerminating':
      return pod.spec.activeDeadlineSeconds === undefined;
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return matchesPriorityClass(pod.spec.priorityClassName ?? '', operator, values);
    default:
      return false;
  }
}

function matchesPriorityClass(name: string, operator: string, values: readonly string[]): boolean {
  if (operator === 'In') return values.includes(name);
  if (operator === 'NotIn') return !values.includes(name);
  return (name !== '') === (operator === 'Exists');
}

const isBestEffort = (pod: Pod): boolean =>
  [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].every((c) =>
    Object.keys({ ...c.resources?.requests, ...c.resources?.limits }).every((r) => r !== 'cpu' && r !== 'memory'),
  );
