import type { Container, PodSpec, Toleration } from '../../../api/core_v1.js';
import type { Env } from '../env.js';
import type { ChaosEngine } from '../objects.js';

/** How an experiment's helper differs from those of others. */
export interface HelperSpec {
  /** TOTAL_CHAOS_DURATION where nothing says it. */
  readonly seconds: number;
  /** It acts on pods of its node, which TARGETS names; else on a node. */
  readonly ofPods: boolean;
  /** Its name ends in six letters of its own; else in five of the API server's. */
  readonly isNamed: boolean;
  /** How many parts a target has: a fourth says whether its traffic passes a service mesh. */
  readonly parts: 3 | 4;
  readonly hostPID: boolean;
  /** Runs on another node than the one that it is for. */
  readonly isElsewhere?: boolean;
  /** Where LIB_IMAGE says none, and it is not go-runner's. */
  readonly image?: string;
  readonly tolerations?: (seconds: number) => readonly Toleration[];
  container(given: HelperGiven): Partial<Container>;
  volumes?(given: HelperGiven): PodSpec['volumes'];
}

export interface HelperGiven {
  readonly engine: ChaosEngine;
  readonly experiment: string;
  readonly env: Env;
  readonly seconds: number;
  readonly targets: string;
  readonly runId: string;
  /** The node's address, of node-restart. */
  readonly address: string;
  /** `--cpu` and `--vm-bytes` of node-cpu-hog and node-memory-hog. */
  readonly amount: string;
}
