import type { Container, Pod } from '../../../api/core_v1.js';
import { isPodPhaseTerminal } from '../../../kinds/core/pod/status/phase.js';
import { isSidecar, type Role } from '../container/role.js';
import { getPhase, hasMainContainerStarted, type Statuses } from '../status/phase.js';
import { findBeingStarted, waitsForAnother } from './being-started.js';
import { shownStatuses, wakeNoLaterThan, type PodSync } from './pod-sync.js';
import { stopContainer } from './stop-container.js';
import { syncContainer } from './sync-container.js';

/**
 * Syncs the containers that may run now: init containers one after the other, then all others. True while sidecars
 * still stop after the last of the pod's own containers: they keep it Running.
 * Models kuberuntime_manager.go computePodActions.
 */
export function syncContainers(sync: PodSync): boolean {
  const first = findBeingStarted(sync);
  const isStopping = syncInOrder(sync, first);
  // What has waited for it comes next, at this moment.
  if (first && sync.isHeldUp && findBeingStarted(sync) !== first) wakeNoLaterThan(sync, sync.context.now);
  return isStopping;
}

/** Each container is looked at once: what was looked at before one starts may be another thing afterwards. */
function syncInOrder(sync: PodSync, first: Container | undefined): boolean {
  const { initContainers = [], containers, ephemeralContainers = [] } = sync.pod.spec;
  const awaited = syncInitContainers(sync);
  if (awaited) {
    const passed = initContainers.slice(0, initContainers.indexOf(awaited) + 1);
    if (first && !passed.includes(first)) syncContainer(sync, first, roleOf(sync.pod, first));
    return false;
  }
  for (const container of [...containers, ...(ephemeralContainers as Container[])])
    if (mayGoOn(sync, container)) syncContainer(sync, container, roleOf(sync.pod, container));
  return stopLonelySidecars(sync);
}

/** The init container that has to be waited for; undefined: the others may run. */
function syncInitContainers(sync: PodSync): Container | undefined {
  const { spec } = sync.pod;
  for (const container of spec.initContainers ?? []) {
    if (mayGoOn(sync, container)) syncContainer(sync, container, roleOf(sync.pod, container));
    const status = sync.statuses.get(container.name);
    const isOld = sync.records.get(container.name)?.isOfLostSandbox === true;
    const hasPassed = !isOld && (isSidecar(container) ? status?.started : status?.state?.terminated?.exitCode === 0);
    if (!hasPassed && !hasMainContainerStarted(spec, statusesOfSandbox(sync))) return container;
  }
  return undefined;
}

/** Without those of a sandbox that is gone. Models PodStatus.ActiveContainerStatuses. */
function statusesOfSandbox({ statuses, records }: PodSync): Statuses {
  if (![...records.values()].some(({ isOfLostSandbox }) => isOfLostSandbox)) return statuses;
  return new Map([...statuses].filter(([name]) => !records.get(name)?.isOfLostSandbox));
}

/** A kubelet starts one container after the other; those that run go on. */
function mayGoOn(sync: PodSync, container: Container): boolean {
  if (sync.statuses.get(container.name)?.state?.running || !waitsForAnother(sync, container)) return true;
  sync.isHeldUp = true;
  return false;
}

function roleOf({ spec }: Pod, container: Container): Role {
  if (spec.containers.includes(container)) return 'main';
  if (!spec.initContainers?.includes(container)) return 'ephemeral';
  return isSidecar(container) ? 'sidecar' : 'init';
}

/** Stops the sidecars of a pod whose own containers have all ended for good. True while one of them still runs. */
function stopLonelySidecars(sync: PodSync): boolean {
  const sidecars = sync.pod.spec.initContainers?.filter(isSidecar) ?? [];
  if (sidecars.length === 0 || !isPodPhaseTerminal(getPhase(sync.pod, shownStatuses(sync)))) return false;
  return sidecars.filter((sidecar) => stopContainer(sync, sidecar)).length > 0;
}
