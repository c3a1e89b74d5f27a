import type { Container, Pod, VolumeMount } from '../../../api/core_v1.js';
import { bytesOf, textOf, type Bytes } from '../../../kernel/bytes.js';
import { StartFailure, type ContainerSpec, type Mount } from '../../../kernel/container.js';
import type { ImageFiles } from '../../../kernel/files/file.js';
import { HOST_ROOT, type HostView } from '../../../kernel/host/host.js';
import { configurationOf } from '../../../kinds/terrarium/noderuntime/kind.js';
import type { Reader } from '../../../machinery/client.js';
import { isMirrorPod } from '../../../kinds/core/pod/mirror.js';
import { keyOf, own } from '../../../machinery/meta/object.js';
import type { Millis } from '../../../machinery/time/time.js';
import { trimRight } from '../../../machinery/text/strings.js';
import { EnvFileError, type ReadVolumeFile } from '../../kubelet/container/env-file.js';
import { expand } from '../../kubelet/container/expansion.js';
import { findStart, networkOf } from '../../kubelet/container/process.js';
import { isShell, SHELL_PID } from '../../host/shell/node-shell.js';
import { pidOnNode, PROCESSES_FILE } from '../../host/views/process-view.js';
import { idOf } from '../../host/views/runtime-view.js';
import { capabilitiesOf, generateContainerConfig } from '../../kubelet/kuberuntime/container-config.js';
import { seccompFilterOf } from '../../kubelet/kuberuntime/seccomp.js';
import { confinementOf } from '../../kubelet/kuberuntime/security-profiles.js';
import { runtimeOf } from '../../kubelet/kuberuntime/runtime-class.js';
import { findProcessUser } from '../../kubelet/kuberuntime/users.js';
import { copySubPath } from '../../kubelet/volumemanager/sub-path-copy.js';
import { readNodeFile } from '../../kubelet/volumemanager/node-disk.js';
import { POD_FILES } from '../../kubelet/network/pod-files.js';
import { runsOf, type Run } from '../records/course.js';
import type { Image, ImageCatalog, Process, Start } from '../image.js';
import type { MachinesOptions, PodView } from './pod-view.js';
import { MESSAGE, type PodTrees } from './pod-trees.js';
import { withStandIn } from '../servers/stand-in.js';

const NO_FILES: ImageFiles = {};
/** A runtime that answers system calls itself. */
const GVISOR = 'io.containerd.runsc.v1';
const DISK = { source: '/dev/vda1', type: 'ext4', options: ['relatime'] } as const;
const TERMINATION_LOG = '/dev/termination-log';

/**
 * What a container is started with. Undefined when its image is not known any more. Throws StartFailure in the words of
 * containerd.
 */
export function specOf(
  run: Run,
  pod: Pod,
  trees: PodTrees,
  { images, state }: Pick<MachinesOptions, 'images' | 'state'>,
): ContainerSpec | undefined {
  const found = findStartOf(run, pod, trees, { images, state });
  if (!found) return undefined;
  const { image, start } = found;
  const { container, containerID } = run;
  const files = filesFor(image, start);
  const user = findProcessUser(pod, container, image.config.user, files);
  if (!user && image.files)
    throw new StartFailure(`unable to find user ${image.config.user}: no matching entries in passwd file`);
  const mounts = [
    ...kubeletMounts(run, trees),
    ...nodeMounts(image, pod, trees),
    ...(container.volumeMounts ?? []).flatMap((mount) => volumeMount(mount, start.env, trees, run)),
  ];
  checkMountPoints(run, pod, mounts, files);
  const told = configurationOf(state, pod.spec.nodeName ?? '');
  const filter = seccompFilterOf(pod, container, told.seccompDefault === true, (path) =>
    readNodeFile(pod.spec.nodeName ?? '', path, state),
  );
  const confinement = confinementOf(pod, container, (path) => readNodeFile(pod.spec.nodeName ?? '', path, state));
  if (filter?.deniesExec) throw new StartFailure(`exec ${start.argv[0] ?? ''}: operation not permitted`);
  const isGVisor = runtimeOf(state, pod, pod.spec.nodeName ?? '') === GVISOR;
  const view = isGVisor ? undefined : hostViewOf(pod, run);
  const config = generateContainerConfig({
    pod,
    container,
    containerID,
    argv: start.argv,
    env: start.env,
    workingDir: container.workingDir ?? image.config.workingDir ?? '/',
    user: user ?? { user: 0, group: 0, groups: [] },
    root: trees.container(containerID, files),
    mounts: view?.isTraced ? [...mounts, { path: HOST_ROOT, tree: trees.node(), readOnly: false, ...DISK }] : mounts,
    podPidsLimit: told.podPidsLimit ?? -1,
    ...(filter ? { filter: filter.denied } : {}),
    ...(confinement ? { confinement } : {}),
    ...(isGVisor ? { kernel: 'gvisor' as const } : {}),
  });
  return {
    ...config,
    ...(view ? { host: { ...view.host, tree: trees.node() } } : {}),
    ...(start.taken?.length ? { takenPorts: start.taken } : {}),
    logTree: trees.log(containerID),
    systemRoots: [...wholeHosts(pod, container), ...(view?.isTraced ? [HOST_ROOT] : [])],
  };
}

