import type { Pod } from '../../../api/core_v1.js';
import { Pods } from '../../../kinds/index.js';
import type { Client } from '../../../machinery/client.js';
import { timestamp, type Millis } from '../../../machinery/time/time.js';
import { makePodRuntime, readPodRuntime, storePodRuntime, type StopCause } from './pod-runtime.js';

/** Reasons of pods that a manager of the kubelet has marked: their workers stop them. */
const REASONS: ReadonlySet<string> = new Set(['Evicted', 'Preempting', 'Terminated']);

export const isMarked = ({ status }: Pod): boolean => status.reason !== undefined && REASONS.has(status.reason);

/** Marks a pod, so that its worker stops it. Models pod_workers.go UpdatePod with KillPodOptions. */
export function markStopped(client: Client, pod: Pod, { reason, message, graceSeconds }: StopCause, now: Millis): void {
  const conditions = [
    ...(pod.status.conditions ?? []).filter(({ type }) => type !== 'DisruptionTarget'),
    {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'TerminationByKubelet',
      message,
      ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
      lastProbeTime: null as unknown as undefined,
      lastTransitionTime: timestamp(now),
    },
  ];
  if (graceSeconds !== undefined) {
    const stored = readPodRuntime(client, pod);
    const made = stored ?? makePodRuntime(pod, undefined, { containers: {} });
    storePodRuntime(client, stored, { ...made, stopGraceSeconds: graceSeconds });
  }
  client.updateStatus(Pods, { ...pod, status: { ...pod.status, reason, message, conditions } });
}
