import type { Pod } from '../api/core_v1.js';
import type { Reader } from '../machinery/client.js';
import type { NodeInfo } from './cache/node-info.js';
import type { Nominations } from './cache/nominations.js';

/** The reasons why a pod does not fit a node; `unresolvable`: evicting pods from the node would not help. */
export interface Rejection {
  readonly reasons: readonly string[];
  readonly unresolvable: boolean;
}
/** Models the status Unschedulable. */
export const unschedulable = (...reasons: string[]): Rejection => ({ reasons, unresolvable: false });
/** Models the status UnschedulableAndUnresolvable. */
export const unresolvable = (...reasons: string[]): Rejection => ({ reasons, unresolvable: true });

/** The cluster as the plug-ins see it in one cycle. */
export interface Snapshot {
  readonly nodes: readonly NodeInfo[];
  readonly read: Reader;
  /** Absent: no pod is nominated to run on a node. */
  readonly nominations?: Nominations;
}

/** The pod fits no node, whatever the node is. */
export interface PreFilterRejection {
  readonly preFilterMessage: string;
}

/** Models the extension point Filter: the rejection of a node; undefined when the pod fits it. */
export type Filter = (info: NodeInfo) => Rejection | undefined;

export interface FilterPlugin {
  readonly name: string;
  /**
   * Computes once per pod what does not depend on the node; undefined means Skip: the plug-in has nothing to filter.
   */
  preFilter(pod: Pod, snapshot: Snapshot): Filter | PreFilterRejection | undefined;
}

export interface Score {
  score(info: NodeInfo): number;
  /** Scales raw scores to 0..MAX_SCORE, in place. */
  normalizeScores?(scores: number[]): void;
}

export interface ScorePlugin {
  readonly name: string;
  /** Weights of the default profile: pkg/scheduler/apis/config/v1/default_plugins.go. */
  readonly weight: number;
  /** Computes once per pod what does not depend on the node; undefined means Skip: all nodes are equal. */
  preScore(pod: Pod, snapshot: Snapshot, feasible: readonly NodeInfo[]): Score | undefined;
}

export const MAX_SCORE = 100;

/**
 * Scales the scores in place so that the largest is MAX_SCORE; `reverse` gives it 0. Models plugins/helper
 * DefaultNormalizeScore.
 */
export function defaultNormalizeScore(scores: number[], reverse: boolean): void {
  let largest = 0;
  for (const s of scores) if (s > largest) largest = s;
  for (let i = 0; i < scores.length; i++) {
    const scaled = largest === 0 ? 0 : Math.floor((scores[i]! * MAX_SCORE) / largest);
    scores[i] = reverse ? MAX_SCORE - scaled : scaled;
  }
}
