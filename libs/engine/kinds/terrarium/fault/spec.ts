import type { Condition } from '../../../api/meta_v1.js';
import type { Effect, Target } from '../../../faults/index.js';
import type { KubeObject } from '../../../machinery/meta/object.js';

/** Something that goes wrong in the cluster, for a while. */
export interface Fault extends KubeObject {
  spec: FaultSpec;
  status: FaultStatus;
}

export interface FaultSpec {
  /** The name of a FaultType: 'NodeDown'. */
  type: string;
  target?: Target;
  /** A duration after the object's creation, or a time as RFC 3339; absent: at once. */
  start?: string;
  /** Absent: until it is ended or deleted. */
  duration?: string;
  /** Decides what is chosen, and which packets and requests are hit. */
  seed?: number;
  parameters?: Record<string, unknown>;
  /** Ends it now. */
  ended?: boolean;
}

export type FaultPhase = 'Pending' | 'Active' | 'Finished' | 'Failed';

/** Times are metav1.MicroTime. */
export interface FaultStatus {
  phase?: FaultPhase;
  observedGeneration?: number;
  /** When it is to begin. */
  startsAt?: string;
  /** When it is to end; absent: it is not known. */
  endsAt?: string;
  startTime?: string;
  endTime?: string;
  /** What was chosen: 'node/worker-1', 'pod/shop/web-0'. */
  targets?: string[];
  effects?: Effect[];
  conditions?: Condition[];
  message?: string;
}
