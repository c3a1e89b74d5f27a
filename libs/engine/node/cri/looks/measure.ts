import type { Pod } from '../../../api/core_v1.js';
import { cpuRateOf } from '../../../kernel/cgroup/cpu-window.js';
import { cpuUseOf } from '../../../kernel/cgroup/stress.js';
import { FileTree } from '../../../kernel/files/tree.js';
import type { LoadedMachine } from '../pods/loaded-machine.js';
import { treeOfContainer } from '../pods/pod-trees.js';
import type { Run } from '../records/course.js';

/** What a running container uses. Bytes, where nothing else is said. */
export interface ContainerMeasure {
  readonly memory: number;
  /** Time of CPUs since its start, in ms. */
  readonly cpuMs: number;
  /** Thousandths of a CPU, on the average of the last whole window of a scrape. */
  readonly cpuRate: number;
  readonly logBytes: number;
  /** In its own layer and its log. */
  readonly disk: number;
  readonly inodes: number;
}

/** What a pod uses of its node. */
export interface PodMeasure {
  /** By name, those that run. */
  readonly containers: ReadonlyMap<string, ContainerMeasure>;
  /** By name, volumes on the node's disk. */
  readonly volumes: ReadonlyMap<string, { readonly disk: number; readonly inodes: number }>;
  readonly processes: number;
  /** What lies on the node's own disk, as a pod sees it that has mounted it. */
  readonly host?: { readonly disk: number; readonly inodes: number };
}

/** Measures a pod's machine as it is. Models what cAdvisor and the container runtime tell the kubelet. */
export function measurePod(pod: Pod, { machine, trees, runs }: LoadedMachine, running: readonly Run[]): PodMeasure {
  const { state } = machine;
  const uid = pod.metadata.uid ?? '';
  const containers = new Map<string, ContainerMeasure>();
  for (const { container, containerID } of running) {
    if (!runs.has(containerID)) continue;
    const layer = trees.find(treeOfContainer(uid, containerID));
    const found = state.containers.get(containerID);
    const { log } = found ?? {};
    const logBytes = (log?.fileBytes ?? 0) + (log?.tail.length ?? 0);
    containers.set(container.name, {
      memory: machine.container(containerID).memory,
      cpuMs: found ? cpuUseOf(found, state.now).used : 0,
      cpuRate: found ? cpuRateOf(found, state.now) : 0,
      logBytes,
      disk: layer.usedBytes() + logBytes,
      inodes: layer.usedInodes(),
    });
  }
  const volumes = new Map<string, { disk: number; inodes: number }>();
  for (const { name, emptyDir } of pod.spec.volumes ?? []) {
    const tree = emptyDir && emptyDir.medium !== 'Memory' ? trees.volume(name)?.tree : undefined;
    if (tree) volumes.set(name, { disk: tree.usedBytes(), inodes: tree.usedInodes() });
  }
  const host = state.trees.get(`node/${pod.spec.nodeName ?? ''}`);
  return {
    containers,
    volumes,
    processes: state.processes.size,
    ...(host instanceof FileTree ? { host: { disk: host.usedBytes(), inodes: host.usedInodes() } } : {}),
  };
}
