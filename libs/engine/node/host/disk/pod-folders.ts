import type { ContainerStatus, PersistentVolume, Pod, Volume } from '../../../api/core_v1.js';
import { claimNameOf } from '../../../kinds/core/pod/claims.js';
import { bytesOf, type Bytes } from '../../../kernel/bytes.js';
import type { FileNode } from '../../../kernel/files/file.js';
import type { FileSystem } from '../../../kernel/files/file-system.js';
import type { LiveFiles } from '../../../kernel/files/live.js';
import { baseName } from '../../../kernel/files/path.js';
import { PersistentVolumeClaims, PersistentVolumes, Pods } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import { managedHosts } from '../../kubelet/network/hosts.js';
import { digestOf } from '../../digest.js';
import { idOf } from '../views/runtime-view.js';
import type { LogFile } from './container-log.js';
import { hasNetns, NETNS, netnsOf } from '../../network/namespaces.js';
import { logFolderOf, LOG_FOLDER, uidOf } from './pod-paths.js';
import { readLater } from '../../../kernel/files/lazy-file.js';

export interface PodFoldersSource {
  readonly read: Reader;
  readonly node: string;
  /** The time of who looks. */
  now(): Millis;
  /** The files of a run's log; none of one that left nothing. */
  logFiles(pod: Pod, containerID: string, now: Millis): readonly LogFile[];
  /** The files of a pod's volume, which may be a folder of them. */
  volume(pod: Pod, name: string): { readonly tree: FileSystem; readonly subPath?: Bytes } | undefined;
}

const CONTAINERS = '/var/log/containers';
const PODS = '/var/lib/kubelet/pods';
const ROOTS = [LOG_FOLDER, CONTAINERS, PODS, NETNS];

/** One run of a container that still has its files. */
interface KeptRun {
  readonly name: string;
  readonly id: string;
  readonly attempt: number;
}

/**
 * What the kubelet and the container runtime have on a node's disk of its pods: their logs, and their folders with
 * volumes. Made when it is read. Models pkg/kubelet/kubelet_getters.go, kuberuntime/legacy.go and helpers.go.
 */
export class PodFolders implements LiveFiles {
  constructor(private readonly source: PodFoldersSource) {}

  covers(directory: string): boolean {
    return ROOTS.some(
      (root) => directory.startsWith(root) && (directory.length === root.length || directory[root.length] === '/'),
    );
  }

  names(directory: string): readonly Bytes[] {
    const { root, parts } = split(directory);
    if (root === CONTAINERS) return parts.length === 0 ? [...this.links().keys()] : [];
    if (root === NETNS) return this.pods().filter(hasNetns).map(netnsOf);
    if (parts.length === 0)
      return this.pods().map((pod) => bytesOf(root === PODS ? uidOf(pod) : baseName(logFolderOf(pod))));
    const pod = this.podOf(root, parts[0]!);
    if (!pod) return [];
    return root === PODS ? this.namesOfPod(pod, parts.slice(1)) : this.namesOfLogs(pod, parts.slice(1));
  }

  node(path: string): FileNode | undefined {
    const { root, parts } = split(path);
    const [first = '', ...rest] = parts;
    if (root === CONTAINERS) return parts.length === 1 ? this.links().get(first) : undefined;
    if (root === NETNS) return this.nodeOfNetns(parts);
    const pod = this.podOf(root, first);
    if (!pod) return undefined;
    return root === PODS ? this.nodeOfPod(pod, rest) : this.nodeOfLogs(pod, rest);
  }

  /** A file of nsfs, which is what it names. */
  private nodeOfNetns([name, ...more]: readonly Bytes[]): FileNode | undefined {
    const pod = this.pods().find((one) => hasNetns(one) && netnsOf(one) === name);
    if (!pod || more.length > 0) return undefined;
    const modified = parseTimestamp(pod.status.startTime ?? '');
    return { type: 'file', mode: 0o444, user: 0, group: 0, modified, content: '' };
  }

  /** Those that the kubelet has begun with by then. */
  private pods(): readonly Pod[] {
    const { read, node } = this.source;
    const now = this.source.now();
    return read
      .byIndex(Pods, 'nodeName', node)
      .filter(({ status }) => status.startTime !== undefined && parseTimestamp(status.startTime) <= now);
  }

  private podOf(root: string, name: Bytes): Pod | undefined {
    return this.pods().find((pod) => bytesOf(root === PODS ? uidOf(pod) : baseName(logFolderOf(pod))) === name);
  }

  private links(): Map<Bytes, FileNode> {
    const links = new Map<Bytes, FileNode>();
    for (const pod of this.pods()) {
      const { name = '', namespace = '' } = pod.metadata;
      for (const run of keptRuns(pod, this.source.now()))
        links.set(
          bytesOf(`${name}_${namespace}_${run.name}-${run.id}.log`),
          link(`${logFolderOf(pod)}/${run.name}/${run.attempt}.log`, startOf(pod)),
        );
    }
    return links;
  }

