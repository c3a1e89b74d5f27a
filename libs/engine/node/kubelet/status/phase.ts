import type { ContainerStatus, Pod, PodSpec } from '../../../api/core_v1.js';
import { containerShouldRestart } from '../../../kinds/core/pod/restart.js';
import { isSidecar } from '../container/role.js';

/** Statuses by container name, those of init containers included. */
export type Statuses = ReadonlyMap<string, ContainerStatus>;

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** Whether one of the pod's own containers has ever been created: its initialization is over then. */
export const hasMainContainerStarted = (spec: PodSpec, statuses: Statuses): boolean =>
  spec.containers.some((c) => statuses.get(c.name)?.containerID);

/** The pod's phase, by the states of its containers. Models kubelet_pods.go getPhase. */
export function getPhase({ spec }: Pod, statuses: Statuses): PodPhase {
  return getInitializationPhase(spec, statuses) ?? getRunningPhase(spec, statuses);
}

/** 'Pending' while an init container has to be waited for, 'Failed' when one has failed for good. */
function getInitializationPhase(spec: PodSpec, statuses: Statuses): PodPhase | undefined {
  for (const container of spec.initContainers ?? []) {
    const status = statuses.get(container.name);
    if (isSidecar(container)) {
      if (!status?.started && !hasMainContainerStarted(spec, statuses)) return 'Pending';
      continue;
    }
    if (status?.state?.terminated?.exitCode === 0) continue;
    const exitCode = lastExitCode(status) ?? 0;
    return exitCode !== 0 && !containerShouldRestart(container, spec, exitCode) ? 'Failed' : 'Pending';
  }
  return undefined;
}

function getRunningPhase(spec: PodSpec, statuses: Statuses): PodPhase {
  let [running, waiting, stopped, failed, restarting] = [0, 0, 0, 0, 0];
  for (const container of spec.containers) {
    const status = statuses.get(container.name);
    const exitCode = lastExitCode(status);
    if (status?.state?.running) running++;
    else if (exitCode === undefined) waiting++;
    else {
      stopped++;
      if (exitCode !== 0) failed++;
      if (containerShouldRestart(container, spec, exitCode)) restarting++;
    }
  }
  if (waiting > 0) return 'Pending';
  if (running > 0 || stopped === 0 || restarting > 0) return 'Running';
  return failed === 0 ? 'Succeeded' : 'Failed';
}

/** The exit code of the run that ended last; undefined when none has ended. */
const lastExitCode = (status: ContainerStatus | undefined): number | undefined =>
  (status?.state?.terminated ?? status?.lastState?.terminated)?.exitCode;
