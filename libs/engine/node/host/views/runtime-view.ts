import type { ContainerStatus, Node, Pod } from '../../../api/core_v1.js';
import { Nodes, PodRuntimes, Pods } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { keyOf } from '../../../machinery/meta/object.js';
import { digestOf } from '../../digest.js';

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
}

export interface ContainerView {
  readonly id: string;
  readonly name: string;
  readonly image: string;
  readonly imageId: string;
  readonly state: 'Running' | 'Exited';
  readonly createdAt: string;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly exitCode: number;
  readonly attempt: number;
  readonly podId: string;
}

export interface ImageView {
  readonly names: readonly string[];
  readonly size: number;
}

/** What crictl, ctr and ps of a node see. */
export interface RuntimeView {
  readonly runtimeVersion: string;
  readonly pods: readonly SandboxView[];
  readonly containers: readonly ContainerView[];
  readonly images: readonly ImageView[];
}

export function viewRuntime(read: Reader, nodeName: string): RuntimeView {
  const node: Node | undefined = read.get(Nodes, { namespace: '', name: nodeName });
  const pods = read.byIndex(Pods, 'nodeName', nodeName).filter(({ status }) => status.startTime !== undefined);
  return {
    runtimeVersion: (node?.status.nodeInfo?.containerRuntimeVersion ?? 'containerd://2.2.1').replace(
      'containerd://',
      'v',
    ),
    pods: pods.map(viewSandbox),
    containers: pods.flatMap((pod) => viewContainers(pod, read)),
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

function viewContainers(pod: Pod, read: Reader): ContainerView[] {
  const { removed } = (read.get(PodRuntimes, keyOf(pod)) ?? {}) as { removed?: readonly string[] };
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = pod.status;
  return [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses].flatMap((status) => {
    const { running, terminated } = status.state ?? {};
    const last = status.lastState?.terminated;
    const found: ContainerView[] = [];
    if (running?.startedAt) found.push(viewOf(pod, status, { startedAt: running.startedAt }));
    if (terminated?.containerID) found.push(viewOf(pod, status, terminated));
    if (last?.containerID) found.push(viewOf(pod, status, last, 1));
    return removed ? found.filter(({ id }) => !removed.includes(id)) : found;
  });
}

interface RunState {
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly exitCode?: number;
  readonly containerID?: string;
}

function viewOf(pod: Pod, status: ContainerStatus, run: RunState, before = 0): ContainerView {
  const startedAt = run.startedAt ?? '';
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
    attempt: Math.max(0, (status.restartCount ?? 0) - before),
    podId: sandboxId(pod),
  };
}

export const idOf = (containerID = ''): string => containerID.slice(containerID.indexOf('://') + 3);
