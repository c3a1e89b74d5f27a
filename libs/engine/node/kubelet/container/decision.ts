import type { ContainerStatus } from '../../../api/core_v1.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { PodEvent } from '../events/event.js';
import type { ContainerRecord } from '../pod/pod-runtime.js';

/** One container as a sync of its pod knows it. */
export interface TrackedContainer {
  readonly status: ContainerStatus;
  readonly record: ContainerRecord;
}

/** What one part of the kubelet decided about a container. Only the pod worker puts it into effect. */
export interface Decision {
  /** The status from now on; absent: it stays. */
  readonly status?: ContainerStatus;
  /** The record from now on; absent: it stays. */
  readonly record?: ContainerRecord;
  /** In the order in which they are to be recorded. */
  readonly events?: readonly PodEvent[];
  /** The pod needs a sync at this time, at the latest. */
  readonly wakeAt?: Millis;
}
