import type { HostPathVolumeSource, PersistentVolume, Pod, Volume } from '../../../api/core_v1.js';
import { claimNameOf } from '../../../kinds/core/pod/claims.js';
import { bytesOf } from '../../../kernel/bytes.js';
import type { FileNode, ImageFiles } from '../../../kernel/files/file.js';
import type { LiveFiles } from '../../../kernel/files/live.js';
import { PersistentVolumeClaims, PersistentVolumes } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import type { FlowRecord } from '../../../machinery/questions/flow.js';
import { trimRight } from '../../../machinery/text/strings.js';
import { quantityValue } from '../../../machinery/quantity/quantity.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import { layOut, type AtomicVolume } from './atomic-writer.js';
import { isProjected, makeProjectedPayload, type PayloadSource } from './projected-payload.js';
import { nodeFiles } from '../../host/files/node-files.js';
import type { NodeIssuer } from '../../host/pki/issuer.js';

/** A volume as a tree of files: the tree's name, what it is at first, and how it is mounted. */
export interface VolumeTree {
  /** Volumes of one id are the same files. */
  readonly id: string;
  /** Makes the layer below the changes. */
  lower(): ImageFiles;
  /** Bytes; undefined: as much as the disk has. */
  readonly limitBytes?: number;
  /** The folder of the tree that is the volume; by default all of it. */
  readonly subPath?: string;
  /** A file is made where nothing is: FileOrCreate. */
  readonly makesFile?: boolean;
  /** Of that folder, where nothing is; by default as the folder above it. */
  readonly folderMode?: number;
  /** What of the lower layer is made when it is read; `at`: as it is at a time, by default at that of who reads. */
  live?(at?: Millis): LiveFiles;
  /** No container may write to it. */
  readonly readOnly: boolean;
  /** The lower layer is what the kubelet writes there, which follows the API's objects. */
  readonly written?: AtomicVolume;
  readonly source: string;
  readonly type: string;
  readonly options: readonly string[];
}

const DISK = { source: '/dev/vda1', type: 'ext4', options: ['relatime'] } as const;
const MEMORY = { source: 'tmpfs', type: 'tmpfs', options: ['relatime'] } as const;
const SETGID = 0o2000;
const GROUP_DIRECTORY = SETGID | 0o770;
/** Provisioners that make a folder which everybody may write to. */
const OPEN_PROVISIONERS = /local-path|hostpath/;

export interface VolumeSource extends PayloadSource {
  /** The files of an image, for image volumes. */
  imageFiles(reference: string): ImageFiles;
  /** The last lines of containers of a node whose servers are known by their summary, by their ids. */
  logs?(node: string): Readonly<Record<string, readonly string[]>>;
  /** Who talked to whom lately. */
  flows?(): readonly FlowRecord[];
  /** The command that an image runs by itself. */
  commandOf?(image: string): readonly string[];
  /** Issues what lies in /etc/kubernetes of nodes. */
  readonly issuer?: NodeIssuer;
  /** What lies on a node's disk of its pods. */
  podFolders?(node: string, at?: Millis): LiveFiles;
}

type HostNeeds = 'imageFiles' | 'logs' | 'issuer' | 'commandOf' | 'flows' | 'podFolders';
type HostSource = Pick<VolumeSource, HostNeeds> & {
  readonly read: Reader;
};

export const treeOfPod = (pod: Pod, name: string): string => `pod/${pod.metadata.uid ?? ''}/${name}`;
export const treeOfNode = (node: string): string => `node/${node}`;
export const ownerOfVolume = (name: string): string => `volume/${name}`;
export const treeOfVolume = ({ metadata }: PersistentVolume): string =>
  `${ownerOfVolume(metadata.name ?? '')}/${metadata.uid ?? ''}`;

/** The tree of one of the pod's volumes; undefined for a claim that is not bound. */
export function findVolumeTree(volume: Volume, source: VolumeSource): VolumeTree | undefined {
  const { pod, read } = source;
  const { emptyDir, hostPath, persistentVolumeClaim, image } = volume;
  if (isProjected(volume)) return projectedTree(volume, source);
  if (hostPath) return hostTree(hostPath, pod.spec.nodeName ?? '', source);
  const claim = claimNameOf(pod, volume);
  if (claim !== undefined)
    return read && claimTree(claim, pod, { ...source, read }, persistentVolumeClaim?.readOnly ?? false);
  if (image) return imageTree(image.reference ?? '', source);
  const isMemory = emptyDir?.medium === 'Memory';
  const limit = emptyDir?.sizeLimit;
  return {
    id: treeOfPod(pod, volume.name),
    lower: () => ({ '/': { ...rootDirectory(isMemory ? 0o1777 : 0o777, pod), modified: startOf(pod) } }),
    // What is on the disk counts for eviction; only a tmpfs has a size.
    ...(isMemory && limit !== undefined ? { limitBytes: quantityValue(limit) } : {}),
    readOnly: false,
    ...(isMemory ? MEMORY : DISK),
  };
}

