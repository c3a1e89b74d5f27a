import type { FilterPlugin, ScorePlugin } from '../plugin.js';
import { imageLocality } from './image-locality.js';
import { interPodAffinity, interPodAffinityScore } from './inter-pod-affinity.js';
import { nodeAffinity, nodeAffinityScore } from './node-affinity.js';
import { nodeName } from './node-name.js';
import { nodePorts } from './node-ports.js';
import { balancedAllocation, leastAllocated, nodeResourcesFit } from './node-resources-fit.js';
import { nodeUnschedulable } from './node-unschedulable.js';
import { podTopologySpread, podTopologySpreadScore } from './pod-topology-spread.js';
import { taintToleration, taintTolerationScore } from './taint-toleration.js';
import { volumeBinding } from './volume-binding.js';
import { volumeRestrictions } from './volume-restrictions.js';

/** The default profile's filters, in its order: the first that rejects a node gives the reason. */
export const filters: readonly FilterPlugin[] = [
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeRestrictions,
  volumeBinding,
  podTopologySpread,
  interPodAffinity,
];

/** The default profile's scores. */
export const scores: readonly ScorePlugin[] = [
  taintTolerationScore,
  nodeAffinityScore,
  leastAllocated,
  podTopologySpreadScore,
  interPodAffinityScore,
  balancedAllocation,
  imageLocality,
];