  private namesOfLogs(pod: Pod, [container, ...rest]: readonly Bytes[]): readonly Bytes[] {
    const runs = keptRuns(pod, this.source.now());
    if (container === undefined) return [...new Set(runs.map(({ name }) => bytesOf(name)))];
    return rest.length === 0 ? [...this.logsOf(pod, container).keys()] : [];
  }

  private nodeOfLogs(pod: Pod, [container, file, ...rest]: readonly Bytes[]): FileNode | undefined {
    if (container === undefined) return directory(0o755, startOf(pod));
    if (!keptRuns(pod, this.source.now()).some(({ name }) => bytesOf(name) === container)) return undefined;
    if (file === undefined) return directory(0o755, startOf(pod));
    const found = rest.length === 0 ? this.logsOf(pod, container).get(file) : undefined;
    if (!found) return undefined;
    return lazyFile(0o640, found.modified, () => found.content());
  }

  private logsOf(pod: Pod, container: Bytes): Map<Bytes, LogFile> {
    const now = this.source.now();
    const files = new Map<Bytes, LogFile>();
    for (const { name, id, attempt } of keptRuns(pod, now)) {
      if (bytesOf(name) !== container) continue;
      for (const file of this.source.logFiles(pod, id, now)) files.set(`${attempt}.log${file.suffix}`, file);
    }
    return files;
  }

  private namesOfPod(pod: Pod, parts: readonly Bytes[]): readonly Bytes[] {
    const [kind, first, second, ...rest] = parts;
    if (kind === undefined) return ['containers', 'etc-hosts', 'plugins', 'volumes'];
    if (kind === 'containers') return namesOfContainers(pod, parts.slice(1), this.source.now());
    if (kind === 'plugins') return namesOfPlugins(pod, parts.slice(1));
    if (kind !== 'volumes') return [];
    const volumes = this.volumesOf(pod);
    if (first === undefined) return [...new Set(volumes.map(({ plugin }) => plugin))];
    const own = volumes.filter(({ plugin }) => plugin === first);
    if (second === undefined) return own.map(({ folder }) => folder);
    const found = own.find(({ folder }) => folder === second);
    if (!found) return [];
    if (found.isBelow && rest.length === 0) return ['mount'];
    return this.inVolume(pod, found.name, found.isBelow ? rest.slice(1) : rest, (tree, key) => tree.names(key)) ?? [];
  }

  private nodeOfPod(pod: Pod, parts: readonly Bytes[]): FileNode | undefined {
    const at = startOf(pod);
    if (parts.length === 0) return directory(0o750, at);
    if (parts.length === 1 && parts[0] === 'etc-hosts') return lazyFile(0o644, at, () => bytesOf(managedHosts(pod)));
    const parent = parts.slice(0, -1);
    const isNamed = parts[0] === 'volumes' && parts.length > 4;
    if (!isNamed && !this.namesOfPod(pod, parent).includes(parts.at(-1)!)) return undefined;
    if (parts[0] === 'volumes' && parts.length > 2) return this.nodeOfVolume(pod, parts);
    const isFile = parts.length === (parts[0] === 'containers' ? 3 : 4);
    return isFile ? lazyFile(parts[0] === 'containers' ? 0o666 : 0o644, at, () => '') : directory(0o750, at);
  }

  private nodeOfVolume(pod: Pod, [, plugin, folder, ...rest]: readonly Bytes[]): FileNode | undefined {
    const found = this.volumesOf(pod).find((one) => one.plugin === plugin && one.folder === folder);
    if (!found) return undefined;
    if (found.isBelow && rest.length === 0) return directory(0o750, startOf(pod));
    if (found.isBelow && rest[0] !== 'mount') return undefined;
    return this.inVolume(pod, found.name, found.isBelow ? rest.slice(1) : rest, (tree, key) => tree.node(key));
  }

  private inVolume<T>(
    pod: Pod,
    name: string,
    parts: readonly Bytes[],
    look: (tree: FileSystem, key: string) => T,
  ): T | undefined {
    const volume = this.source.volume(pod, name);
    if (!volume) return undefined;
    const { tree, subPath = '' } = volume;
    let key: string | undefined = tree.root;
    for (const part of [...subPath.split('/').filter(Boolean), ...parts])
      key = key === undefined ? undefined : tree.find(key, part);
    return key === undefined ? undefined : look(tree, key);
  }

  private volumesOf(pod: Pod): PlacedVolume[] {
    return (pod.spec.volumes ?? []).flatMap((volume) => placeOf(volume, pod, this.source.read) ?? []);
  }
}

interface PlacedVolume {
  /** The pod's name of it. */
  readonly name: string;
  /** 'kubernetes.io~configmap'. */
  readonly plugin: Bytes;
  readonly folder: Bytes;
  /** It is mounted below its folder: a driver's. */
  readonly isBelow: boolean;
}

