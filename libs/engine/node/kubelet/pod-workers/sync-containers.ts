import type { Container, Pod } from '../../../api/core_v1.js';
import { isPodPhaseTerminal } from '../../../kinds/core/pod/status/phase.js';
import { isSidecar, type Role } from '../container/role.js';
import { getPhase, hasMainContainerStarted, type Statuses } from '../status/phase.js';
import { findBeingStarted, waitsForAnother } from './being-started.js';
import { shownStatuses, type PodSync } from './pod-sync.js';
import { stopContainer } from './stop-container.js';
import { syncContainer } from './sync-container.js';

/**
 * Syncs the containers that may run now: init containers one after the other, then all others. True while sidecars
 * still stop after the last of the pod's own containers: they keep it Running.
 * Models kuberuntime_manager.go computePodActions.
 */
export function syncContainers(sync: PodSync): boolean {
  goOnStarting(sync);
  if (!syncInitContainers(sync)) return false;
  syncMainContainers(sync);
  for (const container of sync.pod.spec.ephemeralContainers ?? [])
    if (mayGoOn(sync, container as Container)) syncContainer(sync, container as Container, 'ephemeral');
  return stopLonelySidecars(sync);
}

/** False while an init container has to be waited for. */
function syncInitContainers(sync: PodSync): boolean {
  const { spec } = sync.pod;
  for (const container of spec.initContainers ?? []) {
    if (mayGoOn(sync, container)) syncContainer(sync, container, roleOf(sync.pod, container));
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

/** A kubelet starts one container after the other; those that run go on. */
function syncMainContainers(sync: PodSync): void {
  for (const container of sync.pod.spec.containers)
    if (mayGoOn(sync, container)) syncContainer(sync, container, 'main');
}

const mayGoOn = (sync: PodSync, container: Container): boolean =>
  sync.statuses.get(container.name)?.state?.running !== undefined || !waitsForAnother(sync, container);

/** What is being started is so whatever has become of others meanwhile. */
function goOnStarting(sync: PodSync): void {
  const container = findBeingStarted(sync);
  if (container) syncContainer(sync, container, roleOf(sync.pod, container));
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
