import type { Pod } from '../api/core_v1.js';
import type { Reader } from '../machinery/client.js';
import type { NodeInfo } from './node-info.js';

/** Why a node cannot take the pod; `unresolvable`: not even if pods were evicted from it. */
export interface Rejection {
  readonly reasons: readonly string[];
  readonly unresolvable: boolean;
}
export const unschedulable = (...reasons: string[]): Rejection => ({ reasons, unresolvable: false });
export const unresolvable = (...reasons: string[]): Rejection => ({ reasons, unresolvable: true });

/** What plug-ins see of the cluster. */
export interface Snapshot {
  readonly nodes: readonly NodeInfo[];
  readonly read: Reader;
}

/** The pod fits nowhere, whatever the node (upstream's PreFilter rejection). */
export interface PreFilterRejection {
  readonly preFilterMessage: string;
}

export type Filter = (info: NodeInfo) => Rejection | undefined;

/** `prepare` does once per pod what does not depend on the node; undefined = this pod is of no concern (Skip). */
export interface FilterPlugin {
  readonly name: string;
  preFilter(pod: Pod, cluster: Snapshot): Filter | PreFilterRejection | undefined;
}

export interface Score {
  score(info: NodeInfo): number;
  /** Brings raw scores to 0..100, in place. */
  normalizeScores?(scores: number[]): void;
}

export interface ScorePlugin {
  readonly name: string;
  /** Weights of the default profile: pkg/scheduler/apis/config/v1/default_plugins.go. */
  readonly weight: number;
  preScore(pod: Pod, cluster: Snapshot, feasible: readonly NodeInfo[]): Score | undefined;
}

export const MAX_SCORE = 100;

/**
 * Scales so that the largest is 100; reversed: so that the largest is 0. Models plugins/helper DefaultNormalizeScore.
 */
export function defaultNormalizeScore(scores: number[], reverse: boolean): void {
  let largest = 0;
  for (const s of scores) if (s > largest) largest = s;
  for (let i = 0; i < scores.length; i++) {
    const scaled = largest === 0 ? 0 : Math.floor((scores[i]! * MAX_SCORE) / largest);
    scores[i] = reverse ? MAX_SCORE - scaled : scaled;
  }
}
