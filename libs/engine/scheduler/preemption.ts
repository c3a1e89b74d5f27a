import type { Pod } from '../api/core_v1.js';
import { parseTimestamp } from '../machinery/time/time.js';
import { preemptionMessage, type FitError } from './fit-error.js';
import type { NodeInfo } from './cache/node-info.js';
import { priorityOf } from './cache/nominations.js';
import { unresolvable, unschedulable, type Rejection } from './plugin.js';

const NOT_HELPFUL = unresolvable('Preemption is not helpful for scheduling');
const NO_VICTIMS = unschedulable('No preemption victims found for incoming pod');
/** The DynamicResources plug-in's PostFilter message precedes that of preemption, also for pods without claims. */
const dynamicResourcesMessage = ({ spec }: Pod): string =>
  spec.resourceClaims?.length ? 'still not schedulable' : 'no new claims to deallocate';

/** A node on which the pod fits without the victims. */
export interface Candidate {
  readonly node: NodeInfo;
  readonly victims: readonly Pod[];
}

/** Nobody is to be evicted. `isWaiting`: the pod was not looked at, and stays nominated to the node that it has. */
export interface NoVictims {
  readonly why: string;
  readonly isWaiting?: boolean;
}

/**
 * The fewest pods of lower priority without which the pod fits; undefined when it fits without none of them. All are
 * removed, then reprieved, the most important first, while the pod still fits. Models SelectVictimsOnNode.
 */
function selectVictimsOnNode(pod: Pod, info: NodeInfo, fitError: FitError): readonly Pod[] | undefined {
  const lower = [...info.pods.values()].filter((p) => priorityOf(p) < priorityOf(pod));
  if (lower.length === 0 || fitError.filter(info.without(lower))) return undefined;
  let victims = lower.sort((a, b) => priorityOf(b) - priorityOf(a) || startTimeOf(a) - startTimeOf(b));
  for (const reprieved of [...victims]) {
    const fewer = victims.filter((v) => v !== reprieved);
    if (!fitError.filter(info.without(fewer))) victims = fewer;
  }
  return victims;
}
const startTimeOf = (pod: Pod): number => (pod.status.startTime ? parseTimestamp(pod.status.startTime) : Infinity);

/**
 * The candidate whose most important victim has the lowest priority, then the one with the lowest sum of priorities,
 * then the one with the fewest victims. Models preemption.go pickOneNodeForPreemption.
 */
function pickOneNodeForPreemption(candidates: readonly Candidate[]): Candidate | undefined {
  const cost = ({ victims }: Candidate): number[] => [
    Math.max(...victims.map(priorityOf)),
    victims.reduce((sum, v) => sum + priorityOf(v) + 2 ** 31, 0),
    victims.length,
  ];
  return [...candidates].sort((a, b) => {
    const [x, y] = [cost(a), cost(b)];
    const i = x.findIndex((n, j) => n !== y[j]);
    return i < 0 ? 0 : x[i]! - y[i]!;
  })[0];
}

/**
 * The node and the victims whose eviction lets the pod fit, or upstream's message that there are none. Models
 * framework/preemption and plugins/defaultpreemption.
 */
export function findVictims(pod: Pod, fitError: FitError): Candidate | NoVictims {
  if (pod.spec.preemptionPolicy === 'Never')
    return {
      why: `${dynamicResourcesMessage(pod)}, preemption: not eligible due to preemptionPolicy=Never.`,
      isWaiting: true,
    };
  const nominated = [...fitError.rejections.keys()].find((n) => n.name === pod.status.nominatedNodeName);
  if (
    nominated &&
    !fitError.rejections.get(nominated)?.unresolvable &&
    [...nominated.pods.values()].some((p) => p.metadata.deletionTimestamp && priorityOf(p) < priorityOf(pod))
  ) {
    return {
      why: `${dynamicResourcesMessage(pod)}, preemption: not eligible due to a terminating pod on the nominated node.`,
      isWaiting: true,
    };
  }
  const outcomes: Rejection[] = [];
  const candidates: Candidate[] = [];
  for (const [node, rejection] of fitError.rejections) {
    if (rejection.unresolvable) {
      outcomes.push(NOT_HELPFUL);
      continue;
    }
    const victims = selectVictimsOnNode(pod, node, fitError);
    if (victims) candidates.push({ node, victims });
    else outcomes.push(NO_VICTIMS);
  }
  return (
    pickOneNodeForPreemption(candidates) ?? {
      why: `${dynamicResourcesMessage(pod)}, preemption: ${preemptionMessage(fitError.nodes, outcomes)}`,
    }
  );
}
