import type { KubeObject } from '../../../machinery/meta/object.js';

/**
 * Lets a cluster's time go on as fast as it can: by a duration, to a time, until a condition holds, or by so many
 * reconciles. Several are carried out in the order in which they were created, also while the Clock is paused.
 */
export interface Advance extends KubeObject {
  spec: AdvanceSpec;
  /** Written by the cluster alone. */
  status: AdvanceStatus;
}

/** One of `by`, `to`, `until` and `steps`. */
export interface AdvanceSpec {
  /** A duration of virtual time, as '10m'. */
  by?: string;
  /** A virtual time, as RFC 3339 has it. */
  to?: string;
  /** A condition in CEL. Objects of all kinds stand in lists of their plural names: 'pods.all(p, ...)'. */
  until?: string;
  /** So many reconciles, one after the other; 0 only tells what will run next. */
  steps?: number;
  /** `until` has failed when it does not hold after so much virtual time; by default an hour. */
  limit?: string;
  /** The Clock is paused when it is over. */
  pause?: boolean;
}

export type AdvancePhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

export interface AdvanceStatus {
  phase: AdvancePhase;
  /** Virtual times. */
  startedAt?: string;
  target?: string;
  reached?: string;
  /** Of the virtual time to the target, or of the steps: 0 to 100. */
  progress?: number;
  /** What has run, the newest last; and what runs next. */
  ran?: readonly RanStep[];
  next?: NextStep;
  conditions?: readonly AdvanceCondition[];
}

export interface AdvanceCondition {
  readonly type: 'Complete' | 'Failed';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

/** A key that a controller is about to reconcile. */
export interface NextStep {
  readonly controller: string;
  readonly component: string;
  readonly namespace?: string;
  readonly name: string;
  /** When, in virtual time. */
  readonly at: string;
  /** 'change': one that it watches; 'delay': such a change, seen later; 'requeue': its own wish or back-off; 'rate'. */
  readonly why: 'change' | 'delay' | 'requeue' | 'rate';
  /** The revision of that change. */
  readonly cause?: number;
  /** Keys that wait in the controller's queue. */
  readonly queued: number;
}

export interface RanStep extends Omit<NextStep, 'queued' | 'why'> {
  readonly outcome: 'ok' | 'requeue' | 'error';
  readonly error?: string;
  readonly writes: readonly StepWrite[];
  /** Writes that are not listed. */
  readonly moreWrites?: number;
}

export interface StepWrite {
  readonly revision: number;
  readonly verb: 'create' | 'update' | 'delete';
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
}
