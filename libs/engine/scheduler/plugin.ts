import type { Pod } from '../api/core_v1.js';
import type { Reader } from '../machinery/client.js';
import type { NodeInfo } from './node-info.js';

/** Why a node cannot take the pod; `unresolvable`: not even if pods were evicted from it. */
export interface Rejection {
  readonly reasons: readonly string[];
  readonly unresolvable: boolean;
}
export const reject = (...reasons: string[]): Rejection => ({ reasons, unresolvable: false });
export const rejectForGood = (...reasons: string[]): Rejection => ({ reasons, unresolvable: true });

/** What plug-ins see of the cluster. */
export interface Cluster {
  readonly nodes: readonly NodeInfo[];
  readonly read: Reader;
}

/** The pod fits nowhere, whatever the node (upstream's PreFilter rejection). */
export interface FitsNowhere {
  readonly nowhere: string;
}

export type Filter = (info: NodeInfo) => Rejection | undefined;

/** `prepare` does once per pod what does not depend on the node; undefined = this pod is of no concern (Skip). */
export interface FilterPlugin {
  readonly name: string;
  prepare(pod: Pod, cluster: Cluster): Filter | FitsNowhere | undefined;
}

export interface Score {
  of(info: NodeInfo): number;
  /** Brings raw scores to 0..100, in place. */
  normalize?(scores: number[]): void;
}

export interface ScorePlugin {
  readonly name: string;
  /** Weights of the default profile: pkg/scheduler/apis/config/v1/default_plugins.go. */
  readonly weight: number;
  prepare(pod: Pod, cluster: Cluster, feasible: readonly NodeInfo[]): Score | undefined;
}

export const MAX_SCORE = 100;

/**
 * Scales so that the largest is 100; reversed: so that the largest is 0. Models plugins/helper DefaultNormalizeScore.
 */
export function normalizeByLargest(scores: number[], reverse: boolean): void {
  let largest = 0;
  for (const s of scores) if (s > largest) largest = s;
  for (let i = 0; i < scores.length; i++) {
    const scaled = largest === 0 ? 0 : Math.floor((scores[i]! * MAX_SCORE) / largest);
    scores[i] = reverse ? MAX_SCORE - scaled : scaled;
  }
}
