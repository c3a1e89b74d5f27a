import type { Pod } from '../../../api/core_v1.js';
import type { Bytes } from '../../../kernel/bytes.js';
import type { FileNode } from '../../../kernel/files/file.js';
import { readLater } from '../../../kernel/files/lazy-file.js';
import type { LiveFiles } from '../../../kernel/files/live.js';
import { CGROUP_FILES } from '../../../kernel/proc/cgroup.js';
import { Nodes, Pods } from '../../../kinds/index.js';
import { qosClass } from '../../../kinds/core/pod/status/qos.js';
import type { Reader } from '../../../machinery/client.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import { pauseName, pidOnNode } from '../views/process-view.js';
import { idOf, sandboxId } from '../views/runtime-view.js';
import { limitsOfNode, limitsOfPod, limitsOfSlice, printLimits, type CgroupLimitSet } from './cgroup-limits.js';

/** Where version 2 of cgroups is mounted. */
export const CGROUPS = '/sys/fs/cgroup';
const KUBEPODS = 'kubepods';
/** By QoS class; Guaranteed pods stand in kubepods.slice itself. */
const SLICES: Readonly<Record<string, string>> = { Burstable: '-burstable', BestEffort: '-besteffort' };

export interface CgroupSource {
  readonly read: Reader;
  readonly node: string;
  /** The time of who looks. */
  now(): Millis;
  /** A file of a running container's own cgroup; undefined: its machine knows nothing of it. */
  cgroupFile(pod: Pod, containerID: string, name: string): Bytes | undefined;
}

/** One control group: its files, and the groups in it. */
interface Group {
  readonly files: ReadonlyMap<string, () => Bytes>;
  readonly groups: readonly string[];
  readonly at: Millis;
}

/**
 * A node's control groups as the kubelet and containerd make them with systemd. Left out: what the node's own services
 * use, and what lies below them. Models pkg/kubelet/cm's cgroup_manager_linux.go and qos_container_manager_linux.go.
 */
export class CgroupFolders implements LiveFiles {
  private known: { readonly revision: number; readonly groups: ReadonlyMap<string, Group> } | undefined;

  constructor(private readonly source: CgroupSource) {}

  covers(directory: string): boolean {
    return directory === CGROUPS || directory.startsWith(`${CGROUPS}/`);
  }

  names(directory: string): readonly Bytes[] {
    const group = this.groups().get(directory);
    return group ? [...group.files.keys(), ...group.groups] : [];
  }

  node(path: string): FileNode | undefined {
    const group = this.groups().get(path);
    const owner = { user: 0, group: 0 };
    if (group) return { type: 'directory', mode: 0o755, modified: group.at, ...owner };
    const at = path.lastIndexOf('/');
    const parent = this.groups().get(path.slice(0, at));
    const content = parent?.files.get(path.slice(at + 1));
    return content && readLater({ type: 'file', mode: 0o644, modified: parent!.at, ...owner } as const, content);
  }

  private groups(): ReadonlyMap<string, Group> {
    const { revision } = this.source.read;
    if (this.known?.revision !== revision) this.known = { revision, groups: this.build() };
    return this.known.groups;
  }

  private build(): Map<string, Group> {
    const { read, node } = this.source;
    const at = parseTimestamp(read.get(Nodes, { namespace: '', name: node })?.metadata.creationTimestamp ?? '') || 0;
    const groups = new Map<string, Group>();
    const pods = this.pods();
    const placed = new Map(pods.map((pod) => [pod, sliceOf(pod)]));
    const inSlice = (slice: string): string[] =>
      pods.filter((pod) => placed.get(pod) === slice).map((pod) => podSlice(pod, slice));
    const add = (path: string, limits: CgroupLimitSet, children: readonly string[]): void =>
      void groups.set(path, { files: filesOf(limits), groups: children, at });
    const top = `${CGROUPS}/${KUBEPODS}.slice`;
    const subslices = Object.values(SLICES).map((suffix) => `${KUBEPODS}${suffix}.slice`);
    add(CGROUPS, {}, ['init.scope', `${KUBEPODS}.slice`, 'system.slice']);
    for (const own of ['init.scope', 'system.slice']) add(`${CGROUPS}/${own}`, {}, []);
    add(top, limitsOfNode(read.get(Nodes, { namespace: '', name: node })), [...subslices, ...inSlice(top)]);
    for (const subslice of subslices) {
      const path = `${top}/${subslice}`;
      const own = pods.filter((pod) => placed.get(pod) === path);
      add(path, limitsOfSlice(own), inSlice(path));
    }
    for (const pod of pods) this.addPod(groups, pod, placed.get(pod)!);
    return groups;
  }

  private addPod(groups: Map<string, Group>, pod: Pod, slice: string): void {
    const path = `${slice}/${podSlice(pod, slice)}`;
    const at = parseTimestamp(pod.status.startTime ?? '');
    const scope = (id: string): string => `${this.scopePrefix()}-${id}.scope`;
    const running = runningIn(pod);
    const children = [...running.map(({ containerID }) => scope(idOf(containerID))), scope(sandboxId(pod))];
    groups.set(path, { files: filesOf(limitsOfPod(pod)), groups: children, at });
    for (const { containerID = '' } of running) {
      const files = new Map<string, () => Bytes>(
        CGROUP_FILES.map((name) => [name, () => this.source.cgroupFile(pod, containerID, name) ?? '']),
      );
      files.set('cgroup.procs', () => `${pidOnNode(idOf(containerID))}\n`);
      groups.set(`${path}/${scope(idOf(containerID))}`, { files, groups: [], at });
    }
    const pause = filesOf({ pids: [pidOnNode(pauseName(pod))] });
    groups.set(`${path}/${scope(sandboxId(pod))}`, { files: pause, groups: [], at });
  }

  /** What a container runtime calls the scopes of its containers. */
  private scopePrefix(): string {
    const { read, node } = this.source;
    const runtime = read.get(Nodes, { namespace: '', name: node })?.status.nodeInfo?.containerRuntimeVersion ?? '';
    return runtime.startsWith('cri-o') ? 'crio' : runtime.startsWith('docker') ? 'docker' : 'cri-containerd';
  }

  private pods(): readonly Pod[] {
    const { read, node } = this.source;
    const now = this.source.now();
    return read
      .byIndex(Pods, 'nodeName', node)
      .filter((pod) => runningIn(pod).length > 0 && parseTimestamp(pod.status.startTime ?? '') <= now);
  }
}

/** The folder that a pod's own slice is in. */
function sliceOf(pod: Pod): string {
  const suffix = SLICES[pod.status.qosClass ?? qosClass(pod.spec)];
  const top = `${CGROUPS}/${KUBEPODS}.slice`;
  return suffix === undefined ? top : `${top}/${KUBEPODS}${suffix}.slice`;
}

/** systemd's names have the names of the slices above in them, and no dashes of their own. */
function podSlice({ metadata }: Pod, slice: string): string {
  const parent = slice.slice(slice.lastIndexOf('/') + 1, -'.slice'.length);
  return `${parent}-pod${(metadata.uid ?? '').replaceAll('-', '_')}.slice`;
}

function runningIn({ status }: Pod): { readonly name: string; readonly containerID?: string }[] {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status;
  return [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses].filter(
    ({ state, containerID }) => state?.running && containerID,
  );
}

const filesOf = (limits: CgroupLimitSet): Map<string, () => Bytes> =>
  new Map(Object.entries(printLimits(limits)).map(([name, text]) => [name, () => `${text}\n`.replace(/^\n$/, '')]));
