import type { Container, Pod } from '../../../api/core_v1.js';
import { containerShouldRestart } from '../../../kinds/core/pod/restart.js';
import { lastingEffects } from '../../../kinds/terrarium/fault/active.js';
import { normalEvent } from '../events/event.js';
import { findExit, isExitNoticed } from '../pleg/pleg.js';
import { dropStart } from './being-started.js';
import {
  allContainers,
  processOfContainer,
  recordEvents,
  startTimeOf,
  trackContainer,
  type PodSync,
} from './pod-sync.js';
import { endContainer, UNKNOWN } from './supervise-container.js';

/** Models kuberuntime_manager.go SyncPod. */
const SANDBOX_CHANGED = normalEvent('SandboxChanged', 'Pod sandbox changed, it will be killed and re-created.');
const EXIT_OF_UNKNOWN = 255;

/**
 * After a boot a pod's containers are found dead, and its sandbox with them: it gets another one, with another address,
 * and all of its containers begin anew in it, those that initialize it too. Models kuberuntime_manager.go
 * computePodActions, pkg/kubelet/kuberuntime/util PodSandboxChanged.
 */
export function replaceLostSandbox(sync: PodSync): void {
  const { pod } = sync;
  const dead = endLostContainers(sync);
  if (!dead.some((container) => startsAgain(pod, container))) return;
  recordEvents(sync, [SANDBOX_CHANGED]);
  // What is in the node's network has the node's address, with a sandbox or without.
  if (!pod.spec.hostNetwork) sync.podIP = undefined;
  for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
    markLost(sync, container);
    // What its kubelet was about to start before is nobody's.
    dropStart(sync, container);
  }
}

/** Ends the containers that went with their node's power, as the runtime tells it; returns them. */
export function endLostContainers(sync: PodSync): Container[] {
  const { context, pod } = sync;
  const isLost = lastingEffects(context.client, 'process').some(({ effect }) => effect.reason === UNKNOWN);
  return isLost ? allContainers(pod).filter((container) => endLostContainer(sync, container)) : [];
}

function endLostContainer(sync: PodSync, container: Container): boolean {
  if (!sync.statuses.get(container.name)?.state?.running) return false;
  const process = processOfContainer(sync, container);
  const startedAt = startTimeOf(sync, container);
  if (!process) return false;
  const exit = findExit(process, trackContainer(sync, container).record, startedAt);
  if (!exit?.byItself || exit.reason !== UNKNOWN) return false;
  if (!isExitNoticed(exit, startedAt, sync.context.now, sync.delays.instant)) return false;
  endContainer(sync, container, process, exit);
  return true;
}

const startsAgain = ({ spec }: Pod, container: Container): boolean =>
  [...(spec.initContainers ?? []), ...spec.containers].includes(container) &&
  (container.restartPolicy === 'Always' || containerShouldRestart(container, spec, EXIT_OF_UNKNOWN));

function markLost(sync: PodSync, container: Container): void {
  const { record } = trackContainer(sync, container);
  if (sync.statuses.get(container.name)?.containerID === undefined) return;
  const isInit = sync.pod.spec.initContainers?.includes(container) === true;
  sync.records.set(container.name, { ...record, isOfLostSandbox: true, ...(isInit ? { restarting: true } : {}) });
}
