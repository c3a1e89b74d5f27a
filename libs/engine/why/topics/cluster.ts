import type { Namespace, Node, Pod, ResourceQuota } from '../../api/core_v1.js';
import type { PodDisruptionBudget } from '../../api/policy_v1.js';
import { APIServices, PodDisruptionBudgets, Pods } from '../../kinds/index.js';
import { isPodReady } from '../../kinds/core/pod/status/phase.js';
import { formatTaint } from '../../machinery/scheduling/tolerations.js';
import { compareQuantity } from '../../machinery/quantity/quantity.js';
import { matchesLabelSelector } from '../../machinery/selectors/selectors.js';
import type { WhyFinding } from '../../machinery/questions/why.js';
import { findingOf, lastEvent, refOf, revisionOf, type Topic, type World } from '../world.js';
import { deletionFindings } from './deletion.js';
import { quotaUsers } from './refusals/quotas.js';
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
  const taints = (node.spec.taints ?? []).filter(({ key }) => !OWN_TAINT.test(key));
  if (taints.length > 0) {
    const message = `it keeps pods away that do not tolerate its taints: ${taints.map(formatTaint).join(', ')}`;
    found.push(findingOf(node, 'NodeTainted', message));
  }
  return found;
};

/** Taints that Kubernetes sets by itself: conditions tell of them. */
const OWN_TAINT = /^node(-role)?\.kubernetes\.io\//;

/** Of a budget that holds a drain: what it asks for, and why pods of it are not ready. */
const MAX_OF_BUDGET = 3;

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
  return budgets.flatMap((budget) => budgetTopic(world, budget, depth + 1).slice(0, MAX_OF_BUDGET));
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
    `(${rule}); a drain waits until ${desiredHealthy >= expectedPods ? 'the budget changes, or there are more pods' : 'more are'}`;
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

/** What a quota has no more of. */
export const quotaTopic: Topic<ResourceQuota> = (world, quota) => {
  const { hard = {}, used = {} } = quota.status ?? {};
  const full = Object.keys(hard).filter((name) => isFull(used[name] ?? '0', hard[name]!));
  if (full.length === 0) return [];
  const text = full.map((name) => `${name}: ${used[name]} of ${hard[name]}`).join(', ');
  return [findingOf(quota, 'QuotaUsedUp', `it is used up: ${text}`, { details: quotaUsers(world, quota) })];
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

const MAX_HELD = 5;

/** Objects of a namespace that wait for their finalizers. */
function heldObjects(world: World, { metadata }: Namespace): WhyFinding[] {
  const { kinds, read } = world;
  const held = kinds()
    .filter(({ scope, storedAs, internal }) => scope === 'Namespaced' && !storedAs && !internal)
    .flatMap((kind) => read.list(kind, metadata.name))
    .filter((one) => one.metadata.deletionTimestamp !== undefined && (one.metadata.finalizers?.length ?? 0) > 0);
  const ending = read.list(Pods, metadata.name).filter((pod) => !held.includes(pod));
  const finalizers = held
    .slice(0, MAX_HELD)
    .map((one) =>
      findingOf(one, 'FinalizersRemain', `nobody has taken off its finalizers: ${one.metadata.finalizers?.join(', ')}`),
    );
  return [...finalizers, ...ending.slice(0, MAX_HELD).flatMap((pod) => deletionFindings(world, pod))];
}

/** What a namespace that is deleted waits for. */
export const namespaceTopic: Topic<Namespace> = (world, namespace) => {
  if (!namespace.metadata.deletionTimestamp) return [];
  const found = (namespace.status?.conditions ?? [])
    .filter(({ type, status }) => status === 'True' && type.startsWith('Namespace'))
    .map(({ type, reason, message }) => findingOf(namespace, reason ?? type, `${type}: ${message ?? ''}`));
  if (found.length > 0) return [...found, ...heldObjects(world, namespace), ...unreachedServers(world, found)];
  if (!world.isEnabled('kube-controller-manager'))
    return [findingOf(namespace, 'NoController', 'kube-controller-manager does not run, so nobody empties it')];
  const event = lastEvent(world, namespace, ['FailedDelete']);
  return [
    findingOf(namespace, 'Terminating', event?.message ?? 'its objects are being deleted', {
      revision: event ? revisionOf(event) : revisionOf(namespace),
    }),
  ];
};
