import type { Node, Pod } from '../../../api/core_v1.js';
import { claimNamesOf } from '../../../kinds/core/pod/claims.js';
import { Nodes, PersistentVolumeClaims } from '../../../kinds/index.js';
import { isPodReady, isPodTerminal } from '../../../kinds/core/pod/status/phase.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { findingOf, lastEvent, MAX_DEPTH, revisionOf, unique, type Topic, type World } from '../../world.js';
import { askedServices } from './asked-services.js';
import { changedConfig } from './changed-config.js';
import { containerFindings } from './pod-containers.js';
import { evictionFinding } from './pod-eviction.js';
import { logClues } from './log-clues.js';
import { schedulingFindings } from './pod-scheduling.js';

/** Why a pod does not run, or is not ready. */
export const podTopic: Topic<Pod> = (world, pod, depth) => {
  const { status, spec } = pod;
  const eviction = evictionFinding(world, pod);
  if (eviction) return [eviction];
  if (!spec.nodeName && !isPodTerminal(pod)) return schedulingFindings(world, pod, depth);
  const disruption = disruptionFinding(world, pod);
  const node = nodeFinding(world, pod);
  // What ends because its pod is deleted has not failed.
  const isEnding = pod.metadata.deletionTimestamp !== undefined && isPodTerminal(pod);
  const containers = isEnding ? [] : containerFindings(world, pod);
  const found = [disruption, node, ...containers].filter((one) => one !== undefined);
  if (found.length > 0) {
    const asked = containers.length > 0 ? askedServices(world, pod, depth) : [];
    return unique([
      ...found,
      ...logClues(world, pod, containers, depth),
      ...changedConfig(world, pod, containers),
      ...asked,
      ...mountFindings(world, pod, depth),
    ]);
  }
  if (status.phase === 'Succeeded' || isEnding) return [];
  if (status.phase === 'Failed')
    return [findingOf(pod, status.reason ?? 'Failed', status.message ?? 'the pod has failed')];
  return isPodReady(pod) ? [] : gateFindings(pod);
};

function disruptionFinding(world: World, pod: Pod): WhyFinding | undefined {
  const { reason, message, conditions } = pod.status;
  const disrupted = conditions?.find(({ type, status }) => type === 'DisruptionTarget' && status === 'True');
  if (disrupted) return findingOf(pod, disrupted.reason ?? 'DisruptionTarget', disrupted.message ?? 'the pod is to go');
  if (reason && message) return findingOf(pod, reason, message);
  // Its containers are still ending.
  const late = pod.spec.activeDeadlineSeconds === undefined ? undefined : lastEvent(world, pod, ['DeadlineExceeded']);
  return late && findingOf(pod, 'DeadlineExceeded', late.message ?? '', { revision: revisionOf(late) });
}

/** A node that is not ready makes its pods so, whatever they do. */
function nodeFinding({ read }: World, pod: Pod): WhyFinding | undefined {
  const name = pod.spec.nodeName ?? '';
  const node: Node | undefined = read.get(Nodes, { namespace: '', name });
  if (!node) return findingOf(pod, 'NodeLost', `its node ${name} is not there`);
  const ready = node.status.conditions?.find(({ type }) => type === 'Ready');
  if (!ready || ready.status === 'True' || isPodTerminal(pod)) return undefined;
  return findingOf(node, 'NodeNotReady', `its node ${name} is not ready: ${ready.message ?? ready.reason ?? ''}`);
}

/** What is wrong with claims of a pod whose kubelet waits for them. */
function mountFindings(world: World, pod: Pod, depth: number): WhyFinding[] {
  if (depth >= MAX_DEPTH || pod.status.phase !== 'Pending') return [];
  return claimNamesOf(pod).flatMap((name) => {
    const claim = world.read.get(PersistentVolumeClaims, { namespace: pod.metadata.namespace ?? '', name });
    return claim && claim.status?.phase !== 'Bound' ? world.explain('persistentvolumeclaims', claim, depth + 1) : [];
  });
}

/** Conditions that somebody else has to set. */
function gateFindings(pod: Pod): WhyFinding[] {
  const conditions = pod.status.conditions ?? [];
  const missing = (pod.spec.readinessGates ?? []).filter(
    ({ conditionType }) => conditions.find(({ type }) => type === conditionType)?.status !== 'True',
  );
  if (missing.length > 0) {
    const names = missing.map(({ conditionType }) => conditionType).join(', ');
    return [findingOf(pod, 'ReadinessGatesNotReady', `nobody has set its readiness gates to True: ${names}`)];
  }
  const unmet = conditions.filter(({ status, message }) => status === 'False' && message);
  return unmet.map(({ type, reason, message }) => findingOf(pod, reason ?? type, `${type}: ${message}`));
}
