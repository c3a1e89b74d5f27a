import { networkOfNode } from '../../../kinds/terrarium/noderuntime/kind.js';
import type { Result } from '../../../runtime/controller.js';
import type { Addresses } from '../../cni/addresses.js';
import { giveAddress } from '../../cni/give-address.js';
import { findDeviceProblem } from '../../dra/prepare.js';
import { plugByMultus } from './plug-by-multus.js';
import { activeDeadline, DEADLINE_EXCEEDED } from '../active-deadline.js';
import { normalEvent, warningEvent, type PodEvent } from '../events/event.js';
import { findRuntimeFailure } from '../kuberuntime/runtime-class.js';
import { findMemoryFailure } from '../kuberuntime/sandbox-memory.js';
import { createPodSandbox } from '../kuberuntime/sandbox.js';
import type { AdmitFailure } from '../lifecycle/admit-failure.js';
import { admitPod } from '../lifecycle/predicate.js';
import { parseTime, type StopCause } from '../pod/pod-runtime.js';
import { getPhase } from '../status/phase.js';
import { generateRejectedStatus } from '../status/pod-status.js';
import { setPodStatus } from '../status/status-manager.js';
import { findMountFailures } from '../volumemanager/mount-failures.js';
import { waitForAttachAndMount, type MountRetry } from '../volumemanager/volume-manager.js';
import { findStop, waitForMeasure } from './evict-pod.js';
import { finishSync } from './finish-sync.js';
import { replaceLostSandbox } from './lost-sandbox.js';
import {
  allContainers,
  randomID,
  readNode,
  recordEvents,
  shownStatuses,
  viewOfSync,
  wakeNoLaterThan,
  type PodSync,
} from './pod-sync.js';
import { resizePod } from './resize-pod.js';
import { cancelPulls, stopContainer } from './stop-container.js';
import { syncContainers } from './sync-containers.js';

/** Brings a pod as far as it gets at this moment. Models kubelet.go SyncPod. */
export function syncPod(sync: PodSync, addresses: Addresses): Result | void {
  const { context, pod } = sync;
  const { client, now } = context;
  if (!pod.status.startTime) {
    const failure = admitPod(pod, readNode(client, pod), client);
    if (failure) return rejectPod(sync, failure);
  }
  const deadline = activeDeadline(pod, context.now) ?? Infinity;
  if (deadline <= now) return failPod(sync, normalEvent(DEADLINE_EXCEEDED.reason, DEADLINE_EXCEEDED.message));
  wakeNoLaterThan(sync, deadline);
  const stop = findStop(sync);
  if (stop) return failPod(sync, warningEvent(stop.reason, stop.message), stop);
  replaceLostSandbox(sync);
  const hasSandbox = mountVolumes(sync) && ensureSandbox(sync, addresses);
  if (hasSandbox) resizePod(sync);
  const isStopping = hasSandbox && syncContainers(sync);
  waitForMeasure(sync);
  const phase = isStopping ? 'Running' : getPhase(pod, shownStatuses(sync));
  return finishSync(sync, { phase, hasSandbox });
}

function rejectPod(sync: PodSync, failure: AdmitFailure): void {
  const { context, pod } = sync;
  recordEvents(sync, [warningEvent(failure.reason, failure.message)]);
  setPodStatus(context.client, pod, generateRejectedStatus(pod, failure, context.now));
}

/** Stops a pod for good, for the reason that an event tells. Models pkg/kubelet/status mergePodStatus. */
function failPod(sync: PodSync, event: PodEvent, stop: Partial<StopCause> = {}): Result | void {
  const { pod, statuses } = sync;
  const { reason, message } = event;
  const { graceSeconds, isDisruption } = stop;
  if (pod.status.reason !== reason && sync.stopping?.reason !== reason) recordEvents(sync, [event]);
  const isRunning =
    cancelPulls(sync) ||
    allContainers(pod).filter((container) => stopContainer(sync, container, graceSeconds)).length > 0;
  if (!isRunning)
    return finishSync(sync, { phase: 'Failed', hasSandbox: false, cause: { reason, message, isDisruption } });
  // The API server hears the reason with the phase: not while a container runs.
  sync.stopping = { ...stop, reason, message };
  const phase = pod.status.phase ?? getPhase(pod, statuses);
  return finishSync(sync, { phase, hasSandbox: sync.podIP !== undefined });
}

/** True when the containers may start: their volumes are mounted, and their devices prepared. */
function mountVolumes(sync: PodSync): boolean {
  const { context, pod, stored, delays, machines } = sync;
  // The volumes of a pod that has a sandbox and containers were mounted by an earlier sync.
  if (sync.podIP !== undefined && sync.statuses.size > 0) return true;
  const unmounted = findMountFailures(pod, context.client, (name) =>
    machines?.volumeFiles(viewOfSync(sync), name, context.now),
  );
  const unprepared = unmounted.length > 0 ? undefined : findDeviceProblem(pod, context.client);
  const { retry, events } = waitForAttachAndMount({
    problems: unprepared === undefined ? unmounted : [unprepared],
    retry: stored && mountRetryOf(stored),
    now: context.now,
    instant: delays.instant,
  });
  recordEvents(sync, events ?? []);
  if (!retry) return true;
  sync.mount = retry;
  wakeNoLaterThan(sync, retry.retryAt);
  return false;
}

const mountRetryOf = ({ mountRetryAt, mountFailures = 1 }: NonNullable<PodSync['stored']>): MountRetry | undefined =>
  mountRetryAt === undefined ? undefined : { retryAt: parseTime(mountRetryAt), failures: mountFailures };

/** True when the pod has a sandbox, and with it an address. */
function ensureSandbox(sync: PodSync, addresses: Addresses): boolean {
  const { context, pod, stored, delays } = sync;
  if (sync.podIP !== undefined) return true;
  const network = networkOfNode(context.client, pod.spec.nodeName ?? '');
  const { podIP, due, events } = createPodSandbox({
    pod,
    node: readNode(context.client, pod),
    ...(network ? { network } : {}),
    runtime: findRuntimeFailure(context.client, pod, pod.spec.nodeName ?? '') ?? findMemoryFailure(pod),
    due: stored?.sandboxDue === undefined ? undefined : parseTime(stored.sandboxDue),
    now: context.now,
    duration: () => delays.sandbox(),
    retry: (failure) => delays.retry(failure),
    allocate: (node) => {
      const given = giveAddress({ read: context.client, addresses, node, pod, network });
      return network?.multus && 'ip' in given ? plugByMultus(sync, node, network, given.ip) : given;
    },
    newID: () => randomID(context.random),
  });
  recordEvents(sync, events ?? []);
  sync.podIP = podIP;
  if (network) sync.range6 = network.range6 ?? '';
  sync.sandboxDue = due;
  if (due !== undefined) wakeNoLaterThan(sync, due);
  return podIP !== undefined;
}