const refersToFiles = ({ env }: Container): boolean => env?.some(({ valueFrom }) => valueFrom?.fileKeyRef) ?? false;

const MAX_ENV_FILE_BYTES = 64 * 1024;

/** Files of the pod's volumes. Links are not followed. */
const readerOf =
  (trees: PodTrees): ReadVolumeFile =>
  (name, path) => {
    const volume = trees.volume(name);
    if (!volume) return undefined;
    const { tree, subPath = '' } = volume;
    let key: string | undefined = tree.root;
    for (const part of `${subPath}/${bytesOf(path)}`.split('/').filter(Boolean))
      key = key === undefined ? undefined : tree.find(key, part);
    if (key === undefined || tree.node(key)?.type !== 'file') return null;
    return textOf(tree.read(key, 0, MAX_ENV_FILE_BYTES));
  };

/** Throws StartFailure: a variable is in no file. */
function findStartOf(
  run: Run,
  pod: Pod,
  trees: PodTrees,
  { images, state }: Pick<MachinesOptions, 'images' | 'state'>,
): ReturnType<typeof findStart> {
  const network = networkOf(state, pod.metadata.namespace ?? '');
  if (!refersToFiles(run.container)) return findStart(images, run, { pod, read: state }, network);
  try {
    const found = findStart(images, run, { pod, read: state, readFile: readerOf(trees) }, network);
    void found?.start.env;
    return found;
  } catch (error) {
    if (error instanceof EnvFileError) throw new StartFailure(error.message);
    throw error;
  }
}

