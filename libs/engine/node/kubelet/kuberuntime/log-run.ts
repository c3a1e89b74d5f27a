import type { Container, ContainerStatus, Pod } from '../../../api/core_v1.js';
import { badRequest } from '../../../machinery/meta/status.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';

/** One run of a container, by its status. */
export interface LogRun {
  readonly container: Container;
  readonly status: ContainerStatus;
  readonly containerID: string;
  readonly startedAt: Millis;
  /** Undefined while it runs. */
  readonly finishedAt: Millis | undefined;
}

/**
 * The run of a container whose log is to be read: the one that runs, else the one that ended last; `previous`: the one
 * before. Throws ApiError 400 in the kubelet's words. Models kubelet_pods.go validateContainerLogStatus.
 */
export function findLogRun(pod: Pod, name: string, previous: boolean): LogRun {
  const place = `container "${name}" in pod "${pod.metadata.name}"`;
  const status = findStatus(pod, name);
  const container = findContainer(pod, name);
  if (!status || !container) throw badRequest(`${place} is not available`);
  const last = status.lastState?.terminated;
  if (previous) {
    if (!last?.containerID) throw badRequest(`previous terminated ${place} not found`);
    return endedRun(container, status, last);
  }
  const { running, terminated, waiting } = status.state ?? {};
  if (running) {
    const startedAt = parseTimestamp(running.startedAt ?? '');
    return { container, status, containerID: status.containerID ?? '', startedAt, finishedAt: undefined };
  }
  const ended = terminated?.containerID ? terminated : last;
  if (ended?.containerID) return endedRun(container, status, ended);
  throw badRequest(`${place} is waiting to start: ${waitingReason(waiting?.reason)}`);
}

function waitingReason(reason = 'ContainerCreating'): string {
  if (reason === 'ErrImagePull') return "image can't be pulled";
  if (reason === 'ImagePullBackOff') return 'trying and failing to pull image';
  return reason;
}

type Terminated = NonNullable<NonNullable<ContainerStatus['state']>['terminated']>;

const endedRun = (container: Container, status: ContainerStatus, ended: Terminated): LogRun => ({
  container,
  status,
  containerID: ended.containerID ?? '',
  startedAt: parseTimestamp(ended.startedAt ?? ''),
  finishedAt: parseTimestamp(ended.finishedAt ?? ''),
});

const findStatus = ({ status }: Pod, name: string): ContainerStatus | undefined =>
  [
    ...(status.containerStatuses ?? []),
    ...(status.initContainerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ].find((s) => s.name === name);

const findContainer = ({ spec }: Pod, name: string): Container | undefined =>
  [...spec.containers, ...(spec.initContainers ?? []), ...((spec.ephemeralContainers ?? []) as Container[])].find(
    (c) => c.name === name,
  );
