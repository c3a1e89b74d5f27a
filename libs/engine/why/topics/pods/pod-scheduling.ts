import type { Pod } from '../../../api/core_v1.js';
import { claimNamesOf } from '../../../kinds/core/pod/claims.js';
import { isPodTerminal } from '../../../kinds/core/pod/status/phase.js';
import { Nodes, PersistentVolumeClaims, PersistentVolumes, Pods } from '../../../kinds/index.js';
import type { PastChange } from '../../../machinery/past-change.js';
import type { SchedulingReport, WhyFinding } from '../../../machinery/questions/why.js';
import { actorText } from '../../text.js';
import { findingOf, MAX_DEPTH, MAX_DETAILS, refOf, type Topic, type World } from '../../world.js';
import { claimTopic, placesOf } from '../storage.js';
import { deviceFindings } from './pod-devices.js';

const DEFAULT_SCHEDULER = 'default-scheduler';

/** Why a pod has no node: the scheduler's own cycle, asked at present and without its early ends. */
export const schedulingFindings: Topic<Pod> = (world, pod, depth) => {
  const { schedulingGates = [], schedulerName = DEFAULT_SCHEDULER } = pod.spec;
  if (schedulingGates.length > 0) {
    const names = schedulingGates.map(({ name }) => name).join(', ');
    return [findingOf(pod, 'SchedulingGated', `nobody has removed its scheduling gates: ${names}`)];
  }
  const isOther = schedulerName !== DEFAULT_SCHEDULER;
  if (isOther && !world.hasScheduler(schedulerName))
    return [findingOf(pod, 'NoScheduler', `it waits for a scheduler named "${schedulerName}", and none runs`)];
  if (!isOther && !world.isEnabled('kube-scheduler'))
    return [findingOf(pod, 'NoScheduler', 'kube-scheduler does not run, so nobody looks for a node')];
  const { summary, nodes, left } = world.explainScheduling(pod);
  if (!summary)
    return [findingOf(pod, 'Pending', 'a node fits it now, and the scheduler has not come to it yet', revisions(pod))];
  const lines = nodes.map(({ node, verdicts }) => `${node}: ${verdicts.join('; ') || 'fits'}`);
  const ranger = pod.metadata.annotations?.['kubernetes.io/limit-ranger'];
  const limits = ranger === undefined ? [] : [`a LimitRange has set what it did not ask for itself: ${ranger}`];
  const details = [
    ...lines.slice(0, MAX_DETAILS),
    ...more(lines.length - MAX_DETAILS + left),
    ...limits,
    ...own(pod, lines),
    ...elsewhere(world, pod, nodes),
    ...preferred(world, pod, nodes),
  ];
  return [
    findingOf(pod, 'Unschedulable', summary, { details }),
    ...claimFindings(world, pod, depth),
    ...deviceFindings(world, pod),
    ...nodeChanges(world, nodes),
    ...labelChanges(world, nodes),
    ...conditionFindings(world, nodes, depth),
  ];
};

/** What of the pod itself makes it harder to place than its containers' requests say. */
function own({ spec }: Pod, lines: readonly string[]): string[] {
  const { overhead, runtimeClassName, preemptionPolicy } = spec;
  const isShort = lines.some((line) => line.includes('Insufficient'));
  const added = Object.entries(overhead ?? {}).map(([resource, amount]) => `${resource} ${amount}`);
  return [
    ...(isShort && added.length > 0
      ? [`RuntimeClass ${runtimeClassName ?? ''} adds ${added.join(', ')} to what its containers ask for`]
      : []),
    ...(isShort && preemptionPolicy === 'Never'
      ? ['it takes no place of pods of lower priority: its preemptionPolicy is Never']
      : []),
  ];
}

/** Pods of a higher priority where it does not find enough: it cannot take their places. */
function preferred({ read }: World, pod: Pod, nodes: SchedulingReport['nodes']): string[] {
  const short = nodes.filter(({ verdicts }) => verdicts.some((verdict) => verdict.includes('Insufficient')));
  const priority = pod.spec.priority ?? 0;
  const above = short.flatMap(({ node }) =>
    read
      .byIndex(Pods, 'nodeName', node)
      .filter((other) => !isPodTerminal(other) && (other.spec.priority ?? 0) > priority && !isOfSystem(other))
      .map((other) => `${refOf(other)} (priority ${other.spec.priority ?? 0}, on ${node})`),
  );
  if (above.length === 0) return [];
  const names = above.slice(0, MAX_PREFERRED).join(', ');
  return [`pods of a higher priority than its own (${priority}) hold places there: ${names}`];
}

