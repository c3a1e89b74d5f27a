import type {
  Container,
  ContainerState,
  ContainerStatus,
  ContainerUser,
  Pod,
  ResourceRequirements,
  VolumeMountStatus,
} from '../../../api/core_v1.js';
import { timestamp, type Millis } from '../../../machinery/time/time.js';

const WAITING: ContainerState = { waiting: { reason: 'ContainerCreating' } };
const INITIALIZING: ContainerState = { waiting: { reason: 'PodInitializing' } };
const NO_STATE: ContainerState = {};
const ROOT: ContainerUser = { linux: { gid: 0, supplementalGroups: [0], uid: 0 } };

/** The status of a container that has never run; `initializing`: the pod has init containers. */
export const defaultWaitingStatus = (container: Container, initializing: boolean): ContainerStatus => ({
  image: container.image ?? '',
  imageID: '',
  lastState: NO_STATE,
  name: container.name,
  ready: false,
  restartCount: 0,
  started: false,
  state: initializing ? INITIALIZING : WAITING,
});

/** The lastState of a container whose state is about to be replaced. */
export const lastStateOf = ({ state, lastState }: ContainerStatus): ContainerState | undefined =>
  state?.terminated ? { terminated: state.terminated } : lastState;

/** A container that waits; how it ended before becomes its lastState. Models convertToAPIContainerStatuses. */
export const waitingStatus = (
  status: ContainerStatus,
  waiting: NonNullable<ContainerState['waiting']>,
): ContainerStatus => ({ ...status, lastState: lastStateOf(status), state: { waiting } });

/** Replicas share their containers, so that these are made once for all of them. */
const mountStatuses = new WeakMap<Container, VolumeMountStatus[]>();

function mountStatusesOf(container: Container): VolumeMountStatus[] {
  let statuses = mountStatuses.get(container);
  if (!statuses) {
    statuses = (container.volumeMounts ?? []).map(({ mountPath, name, readOnly }) => ({
      mountPath,
      name,
      ...(readOnly ? { readOnly: true, recursiveReadOnly: 'Disabled' } : {}),
    }));
    mountStatuses.set(container, statuses);
  }
  return statuses;
}

function userOf(container: Container, pod: Pod): ContainerUser {
  const [own, shared] = [container.securityContext, pod.spec.securityContext];
  const uid = own?.runAsUser ?? shared?.runAsUser ?? 0;
  const gid = own?.runAsGroup ?? shared?.runAsGroup ?? 0;
  if (uid === 0 && gid === 0 && shared?.fsGroup === undefined && !shared?.supplementalGroups) return ROOT;
  const groups = [
    gid,
    ...(shared?.fsGroup === undefined ? [] : [shared.fsGroup]),
    ...(shared?.supplementalGroups ?? []),
  ];
  return { linux: { gid, supplementalGroups: [...new Set(groups)], uid } };
}

function resourcesOf({ resources }: Container): ResourceRequirements {
  return {
    ...(resources?.limits ? { limits: resources.limits } : {}),
    ...(resources?.requests ? { requests: resources.requests } : {}),
  };
}

/** One run of a container, as the runtime reports it. */
interface Run {
  readonly containerID: string;
  readonly image: string;
  readonly imageID: string;
  readonly startedAt: string;
  readonly lastState: ContainerState | undefined;
  readonly restartCount: number;
}

export const runningStatus = (container: Container, pod: Pod, run: Run): ContainerStatus => ({
  ...(container.resources?.requests ? { allocatedResources: container.resources.requests } : {}),
  containerID: run.containerID,
  image: run.image,
  imageID: run.imageID,
  lastState: run.lastState ?? NO_STATE,
  name: container.name,
  ready: false,
  resources: resourcesOf(container),
  restartCount: run.restartCount,
  started: false,
  state: { running: { startedAt: run.startedAt } },
  user: userOf(container, pod),
  ...(container.volumeMounts?.length ? { volumeMounts: mountStatusesOf(container) } : {}),
});

/** How one run ended. */
export interface Termination {
  readonly startedAt: Millis;
  readonly finishedAt: Millis;
  readonly exitCode: number;
  /** By default 'Completed' or 'Error', by the exit code. */
  readonly reason?: string;
  /** The termination message. */
  readonly message?: string;
}

/** `ready`: a completed init container counts as ready. */
export const terminatedStatus = (status: ContainerStatus, ended: Termination, ready = false): ContainerStatus => ({
  ...status,
  ready,
  started: false,
  state: {
    terminated: {
      containerID: status.containerID,
      exitCode: ended.exitCode,
      finishedAt: timestamp(ended.finishedAt),
      ...(ended.message ? { message: ended.message } : {}),
      reason: ended.reason ?? (ended.exitCode === 0 ? 'Completed' : 'Error'),
      startedAt: timestamp(ended.startedAt),
    },
  },
});
