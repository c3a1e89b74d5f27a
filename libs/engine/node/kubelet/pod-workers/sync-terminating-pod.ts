import type { Pod, PodStatus } from '../../../api/core_v1.js';
import { isPodTerminal } from '../../../kinds/core/pod/status/phase.js';
import { Pods } from '../../../kinds/index.js';
import { isMirrorPod } from '../../../kinds/core/pod/mirror.js';
import { hasStore } from '../../../kinds/terrarium/fault/active.js';
import { keyOf } from '../../../machinery/meta/object.js';
import type { Result } from '../../../runtime/controller.js';
import { shortenGracePeriods } from '../kuberuntime/kill.js';
import { forgetMachine } from '../pod/heard-lines.js';
import { deletePodRuntime, parseTime } from '../pod/pod-runtime.js';
import { getPhase, type PodPhase, type Statuses } from '../status/phase.js';
import { generateAPIPodStatus } from '../status/pod-status.js';
import { setPodStatus, terminatePod } from '../status/status-manager.js';
import { finishSync } from './finish-sync.js';
import { endLostContainers } from './lost-sandbox.js';
import { allContainers, readNode, type PodSync } from './pod-sync.js';
import { cancelPulls, stopContainer } from './stop-container.js';

/**
 * Stops the containers of a pod that is being deleted, each after its grace period. Models kubelet.go
 * SyncTerminatingPod.
 */
export function syncTerminatingPod(sync: PodSync): Result | void {
  const { pod, statuses, podIP } = sync;
  const grace = pod.metadata.deletionGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30;
  shortenKills(sync);
  const hasSandbox = podIP !== undefined;
  if (cancelPulls(sync)) return finishSync(sync, { phase: getPhase(pod, statuses), hasSandbox });
  endLostContainers(sync);
  const isRunning = allContainers(pod).filter((container) => stopContainer(sync, container, grace)).length > 0;
  if (!isRunning) return syncTerminatedPod(sync);
  return finishSync(sync, { phase: getPhase(pod, statuses), hasSandbox });
}

/** A later delete may bring the deadline forward. That follows from the pod, so that it alone is not worth a write. */
function shortenKills(sync: PodSync): void {
  const { context, pod, stored, records } = sync;
  if (!stored) return;
  const containers = shortenGracePeriods(stored.containers, parseTime(pod.metadata.deletionTimestamp), context.now);
  sync.stored = { ...stored, containers };
  for (const name in containers) records.set(name, containers[name]!);
}

/**
 * Writes the last status of a pod that has stopped, then removes the pod for good. Models kubelet.go SyncTerminatedPod.
 */
function syncTerminatedPod(sync: PodSync): void {
  const { context, pod } = sync;
  const { client } = context;
  // It asks again when the store is back, which wakes it.
  if (!hasStore(client) && !isMirrorPod(pod)) return;
  if (!isPodTerminal(pod)) setPodStatus(client, pod, terminatePod(pod, finalStatus(sync)));
  deletePodRuntime(client, keyOf(pod));
  forgetMachine(client, keyOf(pod));
  client.delete(Pods, keyOf(pod), { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } });
}

/** The status of a pod that stops. A container that waits for its restart gets none: it has ended as it did last. */
function finalStatus({ context, pod, statuses, podIP }: PodSync): PodStatus {
  const { client, now } = context;
  for (const [name, status] of statuses) {
    const terminated = status.state?.waiting && status.lastState?.terminated;
    if (terminated) statuses.set(name, { ...status, state: { terminated }, lastState: {} });
  }
  const phase = finalPhase(pod, statuses);
  return generateAPIPodStatus({ pod, node: readNode(client, pod), statuses, phase, podIP, hasSandbox: false, now });
}

/** A pod whose containers have all ended is Succeeded or Failed, whatever its restart policy. */
function finalPhase(pod: Pod, statuses: Statuses): PodPhase {
  const ended = pod.spec.containers.map((c) => statuses.get(c.name)?.state?.terminated);
  if (ended.some((terminated) => !terminated)) return getPhase(pod, statuses);
  return ended.every((terminated) => terminated!.exitCode === 0) ? 'Succeeded' : 'Failed';
}
