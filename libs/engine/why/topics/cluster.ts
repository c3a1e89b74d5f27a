import type { HorizontalPodAutoscaler } from '../../api/autoscaling_v2.js';
import type { Namespace, Node, Pod, ResourceQuota } from '../../api/core_v1.js';
import type { PodDisruptionBudget } from '../../api/policy_v1.js';
import { APIServices, PodDisruptionBudgets, Pods } from '../../kinds/index.js';
import { isPodReady } from '../../kinds/core/pod/status/phase.js';
import { compareQuantity } from '../../machinery/quantity/quantity.js';
import { matchesLabelSelector } from '../../machinery/selectors/selectors.js';
import type { WhyFinding } from '../../machinery/questions/why.js';
import { findingOf, lastEvent, refOf, revisionOf, type Topic, type World } from '../world.js';
import { podReasons } from './workloads.js';

/** Why a node is not ready, or takes no pods. */
export const nodeTopic: Topic<Node> = (world, node, depth) => {
  const { conditions = [] } = node.status;
  const ready = conditions.find(({ type }) => type === 'Ready');
  const event = lastEvent(world, node, ['NodeNotReady', 'NodeShutdown', 'Rebooted', 'EvictionThresholdMet']);
  const told = event?.message ? [`event ${event.reason}: ${event.message}`] : [];
  const found: WhyFinding[] = [];
  if (!world.isEnabled('kubelet'))
    found.push(findingOf(node, 'NoKubelet', 'the kubelets of this cluster are switched off'));
  if (ready && ready.status !== 'True')
    found.push(findingOf(node, ready.reason ?? 'NotReady', ready.message ?? 'it is not ready', { details: told }));
  for (const { type, status, reason, message } of conditions)
    if (type !== 'Ready' && status === 'True')
      found.push(findingOf(node, reason ?? type, `${type}: ${message ?? ''}`, { details: told }));
  if (node.spec.unschedulable)
    found.push(
      findingOf(node, 'NodeUnschedulable', 'it is cordoned (spec.unschedulable): no new pods are placed on it'),
      ...heldPods(world, node, depth),
    );
  return found;
};

/** What a drain of the node would wait for: pods whose budgets let nobody go. */
function heldPods(world: World, node: Node, depth: number): WhyFinding[] {
  const pods = world.read.byIndex(Pods, 'nodeName', node.metadata.name ?? '');
  const budgets = world.read
    .list(PodDisruptionBudgets)
    .filter(({ metadata, spec, status }) =>
      pods.some(
        (pod) =>
          pod.metadata.namespace === metadata.namespace &&
          matchesLabelSelector(spec.selector, pod.metadata.labels) &&
          (status?.disruptionsAllowed ?? 0) === 0,
      ),
    );
  return budgets.flatMap((budget) => budgetTopic(world, budget, depth + 1).slice(0, 1));
}

/** Why a budget lets nobody go. */
export const budgetTopic: Topic<PodDisruptionBudget> = (world, budget, depth) => {
  const { disruptionsAllowed = 0, currentHealthy = 0, desiredHealthy = 0, expectedPods = 0 } = budget.status ?? {};
  const overlaps = overlapFindings(world, budget);
  if (disruptionsAllowed > 0) return overlaps;
  const failed = budget.status?.conditions?.find(({ reason }) => reason === 'SyncFailed');
  if (failed) return [findingOf(budget, 'SyncFailed', failed.message)];
  if (expectedPods === 0) return [findingOf(budget, 'NoPods', 'no pod matches its selector: it protects nothing')];
  const pods = world.read
    .list(Pods, budget.metadata.namespace)
    .filter(({ metadata }) => matchesLabelSelector(budget.spec.selector, metadata.labels));
  const { minAvailable, maxUnavailable } = budget.spec;
  const rule = minAvailable === undefined ? `maxUnavailable ${maxUnavailable}` : `minAvailable ${minAvailable}`;
  const message =
    `no pod may be evicted: ${currentHealthy} of ${expectedPods} pods are healthy, and ${desiredHealthy} must be ` +
    `(${rule}); a drain waits until more are`;
  const details = pods.map((pod) => `${refOf(pod)}: ${isPodReady(pod) ? 'healthy' : 'not ready'}`);
  const own = findingOf(budget, 'InsufficientPods', message, { details });
  return [...overlaps, own, ...podReasons(world, pods, depth)];
};

/** Pods that another budget has, too, are evicted by nobody. Models pkg/registry/core/pod/storage/eviction.go. */
function overlapFindings({ read }: World, budget: PodDisruptionBudget): WhyFinding[] {
  const { namespace, name } = budget.metadata;
  const pods = read.list(Pods, namespace).filter((pod) => hasPod(budget, pod));
  const others = read
    .list(PodDisruptionBudgets, namespace)
    .filter((other) => other.metadata.name !== name && pods.some((pod) => hasPod(other, pod)));
  if (others.length === 0) return [];
  const message = `${others.map(refOf).join(', ')} has pods of it, too: no pod with more than one budget can be evicted`;
  return [findingOf(budget, 'MultipleBudgets', message)];
}

