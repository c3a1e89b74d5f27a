import type { Pod } from '../../../api/core_v1.js';
import type { Client, Reader } from '../../../machinery/client.js';
import { parseTimestamp, timestamp, type Millis } from '../../../machinery/time/time.js';
import { formatTime, makePodRuntime, readPodRuntime, storePodRuntime, type StopCause } from './pod-runtime.js';

/**
 * A manager of the kubelet sees to it that a pod's worker stops it. The API server hears nothing of it before the last
 * container has ended. Models pod_workers.go UpdatePod with KillPodOptions, status_manager.go mergePodStatus.
 */
export function markStopped(client: Client, pod: Pod, cause: StopCause, now: Millis): void {
  const stored = readPodRuntime(client, pod);
  const made = stored ?? makePodRuntime(pod, undefined, { containers: {} });
  const at = formatTime(now);
  storePodRuntime(client, stored, { ...made, asked: at, stopping: { ...cause, since: at, isDisruption: true } });
}

/** Since when a kubelet stops a pod for a reason; undefined: it does not. */
export function stoppedSince(read: Reader, pod: Pod, reason: string): Millis | undefined {
  const { stopping } = readPodRuntime(read, pod) ?? {};
  return stopping?.reason === reason ? parseTimestamp(stopping.since ?? '') : undefined;
}

/** A pod that its kubelet has ended, and not what runs in it. Models eviction_manager.go evictPod. */
export const withDisruption = (
  { metadata, status }: Pod,
  message: string,
  now: Millis,
): Pod['status']['conditions'] => [
  ...(status.conditions ?? []).filter(({ type }) => type !== 'DisruptionTarget'),
  {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'TerminationByKubelet',
    message,
    ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
    lastProbeTime: null as unknown as undefined,
    lastTransitionTime: timestamp(now),
  },
];
