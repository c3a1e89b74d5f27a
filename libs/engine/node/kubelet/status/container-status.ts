import type {
  Container,
  ContainerState,
  ContainerStatus,
  ContainerUser,
  VolumeMountStatus,
  Pod,
} from '../../../api/core_v1.js';
import type { ResourceRequirements } from '../../../api/core_v1.js';

const WAITING: ContainerState = { waiting: { reason: 'ContainerCreating' } };
const INITIALIZING: ContainerState = { waiting: { reason: 'PodInitializing' } };
const NO_STATE: ContainerState = {};
const ROOT: ContainerUser = { linux: { gid: 0, supplementalGroups: [0], uid: 0 } };

/** A container nothing has happened to yet. */
export const freshStatus = (container: Container, initializing: boolean): ContainerStatus => ({
  image: container.image ?? '',
  imageID: '',
  lastState: NO_STATE,
  name: container.name,
  ready: false,
  restartCount: 0,
  started: false,
  state: initializing ? INITIALIZING : WAITING,
});

/** What it ended with last, once it no longer shows as its state. */
export const lastStateOf = ({ state, lastState }: ContainerStatus): ContainerState | undefined =>
  state?.terminated ? { terminated: state.terminated } : lastState;

/** Models kubelet_pods.go convertToAPIContainerStatuses: a reason to wait hides how the container ended before. */
export const waitingStatus = (
  status: ContainerStatus,
  waiting: NonNullable<ContainerState['waiting']>,
): ContainerStatus => ({ ...status, lastState: lastStateOf(status), state: { waiting } });

// Replicas share their containers, so these are made once.
const mounts = new WeakMap<Container, VolumeMountStatus[]>();
function mountStatuses(container: Container): VolumeMountStatus[] {
  let found = mounts.get(container);
  if (!found) {
    found = (container.volumeMounts ?? []).map((m) => ({
      mountPath: m.mountPath,
      name: m.name,
      ...(m.readOnly ? { readOnly: true, recursiveReadOnly: 'Disabled' } : {}),
    }));
    mounts.set(container, found);
  }
  return found;
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

interface Started {
  readonly containerID: string;
  readonly image: string;
  readonly imageID: string;
  readonly startedAt: string;
  readonly lastState: ContainerState | undefined;
  readonly restartCount: number;
}

export const runningStatus = (container: Container, pod: Pod, s: Started): ContainerStatus => ({
  ...(container.resources?.requests ? { allocatedResources: container.resources.requests } : {}),
  containerID: s.containerID,
  image: s.image,
  imageID: s.imageID,
  lastState: s.lastState ?? NO_STATE,
  name: container.name,
  ready: false,
  resources: resourcesOf(container),
  restartCount: s.restartCount,
  started: false,
  state: { running: { startedAt: s.startedAt } },
  user: userOf(container, pod),
  ...(container.volumeMounts?.length ? { volumeMounts: mountStatuses(container) } : {}),
});
