import type { Container } from '../../../api/core_v1.js';
import { isPodPhaseTerminal } from '../../../kinds/core/pod/status/phase.js';
import { isSidecar } from '../container/role.js';
import { getPhase, hasMainContainerStarted, type Statuses } from '../status/phase.js';
import { isTurnOf } from '../images/pull-queue.js';
import { allContainers, pullQueueOfSync, shownStatuses, wakeNoLaterThan, type PodSync } from './pod-sync.js';
import { stopContainer } from './stop-container.js';
import { syncContainer } from './sync-container.js';

/**
 * Syncs the containers that may run now: init containers one after the other, then all others. True while sidecars
 * still stop after the last of the pod's own containers: they keep it Running.
 * Models kuberuntime_manager.go computePodActions.
 */
export function syncContainers(sync: PodSync): boolean {
  if (!syncInitContainers(sync)) return false;
  syncMainContainers(sync);
  for (const container of sync.pod.spec.ephemeralContainers ?? [])
    syncContainer(sync, container as Container, 'ephemeral');
  if (hasTurnCome(sync)) wakeNoLaterThan(sync, sync.context.now);
  return stopLonelySidecars(sync);
}

/** Whether a pull has waited for one of its own pod that this sync has ended. */
const hasTurnCome = (sync: PodSync): boolean =>
  allContainers(sync.pod).some((container) => {
    const { step, pull, due } = sync.records.get(container.name) ?? {};
    return step === 'pulling' && pull && due === undefined && isTurnOf(pullQueueOfSync(sync, container), pull.place);
  });

/** False while an init container has to be waited for. */
function syncInitContainers(sync: PodSync): boolean {
  const { spec } = sync.pod;
  for (const container of spec.initContainers ?? []) {
    syncContainer(sync, container, isSidecar(container) ? 'sidecar' : 'init');
    const status = sync.statuses.get(container.name);
    const isOld = sync.records.get(container.name)?.isOfLostSandbox === true;
    const hasPassed = !isOld && (isSidecar(container) ? status?.started : status?.state?.terminated?.exitCode === 0);
    if (!hasPassed && !hasMainContainerStarted(spec, statusesOfSandbox(sync))) return false;
  }
  return true;
}

/** Without those of a sandbox that is gone. Models PodStatus.ActiveContainerStatuses. */
function statusesOfSandbox({ statuses, records }: PodSync): Statuses {
  if (![...records.values()].some(({ isOfLostSandbox }) => isOfLostSandbox)) return statuses;
  return new Map([...statuses].filter(([name]) => !records.get(name)?.isOfLostSandbox));
}

/**
 * A kubelet starts one container after the other, and one that is being started before those which have to start again
 * meanwhile; those that run go on.
 */
function syncMainContainers(sync: PodSync): void {
  const { containers } = sync.pod.spec;
  const first = containers.find((container) => isBeingStarted(sync, container));
  const ordered = first ? [first, ...containers.filter((container) => container !== first)] : containers;
  let isStarting = false;
  for (const container of ordered) {
    if (isStarting && !sync.statuses.get(container.name)?.state?.running) continue;
    syncContainer(sync, container, 'main');
    isStarting ||= isBeingStarted(sync, container);
  }
}

function isBeingStarted(sync: PodSync, { name }: Container): boolean {
  const { step, postStart } = sync.records.get(name) ?? {};
  return step === 'pulling' || step === 'creating' || postStart !== undefined;
}

/** Stops the sidecars of a pod whose own containers have all ended for good. True while one of them still runs. */
function stopLonelySidecars(sync: PodSync): boolean {
  const sidecars = sync.pod.spec.initContainers?.filter(isSidecar) ?? [];
  if (sidecars.length === 0 || !isPodPhaseTerminal(getPhase(sync.pod, shownStatuses(sync)))) return false;
  return sidecars.filter((sidecar) => stopContainer(sync, sidecar)).length > 0;
}