const hasPod = ({ spec }: PodDisruptionBudget, { metadata }: Pod): boolean =>
  spec.selector !== undefined && matchesLabelSelector(spec.selector, metadata.labels);

/** Why an autoscaler does not scale. */
export const autoscalerTopic: Topic<HorizontalPodAutoscaler> = (world, autoscaler) => {
  const conditions = autoscaler.status?.conditions ?? [];
  const bad = conditions.filter(({ type, status }) => (type === 'ScalingLimited') === (status === 'True'));
  const found = bad.map(({ type, reason, message }) =>
    findingOf(autoscaler, reason ?? type, `${type}: ${message ?? ''}`),
  );
  if (conditions.length === 0) {
    const event = lastEvent(world, autoscaler, ['FailedGetScale', 'FailedGetResourceMetric']);
    const message = event?.message ?? 'its controller has not looked at it yet';
    return [findingOf(autoscaler, event?.reason ?? 'NoStatus', message)];
  }
  const able = conditions.find(({ type }) => type === 'AbleToScale');
  const hold = able?.reason === 'ScaleDownStabilized' || able?.reason === 'BackoffBoth';
  if (hold) found.push(findingOf(autoscaler, able.reason ?? '', `AbleToScale: ${able.message ?? ''}`));
  const { currentReplicas = 0, desiredReplicas } = autoscaler.status ?? {};
  const metrics = (autoscaler.status?.currentMetrics ?? []).flatMap(({ resource }) =>
    resource ? [`${resource.name}: ${resource.current.averageUtilization ?? '<unknown>'}% now`] : [],
  );
  const counts = `it wants ${desiredReplicas ?? 0} replicas and there are ${currentReplicas} (${autoscaler.spec.minReplicas ?? 1} to ${autoscaler.spec.maxReplicas})`;
  if (found.some(({ message }) => message.includes('.metrics.k8s.io'))) metrics.push(...metricsServer(world));
  return [...found.sort(activeFirst), findingOf(autoscaler, 'DesiredWithinRange', counts, { details: metrics })];
};

/** Why the metrics of resources are not served. */
function metricsServer({ read }: World): string[] {
  const service = read.get(APIServices, { namespace: '', name: 'v1beta1.metrics.k8s.io' });
  if (!service) return ['no APIService v1beta1.metrics.k8s.io is there: metrics-server is not installed'];
  const available = service.status?.conditions?.find(({ type }) => type === 'Available');
  return available?.status === 'True' ? [] : [`${refOf(service)} is not available: ${available?.message ?? ''}`];
}

/** What keeps it from acting explains more than where it stops. */
const activeFirst = (a: WhyFinding, b: WhyFinding): number =>
  Number(a.message.startsWith('ScalingLimited')) - Number(b.message.startsWith('ScalingLimited'));

/** What a quota has no more of. */
export const quotaTopic: Topic<ResourceQuota> = (_world, quota) => {
  const { hard = {}, used = {} } = quota.status ?? {};
  const full = Object.keys(hard).filter((name) => isFull(used[name] ?? '0', hard[name]!));
  if (full.length === 0) return [];
  const text = full.map((name) => `${name}: ${used[name]} of ${hard[name]}`).join(', ');
  return [findingOf(quota, 'QuotaUsedUp', `it is used up: ${text}`)];
};

const isFull = (used: string, hard: string): boolean => compareQuantity(used, hard) >= 0;

/** The API servers behind groups that discovery does not reach. */
function unreachedServers({ read }: World, found: readonly WhyFinding[]): WhyFinding[] {
  if (!found.some(({ reason }) => reason === 'DiscoveryFailed')) return [];
  return read.list(APIServices).flatMap((service) => {
    const available = service.status?.conditions?.find(({ type }) => type === 'Available');
    if (!service.spec.service || available?.status !== 'False') return [];
    return [findingOf(service, available.reason ?? 'Available', `Available: ${available.message ?? ''}`)];
  });
}

/** What a namespace that is deleted waits for. */
export const namespaceTopic: Topic<Namespace> = (world, namespace) => {
  if (!namespace.metadata.deletionTimestamp) return [];
  const found = (namespace.status?.conditions ?? [])
    .filter(({ type, status }) => status === 'True' && type.startsWith('Namespace'))
    .map(({ type, reason, message }) => findingOf(namespace, reason ?? type, `${type}: ${message ?? ''}`));
  if (found.length > 0) return [...found, ...unreachedServers(world, found)];
  if (!world.isEnabled('kube-controller-manager'))
    return [findingOf(namespace, 'NoController', 'kube-controller-manager does not run, so nobody empties it')];
  const event = lastEvent(world, namespace, ['FailedDelete']);
  return [
    findingOf(namespace, 'Terminating', event?.message ?? 'its objects are being deleted', {
      revision: event ? revisionOf(event) : revisionOf(namespace),
    }),
  ];
};
