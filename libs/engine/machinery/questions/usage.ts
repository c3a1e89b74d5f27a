import type { Node, Pod } from '../../api/core_v1.js';
import type { Millis } from '../time/time.js';

/** What something used, on the average of the last whole window before a time. */
export interface Usage {
  /** Thousandths of a CPU. */
  readonly cpu: number;
  /** The working set, in bytes. */
  readonly memory: number;
}

export interface PodUsage {
  readonly pod: Pod;
  /** By name, those that run since before the window. */
  readonly containers: ReadonlyMap<string, Usage>;
}

export interface NodeUsage extends Usage {
  readonly node: Node;
}

/** What kubelets tell of their pods' and nodes' use. Throws UnfinishedWork when machines have much to do until then. */
export interface UsageSource {
  /** Of running pods, of a namespace or of all ('' for these). */
  pods(namespace: string, now: Millis): PodUsage[];
  nodes(now: Millis): NodeUsage[];
  /** Whether a program runs that may use, or make others use, more or less than now without a change of any object. */
  mayChange(now: Millis): boolean;
}

/** How often metrics are scraped, and how long what they say was measured. */
export const USAGE_WINDOW: Millis = 15_000;