/** Throws StartFailure: a folder cannot be mounted on a file of the image, nor a file on a folder. Models runc. */
function checkMountPoints(
  { container, containerID }: Run,
  pod: Pod,
  mounts: readonly Mount[],
  files: ImageFiles,
): void {
  for (const mount of mounts) {
    const below = files[mount.path]?.type;
    const above = typeOf(mount);
    if (above === undefined || (below !== 'file' && below !== 'directory')) continue;
    const isFolder = above === 'directory';
    if (isFolder === (below === 'directory')) continue;
    const index = container.volumeMounts?.findIndex(({ mountPath }) => bytesOf(mountPath) === mount.path) ?? -1;
    const source = index < 0 ? '' : sourceOf(pod, container.volumeMounts![index]!, container.name, index);
    const id = containerID.replace(/^\w+:\/\//, '');
    const problem = isFolder
      ? `create mountpoint for ${mount.path} mount: cannot create subdirectories in "/run/containerd/io.containerd.runtime.v2.task/k8s.io/${id}/rootfs${mount.path}"`
      : `mount src=${source}, dst=${mount.path}, dstFd=/proc/thread-self/fd/11, flags=MS_BIND|MS_REC`;
    throw new StartFailure(`error mounting "${source}" to rootfs at "${mount.path}": ${problem}: not a directory`);
  }
}

/** What a mount shows at its path. */
function typeOf({ tree, subPath = '' }: Mount): string | undefined {
  let key: string | undefined = tree.root;
  for (const name of subPath.split('/').filter(Boolean)) key = key === undefined ? undefined : tree.find(key, name);
  const node = key === undefined ? undefined : tree.node(key);
  // Nobody has followed a link yet.
  return node?.type === 'link' ? undefined : node?.type;
}

/** Where the kubelet has a volume, or a subPath of it, on the node. */
function sourceOf({ spec, metadata }: Pod, mount: VolumeMount, container: string, index: number): string {
  const folder = `/var/lib/kubelet/pods/${metadata.uid ?? ''}`;
  if (mount.subPath ?? mount.subPathExpr) return `${folder}/volume-subpaths/${mount.name}/${container}/${index}`;
  const volume = spec.volumes?.find(({ name }) => name === mount.name);
  if (volume?.hostPath) return volume.hostPath.path;
  const plugin = ['configMap', 'secret', 'projected', 'downwardAPI', 'emptyDir'].find(
    (kind) => volume && kind in volume,
  );
  const name =
    plugin === 'downwardAPI' ? 'downward-api' : (plugin ?? 'csi').replace('emptyDir', 'empty-dir').toLowerCase();
  return `${folder}/volumes/kubernetes.io~${name}/${mount.name}${plugin ? '' : '/mount'}`;
}

/** Folders in which a container has its node's whole disk. */
const wholeHosts = (pod: Pod, { volumeMounts = [] }: Container): Bytes[] =>
  volumeMounts.filter((mount) => isWholeHost(pod, mount)).map(({ mountPath }) => bytesOf(trimRight(mountPath, '/')));

/** What a container sees of its node's processes; `isTraced`: it may look into them. Undefined: nothing. */
function hostViewOf(
  pod: Pod,
  { container, containerID }: Run,
): { readonly host: HostView; readonly isTraced: boolean } | undefined {
  const isTraced = capabilitiesOf(container).includes('SYS_PTRACE');
  if (isShell(keyOf(pod))) return { host: { list: PROCESSES_FILE, pid: SHELL_PID, hidesMain: true }, isTraced };
  if (pod.spec.hostPID) return { host: { list: PROCESSES_FILE, pid: pidOnNode(idOf(containerID)) }, isTraced };
  return wholeHosts(pod, container).length > 0 ? { host: { list: PROCESSES_FILE }, isTraced: false } : undefined;
}

const isWholeHost = ({ spec }: Pod, mount: VolumeMount): boolean =>
  spec.volumes?.find(({ name }) => name === mount.name)?.hostPath?.path === '/' && !mount.subPath;

/** The summary of a container's main program, as its run now begins or has begun. */
export function summaryOf(
  { pod, statuses, records }: PodView,
  container: string,
  images: ImageCatalog,
  read: Reader,
): { readonly process: Process; readonly startedAt: Millis } | undefined {
  const run = runsOf(pod, statuses, records).findLast((r) => r.container.name === container);
  const found = run && findStart(images, run, { pod, read }, networkOf(read, pod.metadata.namespace ?? ''));
  const process = found?.image.start(found.start);
  return process && { process, startedAt: run!.startedAt };
}

/** The files below the layer of a container that runs or ran. */
export function imageFilesOf(
  { pod, statuses, records }: PodView,
  containerID: string,
  images: ImageCatalog,
  read: Reader,
): ImageFiles {
  const run = runsOf(pod, statuses, records).find((r) => r.containerID === containerID);
  const found = run && findStart(images, run, { pod, read }, networkOf(read, pod.metadata.namespace ?? ''));
  return found ? filesFor(found.image, found.start) : NO_FILES;
}

/** The image's files; a server whose program is not among them has a stand-in. */
function filesFor(image: Image, start: Start): ImageFiles {
  const files = image.files ?? NO_FILES;
  const argv0 = start.argv[0] ?? '';
  const summary = image.start(start);
  if (!summary || (!summary.standsIn && hasProgram(files, argv0, start.env['PATH']))) return files;
  return withStandIn(files, argv0, start.container.name);
}

function hasProgram(files: ImageFiles, argv0: string, path = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'): boolean {
  const candidates = argv0.includes('/') ? [argv0] : path.split(':').map((directory) => `${directory}/${argv0}`);
  return candidates.some((candidate) => files[candidate] !== undefined);
}

/** The sandbox's files, and the one that the termination message is read from. */
function kubeletMounts({ container, containerID }: Run, trees: PodTrees): Mount[] {
  const own = new Set((container.volumeMounts ?? []).map(({ mountPath }) => mountPath));
  const sandbox = Object.entries(POD_FILES)
    .filter(([, path]) => !own.has(path))
    .map(([name, path]): Mount => ({ path, tree: trees.sandbox(), subPath: `/${name}`, readOnly: false, ...DISK }));
  const tree = trees.log(containerID);
  const path = bytesOf(container.terminationMessagePath ?? TERMINATION_LOG);
  return [...sandbox, { path, tree, subPath: `/${MESSAGE}`, readOnly: false, ...DISK }];
}

/** Image.nodeFolders; the node's tree is that of any hostPath. */
function nodeMounts({ nodeFolders = [] }: Image, pod: Pod, trees: PodTrees): Mount[] {
  const host = isMirrorPod(pod) ? pod.spec.volumes?.find(({ hostPath }) => hostPath) : undefined;
  const volume = host && trees.volume(host.name);
  if (!volume) return [];
  return nodeFolders.map((path) => ({ path, tree: volume.tree, subPath: path, readOnly: false, ...DISK }));
}

function volumeMount(
  { name, mountPath, readOnly, subPath, subPathExpr }: VolumeMount,
  env: Readonly<Record<string, string>>,
  trees: PodTrees,
  { containerID, startedAt }: Pick<Run, 'containerID' | 'startedAt'>,
): Mount[] {
  const volume = trees.volume(name);
  if (!volume) return [];
  const inside = subPath ?? (subPathExpr === undefined ? '' : expand(subPathExpr, (variable) => own(env, variable)));
  const path = [volume.subPath ?? '', bytesOf(inside)]
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/');
  const isReadOnly = volume.readOnly || readOnly === true;
  const kept = `subPath:${bytesOf(mountPath).replaceAll('/', ':')}`;
  const isKept =
    path !== '' &&
    volume.written !== undefined &&
    copySubPath(volume.tree, path, trees.log(containerID), kept, startedAt);
  if (path && !isKept) makeFolders(volume, path, startedAt, inside === '');
  return [
    {
      path: bytesOf(trimRight(mountPath, '/') || '/'),
      ...(isKept ? { tree: trees.log(containerID), subPath: `/${kept}` } : { tree: volume.tree }),
      ...(path && !isKept ? { subPath: `/${path}` } : {}),
      readOnly: isReadOnly,
      source: volume.source,
      type: volume.type,
      options: [...volume.options],
    },
  ];
}

/** The kubelet makes a subPath, the container runtime a hostPath, that is not there. */
function makeFolders(
  volume: NonNullable<ReturnType<PodTrees['volume']>>,
  path: string,
  at: Millis,
  isWhole: boolean,
): void {
  const { tree, subPath = '', folderMode } = volume;
  let parent = tree.root;
  const names = path.split('/').filter(Boolean);
  const own = subPath.split('/').filter(Boolean).length - 1;
  for (const [i, name] of names.entries()) {
    const key: string | undefined = tree.find(parent, name);
    const node = key === undefined ? undefined : tree.node(key);
    // Links lead elsewhere in the volume, which has what they lead to.
    if (node && node.type !== 'directory') return;
    const mode = (i === own ? folderMode : undefined) ?? (tree.node(parent)?.mode ?? 0o755) & 0o777;
    const isFile = isWhole && volume.makesFile === true && i === names.length - 1;
    const made = { user: 0, group: 0, modified: at };
    parent =
      key ??
      tree.create(
        parent,
        name,
        isFile ? { type: 'file', mode: 0o644, ...made } : { type: 'directory', mode, ...made },
        at,
      );
  }
}