function projectedTree(volume: Volume, source: VolumeSource): VolumeTree {
  const { pod } = source;
  const { payload, modified } = makeProjectedPayload(volume, source);
  const isOnDisk = volume.configMap !== undefined;
  const { fsGroup } = pod.spec.securityContext ?? {};
  const at = Math.max(modified, startOf(pod));
  const id = treeOfPod(pod, volume.name);
  const written: AtomicVolume = { payload, rootMode: isOnDisk ? 0o777 : 0o1777, fsGroup, at, seed: id };
  return {
    id,
    lower: () => layOut(written),
    written,
    readOnly: true,
    ...(isOnDisk ? DISK : MEMORY),
  };
}

/** The files of a node are made when they are first mounted. */
const hostTree = (
  { path, type }: HostPathVolumeSource,
  node: string,
  source: Pick<VolumeSource, 'read' | HostNeeds>,
  isOpen = false,
): VolumeTree => ({
  id: treeOfNode(node),
  lower: () => nodeFiles(node, source),
  ...(source.podFolders ? { live: (at?: Millis) => source.podFolders!(node, at) } : {}),
  ...(path === '/' ? {} : { subPath: bytesOf(onDisk(trimRight(path, '/'))) }),
  ...(type === 'FileOrCreate' ? { makesFile: true } : {}),
  ...(isOpen ? { folderMode: 0o777 } : {}),
  readOnly: false,
  ...DISK,
});

/** Where a path leads that begins with one of the system's links. */
function onDisk(path: string): string {
  const [, first = '', ...rest] = path.split('/');
  return ['bin', 'sbin', 'lib', 'lib64'].includes(first) ? ['', 'usr', first, ...rest].join('/') : path;
}

function claimTree(claim: string, pod: Pod, source: HostSource, readOnly: boolean): VolumeTree | undefined {
  const { read } = source;
  const found = read.get(PersistentVolumeClaims, { namespace: pod.metadata.namespace ?? '', name: claim });
  const volume = found?.spec.volumeName && read.get(PersistentVolumes, { namespace: '', name: found.spec.volumeName });
  return volume ? { ...volumeTree(volume, pod, source), readOnly } : undefined;
}

function volumeTree(volume: PersistentVolume, pod: Pod, source: HostSource): VolumeTree {
  const { hostPath, local, nfs, capacity = {} } = volume.spec;
  const onNode = hostPath ?? local;
  const provisioner = volume.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] ?? '';
  const isOpen = nfs !== undefined || OPEN_PROVISIONERS.test(provisioner);
  if (onNode) return hostTree(onNode, pod.spec.nodeName ?? '', source, isOpen);
  const size = capacity['storage'];
  return {
    id: nfs ? `nfs/${nfs.server}${nfs.path}` : treeOfVolume(volume),
    lower: () => ({ '/': nfs ? directoryOf(0o777, 0) : rootDirectory(isOpen ? 0o777 : 0o755, pod) }),
    ...(size === undefined || isOpen ? {} : { limitBytes: quantityValue(size) }),
    readOnly: false,
    ...(nfs ? { source: `${nfs.server}:${nfs.path}`, type: 'nfs4', options: ['relatime'] } : DISK),
  };
}

const imageTree = (reference: string, source: VolumeSource): VolumeTree => ({
  id: `image/${reference}`,
  lower: () => source.imageFiles(reference),
  readOnly: true,
  source: 'overlay',
  type: 'overlay',
  options: ['relatime'],
});

/** The root of a volume, which belongs to the pod's fsGroup. Models SetVolumeOwnership. */
function rootDirectory(mode: number, { spec }: Pod): FileNode {
  const fsGroup = spec.securityContext?.fsGroup;
  return fsGroup === undefined ? directoryOf(mode, 0) : directoryOf(mode | GROUP_DIRECTORY, fsGroup);
}

const directoryOf = (mode: number, group: number): FileNode => ({
  type: 'directory',
  mode,
  user: 0,
  group,
  modified: 0,
});

const startOf = ({ status, metadata }: Pod): Millis => {
  const text = status.startTime ?? metadata.creationTimestamp;
  return text ? parseTimestamp(text) : 0;
};
