import type { KubeObject } from '../../../machinery/meta/object.js';
import type { FaultSpec } from '../fault/kind.js';

/** Faults one after another and beside each other, on the cluster's clock. */
export interface Scenario extends KubeObject {
  spec: ScenarioSpec;
  status: ScenarioStatus;
}

export interface ScenarioSpec {
  /** One after another. */
  steps: ScenarioStep[];
  /** Ends it, and its faults, now. */
  ended?: boolean;
}

/** A step waits for its delay, then has a fault, or steps of its own. */
export interface ScenarioStep {
  name?: string;
  delay?: string;
  /** Its duration is waited for, unless it is detached. Without one it lasts until the scenario's end. */
  fault?: Omit<FaultSpec, 'start' | 'ended'>;
  detached?: boolean;
  /** One after another. */
  steps?: ScenarioStep[];
  /** Side by side: the longest is waited for. */
  parallel?: ScenarioStep[];
}

/** Times are metav1.MicroTime. */
export interface ScenarioStatus {
  phase?: 'Running' | 'Finished';
  startTime?: string;
  endsAt?: string;
  endTime?: string;
  steps?: { name: string; fault: string; type: string; startsAt: string }[];
}
