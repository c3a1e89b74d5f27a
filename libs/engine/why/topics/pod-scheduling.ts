import type { Pod } from '../../api/core_v1.js';
import { PersistentVolumeClaims } from '../../kinds/index.js';
import type { WhyFinding } from '../../machinery/questions/why.js';
import { findingOf, MAX_DEPTH, MAX_DETAILS, type Topic } from '../world.js';
import { claimTopic } from './storage.js';

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
  const details = [...lines.slice(0, MAX_DETAILS), ...more(lines.length - MAX_DETAILS + left)];
  return [findingOf(pod, 'Unschedulable', summary, { details }), ...claimFindings(world, pod, depth)];
};

const more = (left: number): string[] => (left > 0 ? [`and ${left} more nodes`] : []);

const revisions = (pod: Pod): { revision: number } => ({ revision: Number(pod.metadata.resourceVersion ?? 0) });

/** What is wrong with the claims that it mounts: a claim that waits for the pod is not. */
const claimFindings: Topic<Pod> = (world, { metadata, spec }, depth): WhyFinding[] => {
  if (depth >= MAX_DEPTH) return [];
  return (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => {
    const name = persistentVolumeClaim?.claimName;
    const claim = name && world.read.get(PersistentVolumeClaims, { namespace: metadata.namespace ?? '', name });
    if (!claim) return [];
    return claimTopic(world, claim, depth + 1).filter(({ reason }) => reason !== 'WaitForFirstConsumer');
  });
};