/** From where volumes of its claims can be reached, where nodes are refused because of them. */
function elsewhere({ read }: World, pod: Pod, nodes: SchedulingReport['nodes']): string[] {
  if (!nodes.some(({ verdicts }) => verdicts.some((verdict) => verdict.startsWith('VolumeBinding')))) return [];
  return claimNamesOf(pod).flatMap((name) => {
    const claim = read.get(PersistentVolumeClaims, { namespace: pod.metadata.namespace ?? '', name });
    const volume = read.get(PersistentVolumes, { namespace: '', name: claim?.spec?.volumeName ?? '' });
    if (!claim || !volume?.spec?.nodeAffinity) return [];
    return [`${refOf(volume)} of its ${refOf(claim)} can be reached from nodes of ${placesOf(volume)} alone`];
  });
}

const MAX_PREFERRED = 5;
const isOfSystem = ({ metadata }: Pod): boolean => metadata.namespace === 'kube-system';

/** Nodes that are told of, and changes of each that are looked through. */
const MAX_NODES = 3;
const MAX_CHANGES = 20;
const BY_HAND = /^NodeUnschedulable|^TaintToleration: (?!.*\((?:node-role\.)?(?:node\.)?kubernetes\.io[^,]*\)$)/;

/** Who has tainted or cordoned the nodes that repel a pod. */
function nodeChanges(world: World, nodes: SchedulingReport['nodes']): WhyFinding[] {
  const repelling = nodes.filter(({ verdicts }) => verdicts.some((verdict) => BY_HAND.test(verdict)));
  return repelling.slice(0, MAX_NODES).flatMap(({ node: name }) => {
    const node = world.read.get(Nodes, { namespace: '', name });
    const change = node && lastOfUser(world, name, 'spec');
    if (!change) return [];
    const { unschedulable, taints = [] } = node.spec;
    const is = [
      ...(unschedulable ? ['cordoned'] : []),
      ...(taints.length > 0 ? [`tainted with ${taints.map(({ key, effect }) => `${key}:${effect}`).join(', ')}`] : []),
    ];
    const message = `it is ${is.join(' and ')}; ${actorText(change.actor)} was the last user to change its spec`;
    return [findingOf(node, 'NodeChanged', message, { revision: change.revision })];
  });
}

/** Who has changed the labels of nodes that a selector or an affinity does not find. */
function labelChanges(world: World, nodes: SchedulingReport['nodes']): WhyFinding[] {
  const unmatched = nodes.filter(({ verdicts }) => verdicts.some((verdict) => verdict.startsWith('NodeAffinity')));
  const changed = unmatched.flatMap(({ node: name }) => {
    const node = world.read.get(Nodes, { namespace: '', name });
    const change = node && lastOfUser(world, name, 'metadata.labels');
    if (!change) return [];
    const message = `${actorText(change.actor)} was the last user to change its labels`;
    return [findingOf(node, 'NodeChanged', message, { revision: change.revision })];
  });
  return changed.slice(0, MAX_NODES);
}

/** The last change of a field of a node by a user. */
function lastOfUser(world: World, name: string, field: string): PastChange | undefined {
  const filter = { resource: 'nodes', namespace: '', name, ofUsers: true };
  const before = Number.MAX_SAFE_INTEGER;
  const { changes } = world.past({ type: 'search', filter, before, limit: MAX_CHANGES });
  return changes.find(({ fields }) => fields.includes(field));
}

const OF_CONDITION = /node\.kubernetes\.io\/(?:disk-pressure|memory-pressure|pid-pressure|not-ready|unreachable)/;

/** What is wrong with nodes whose own conditions repel a pod. */
function conditionFindings(world: World, nodes: SchedulingReport['nodes'], depth: number): WhyFinding[] {
  if (depth >= MAX_DEPTH) return [];
  const repelling = nodes.filter(({ verdicts }) => verdicts.some((verdict) => OF_CONDITION.test(verdict)));
  return repelling.slice(0, MAX_NODES).flatMap(({ node: name }) => {
    const node = world.read.get(Nodes, { namespace: '', name });
    return node ? world.explain('nodes', node, depth + 1) : [];
  });
}

const more = (left: number): string[] => (left > 0 ? [`and ${left} more nodes`] : []);

const revisions = (pod: Pod): { revision: number } => ({ revision: Number(pod.metadata.resourceVersion ?? 0) });

/** What is wrong with the claims that it mounts: a claim that waits for the pod is not. */
const claimFindings: Topic<Pod> = (world, pod, depth): WhyFinding[] => {
  if (depth >= MAX_DEPTH) return [];
  return claimNamesOf(pod).flatMap((name) => {
    const claim = world.read.get(PersistentVolumeClaims, { namespace: pod.metadata.namespace ?? '', name });
    if (!claim) return [];
    return claimTopic(world, claim, depth + 1).filter(({ reason }) => reason !== 'WaitForFirstConsumer');
  });
};
