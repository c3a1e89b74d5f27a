import type { ContainerStatus, Pod } from '../../../api/core_v1.js';
import { PodRuntimes, Pods, PodSandboxes } from '../../../kinds/index.js';
import { findHost } from '../../../kinds/terrarium/noderuntime/hosts.js';
import { networkOfNode } from '../../../kinds/terrarium/noderuntime/kind.js';
import type { PodSandbox } from '../../../kinds/terrarium/podsandbox/kind.js';
import type { Reader } from '../../../machinery/client.js';
import { keyOf } from '../../../machinery/meta/object.js';
import { digestOf } from '../../digest.js';
import { logFolderOf } from '../disk/pod-paths.js';

/** Where the container runtime of a node keeps what crictl shows of it: RuntimeView as JSON, made when it is read. */
export const RUNTIME_FILE = '/run/containerd/io.containerd.grpc.v1.cri/state.json';
/** Last lines of containers by their id, as JSON. */
export const LOGS_FILE = '/run/containerd/io.containerd.grpc.v1.cri/logs.json';

export interface SandboxView {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly createdAt: string;
  readonly isReady: boolean;
  readonly ip: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Of one that was made at the runtime. */
  readonly attempt?: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface ContainerView {
  readonly id: string;
  readonly name: string;
  readonly image: string;
  readonly imageId: string;
  readonly state: 'Created' | 'Running' | 'Exited';
  readonly createdAt: string;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly exitCode: number;
  readonly attempt: number;
  readonly podId: string;
  /** Why it has ended: 'Error', 'OOMKilled'. */
  readonly reason?: string;
  readonly message?: string;
  /** Where its log lies on the node; '' when it is not kept. */
  readonly logPath: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface ImageView {
  readonly names: readonly string[];
  readonly size: number;
}

/** What crictl, ctr and ps of a node see. */
export interface RuntimeView {
  readonly runtimeVersion: string;
  /** Why no pod can be plugged in; absent: the network is ready. */
  readonly networkError?: string;
  readonly pods: readonly SandboxView[];
  readonly containers: readonly ContainerView[];
  readonly images: readonly ImageView[];
}

export function viewRuntime(read: Reader, nodeName: string): RuntimeView {
  const node = findHost(read, nodeName);
  const pods = read.byIndex(Pods, 'nodeName', nodeName).filter(({ status }) => status.startTime !== undefined);
  const made = read.byIndex(PodSandboxes, 'node', nodeName);
  const networkError = networkOfNode(read, nodeName)?.error;
  return {
    ...(networkError === undefined ? {} : { networkError }),
    runtimeVersion: (node?.status.nodeInfo?.containerRuntimeVersion ?? 'containerd://2.2.1').replace(
      'containerd://',
      'v',
    ),
    pods: [...pods.map(viewSandbox), ...made.map(viewMadeSandbox)],
    containers: [...pods.flatMap((pod) => viewContainers(pod, read)), ...made.flatMap(viewMadeContainers)],
    images: (node?.status.images ?? []).map(({ names = [], sizeBytes = 0 }) => ({ names, size: sizeBytes })),
  };
}

export const sandboxId = ({ metadata }: Pod): string => digestOf(metadata.uid ?? '');

const viewSandbox = (pod: Pod): SandboxView => ({
  id: sandboxId(pod),
  name: pod.metadata.name ?? '',
  namespace: pod.metadata.namespace ?? '',
  uid: pod.metadata.uid ?? '',
  createdAt: pod.status.startTime ?? '',
  isReady: pod.status.phase === 'Running' || pod.status.phase === 'Pending',
  ip: pod.spec.hostNetwork ? '' : (pod.status.podIP ?? ''),
  labels: pod.metadata.labels ?? {},
});

/** A sandbox that somebody has made at the runtime. */
const viewMadeSandbox = ({ metadata, config, createdAt, stoppedAt, pod }: PodSandbox): SandboxView => ({
  id: metadata.name ?? '',
  ...{ name: config.name, namespace: config.namespace, uid: config.uid, attempt: config.attempt },
  ...{ createdAt, isReady: stoppedAt === undefined, labels: config.labels, annotations: config.annotations },
  ip: pod.status.podIP ?? '',
});

function viewMadeContainers({ metadata, config, containers, pod }: PodSandbox): ContainerView[] {
  return containers.flatMap((made) => {
    const status = pod.status.containerStatuses?.find(({ name }) => name === made.key);
    if (!status) return [];
    const { running, terminated } = status.state ?? {};
    const logPath = made.logPath === '' ? '' : `${config.logDirectory}/${made.logPath}`;
    return [
      {
        ...viewOf(pod, status, terminated ?? running ?? {}),
        ...{ id: made.id, name: made.name, attempt: made.attempt, createdAt: made.createdAt, labels: made.labels },
        ...{ podId: metadata.name ?? '', logPath },
        ...(running || terminated ? {} : { state: 'Created' as const }),
      },
    ];
  });
}

function viewContainers(pod: Pod, read: Reader): ContainerView[] {
  const { removed } = (read.get(PodRuntimes, keyOf(pod)) ?? {}) as { removed?: readonly string[] };
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = pod.status;
  return [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses].flatMap((status) => {
    const { running, terminated } = status.state ?? {};
    const last = status.lastState?.terminated;
    const found: ContainerView[] = [];
    if (running?.startedAt) found.push(viewOf(pod, status, { startedAt: running.startedAt }));
    if (terminated?.containerID) found.push(viewOf(pod, status, terminated));
    // While it waits for its next start, the run that is over is the last one that was counted.
    if (last?.containerID) found.push(viewOf(pod, status, last, running || terminated ? 1 : 0));
    return removed ? found.filter(({ id }) => !removed.includes(id)) : found;
  });
}

interface RunState {
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly exitCode?: number;
  readonly containerID?: string;
  readonly reason?: string;
  readonly message?: string;
}

function viewOf(pod: Pod, status: ContainerStatus, run: RunState, before = 0): ContainerView {
  const startedAt = run.startedAt ?? '';
  const attempt = Math.max(0, (status.restartCount ?? 0) - before);
  const { name = '', namespace = '', uid = '' } = pod.metadata;
  return {
    id: idOf(run.containerID ?? status.containerID),
    name: status.name,
    image: status.image,
    imageId: (status.imageID ?? '').replace(/^.*sha256:/, ''),
    state: run.finishedAt === undefined ? 'Running' : 'Exited',
    createdAt: startedAt,
    startedAt,
    ...(run.finishedAt === undefined ? {} : { finishedAt: run.finishedAt }),
    exitCode: run.exitCode ?? 0,
    attempt,
    podId: sandboxId(pod),
    ...(run.reason === undefined ? {} : { reason: run.reason }),
    ...(run.message === undefined ? {} : { message: run.message }),
    logPath: `${logFolderOf(pod)}/${status.name}/${attempt}.log`,
    labels: {
      'io.kubernetes.container.name': status.name,
      'io.kubernetes.pod.name': name,
      'io.kubernetes.pod.namespace': namespace,
      'io.kubernetes.pod.uid': uid,
    },
  };
}

export const idOf = (containerID = ''): string => containerID.slice(containerID.indexOf('://') + 3);