/** Where a volume is mounted below its pod's folder; undefined: it is mounted elsewhere, or not yet. */
function placeOf(volume: Volume, pod: Pod, read: Reader): PlacedVolume | undefined {
  const { name } = volume;
  const at = (plugin: string, folder = name, isBelow = false): PlacedVolume => ({
    name,
    plugin: bytesOf(`kubernetes.io~${plugin}`),
    folder: bytesOf(folder),
    isBelow,
  });
  if (volume.configMap) return at('configmap');
  if (volume.secret) return at('secret');
  if (volume.projected) return at('projected');
  if (volume.downwardAPI) return at('downward-api');
  if (volume.emptyDir) return at('empty-dir');
  if (volume.nfs) return at('nfs');
  const claim = claimNameOf(pod, volume);
  const bound = claim === undefined ? undefined : findBound(claim, pod, read);
  if (!bound) return undefined;
  const { csi, local, nfs } = bound.spec;
  const folder = bound.metadata.name ?? '';
  if (csi) return at('csi', folder, true);
  if (local) return at('local-volume', folder);
  return nfs ? at('nfs', folder) : undefined;
}

function findBound(claim: string, { metadata }: Pod, read: Reader): PersistentVolume | undefined {
  const found = read.get(PersistentVolumeClaims, { namespace: metadata.namespace ?? '', name: claim });
  const name = found?.spec.volumeName;
  return name === undefined ? undefined : read.get(PersistentVolumes, { namespace: '', name });
}

/** A container's file for its termination message. */
function namesOfContainers(pod: Pod, [name, ...rest]: readonly Bytes[], now: Millis): readonly Bytes[] {
  const runs = keptRuns(pod, now);
  if (name === undefined) return [...new Set(runs.map((run) => bytesOf(run.name)))];
  if (rest.length > 0) return [];
  return runs.filter((run) => bytesOf(run.name) === name).map(({ id }) => digestOf(id).slice(0, 8));
}

/** The kubelet notes of the volumes that it makes itself that they are set up. */
function namesOfPlugins({ spec }: Pod, [plugin, volume, ...rest]: readonly Bytes[]): readonly Bytes[] {
  const made = (spec.volumes ?? []).flatMap(({ name, emptyDir, configMap, secret, projected, downwardAPI }) => {
    if (emptyDir) return [bytesOf(name)];
    return (configMap ?? secret ?? projected ?? downwardAPI) ? [bytesOf(`wrapped_${name}`)] : [];
  });
  if (made.length === 0 || rest.length > 0) return [];
  if (plugin === undefined) return ['kubernetes.io~empty-dir'];
  if (plugin !== 'kubernetes.io~empty-dir') return [];
  if (volume === undefined) return made;
  return made.includes(volume) ? ['ready'] : [];
}

/** The runs whose containers the kubelet has not removed yet: the last one, and the one before it. */
function keptRuns({ status }: Pod, now: Millis): KeptRun[] {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status;
  const statuses = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
  return statuses.flatMap((one) => runsOfStatus(one, now));
}

function runsOfStatus(
  { name, state, lastState, containerID, restartCount = 0 }: ContainerStatus,
  now: Millis,
): KeptRun[] {
  const current = state?.running
    ? { id: idOf(containerID), startedAt: state.running.startedAt }
    : { id: idOf(state?.terminated?.containerID), startedAt: state?.terminated?.startedAt };
  const last = lastState?.terminated;
  const runs: KeptRun[] = [];
  const isThere = (id: string, startedAt = ''): boolean =>
    id !== '' && startedAt !== '' && parseTimestamp(startedAt) <= now;
  if (isThere(current.id, current.startedAt)) runs.push({ name, id: current.id, attempt: restartCount });
  const before = Math.max(0, restartCount - 1);
  // Between two runs the status has the ended one as the last, and counts the next one only when it begins.
  const attempt = current.id === '' ? restartCount : before;
  const id = idOf(last?.containerID);
  if (id !== current.id && isThere(id, last?.startedAt)) runs.unshift({ name, id, attempt });
  return runs;
}

function split(path: string): { root: string; parts: Bytes[] } {
  const root = ROOTS.find((one) => path.startsWith(one)) ?? '';
  return { root, parts: path.slice(root.length).split('/').filter(Boolean) };
}

const startOf = ({ status }: Pod): Millis => parseTimestamp(status.startTime ?? '');

const owned = (mode: number, modified: Millis): Pick<FileNode, 'mode' | 'user' | 'group' | 'modified'> => ({
  mode,
  user: 0,
  group: 0,
  modified,
});

const directory = (mode: number, modified: Millis): FileNode => ({ type: 'directory', ...owned(mode, modified) });

const link = (target: string, modified: Millis): FileNode => ({
  type: 'link',
  ...owned(0o777, modified),
  target: bytesOf(target),
});

function lazyFile(mode: number, modified: Millis, content: () => Bytes): FileNode {
  return readLater({ type: 'file', ...owned(mode, modified) }, content);
}
