import type { Pod, Volume } from '../../../api/core_v1.js';
import type { Bytes } from '../../../kernel/bytes.js';
import { FileTree, type FileRow } from '../../../kernel/files/tree.js';
import type { ImageFiles } from '../../../kernel/files/file.js';
import type { LiveFiles } from '../../../kernel/files/live.js';
import type { Millis } from '../../../machinery/time/time.js';
import { SERVING_FILE, servingPair } from '../../host/pki/serving-request.js';
import { CiliumNodes, ciliumNodeOf, routerOf } from '../../cni/cilium/objects.js';
import { CILIUM_STATE_FILE } from '../../cni/cilium/view.js';
import { Nodes } from '../../../kinds/index.js';
import { isControlPlane } from '../../host/files/config-files.js';
import { sandboxFiles } from '../../kubelet/network/pod-files.js';
import { isSameVolume, type AtomicVolume } from '../../kubelet/volumemanager/atomic-writer.js';
import {
  findVolumeTree,
  treeOfNode,
  treeOfPod,
  type VolumeSource,
  type VolumeTree,
} from '../../kubelet/volumemanager/volumes.js';
import { readRows } from '../records/file-record.js';
import type { ImageCatalog } from '../image.js';
import { parseReference } from '../images/reference.js';
import { summaryLogs } from '../servers/summary-logs.js';
import type { MachinesOptions, PodView } from './pod-view.js';

/** A tree whose changes are kept, and whose end it ends with (FileChange.owner). */
interface OwnedTree {
  readonly tree: FileTree;
  readonly owner: string;
}

const SANDBOX = '..sandbox';
const API_SERVER_MANIFEST = '/etc/kubernetes/manifests/kube-apiserver.yaml';
export const MESSAGE = 'message';
const MAX_MESSAGE_BYTES = 4_096;
const LOG_FILES: ImageFiles = {
  [`/${MESSAGE}`]: { type: 'file', mode: 0o666, user: 0, group: 0, modified: 0, content: '' },
};
const NO_FILES: ImageFiles = {};
/** As a pod would have it that mounts it. */
const NODE_DISK: Volume = { name: 'node', hostPath: { path: '/' } };

export const treeOfContainer = (uid: string, containerID: string): string => `container/${uid}/${containerID}`;
export const treeOfLog = (uid: string, containerID: string): string => `log/${uid}/${containerID}`;

/** The uid of the pod whose tree this is; '' for one that outlives pods. */
export function podOfTree(id: string): string {
  if (outlivesPods(id)) return '';
  const start = id.indexOf('/') + 1;
  const end = id.indexOf('/', start);
  return end === -1 ? id.slice(start) : id.slice(start, end);
}

/** A tree that other pods may mount. */
export const outlivesPods = (id: string): boolean =>
  !id.startsWith('container/') && !id.startsWith('log/') && !id.startsWith('pod/');

/** The trees of files that one pod's containers see: their own layers, the sandbox's files, the volumes. */
export class PodTrees {
  private readonly trees = new Map<string, FileTree>();
  private readonly lowers = new Map<string, ImageFiles>();
  /** What the volumes that the kubelet writes show now. */
  private readonly written = new Map<string, AtomicVolume>();
  private readonly lives = new Map<string, NonNullable<VolumeTree['live']>>();
  private revision = -1;
  private now: Millis = 0;

  constructor(
    private view: PodView,
    private readonly options: MachinesOptions,
    /** Trees that other pods mount too. */
    private readonly sharedTrees: Map<string, FileTree>,
    /** The files below a container's own layer. */
    private readonly filesOf: (view: PodView, containerID: string) => ImageFiles,
  ) {}

  /** The tree of a name that a saved machine has. */
  find(id: string): FileTree {
    const known = this.trees.get(id);
    if (known) return known;
    const volume = this.view.pod.spec.volumes?.map((v) => this.describe(v)).find((v) => v?.id === id);
    if (volume) return this.open(volume);
    if (id === this.sandboxId) return this.sandbox();
    if (id === treeOfNode(this.pod.spec.nodeName ?? '')) return this.node();
    const log = treeOfLog(this.uid, '');
    if (id.startsWith(log)) return this.log(id.slice(log.length));
    const container = treeOfContainer(this.uid, '');
    const files = id.startsWith(container) ? this.filesOf(this.view, id.slice(container.length)) : this.lowers.get(id);
    return this.add(id, files ?? NO_FILES);
  }

  /** The layer of a container above its image's files. */
  container(containerID: string, files: ImageFiles): FileTree {
    const id = treeOfContainer(this.uid, containerID);
    return this.trees.get(id) ?? this.add(id, files);
  }

  /** A container's own files of the kubelet: its termination message. */
  log(containerID: string): FileTree {
    const id = treeOfLog(this.uid, containerID);
    return this.trees.get(id) ?? this.add(id, LOG_FILES);
  }

  /** /etc/hosts and its like. */
  sandbox(): FileTree {
    return this.trees.get(this.sandboxId) ?? this.add(this.sandboxId, sandboxFiles(this.view.pod, this.now));
  }

  /** A volume and its tree; undefined for one that the pod does not have or that is not bound. */
  volume(name: string): (VolumeTree & { readonly tree: FileTree }) | undefined {
    const volume = this.view.pod.spec.volumes?.find((v) => v.name === name);
    const described = volume && this.describe(volume);
    return described && { ...described, tree: this.open(described) };
  }

  /** The disk of the pod's node. */
  node(): FileTree {
    return this.open(this.describe(NODE_DISK)!);
  }

  /** Lets volumes that show objects of the API show them as they are now. */
  refresh(view: PodView, now: Millis): void {
    this.view = view;
    this.now = now;
    const { revision } = this.options.state;
    if (revision === this.revision) return;
    this.revision = revision;
    this.refreshNode(view.pod);
    for (const volume of view.pod.spec.volumes ?? []) {
      const tree = this.trees.get(treeOfPod(view.pod, volume.name));
      const described = tree && this.describe(volume);
      const written = described?.written;
      if (!written || this.shows(written)) continue;
      const { id } = described;
      const lower = described.lower();
      tree!.replace(lower);
      this.lowers.set(id, lower);
      this.written.set(id, written);
    }
  }

  private shows(volume: AtomicVolume): boolean {
    const shown = this.written.get(volume.seed);
    return shown !== undefined && isSameVolume(shown, volume);
  }

  /** Agents and kubeadm leave files on a node: a tree from before has none of them. */
  private refreshNode({ spec }: Pod): void {
    const node = spec.nodeName ?? '';
    const tree = this.trees.get(treeOfNode(node));
    if (!tree || !(this.lacksCilium(tree, node) || this.lacksControlPlane(tree, node) || this.lacksServing(tree, node)))
      return;
    tree.replace(this.describe(NODE_DISK)!.lower());
  }

  private lacksCilium(tree: FileTree, node: string): boolean {
    const { state } = this.options;
    if (state.list(CiliumNodes).length === 0 || tree.node(CILIUM_STATE_FILE)) return false;
    return routerOf(ciliumNodeOf(state, node)) !== '';
  }

  /** A signer has answered its kubelet. */
  private lacksServing(tree: FileTree, node: string): boolean {
    return servingPair(this.options.state, node) !== undefined && tree.node(SERVING_FILE) === undefined;
  }

  /** kubeadm has made it a node of the control plane. */
  private lacksControlPlane(tree: FileTree, name: string): boolean {
    const node = this.options.state.get(Nodes, { namespace: '', name });
    return node !== undefined && isControlPlane(node) && tree.node(API_SERVER_MANIFEST) === undefined;
  }

  /** A tree of its own that is now like the one of this name. */
  copy(id: string): FileTree {
    const tree = this.find(id);
    const live = this.lives.get(id)?.(this.now);
    return new FileTree(id, this.lowers.get(id), tree.rows(), tree.limitBytes, live);
  }

  /** The trees whose changes are to be stored. */
  writable(): OwnedTree[] {
    return [...this.trees.values()].map((tree) => ({ tree, owner: podOfTree(tree.id) || ownerOf(tree.id) }));
  }

  /** What has changed in them since it was taken last. `before`: rows that were taken already, by the tree's id. */
  takeChanges(before?: ReadonlyMap<string, readonly FileRow[]>): (OwnedTree & { readonly rows: FileRow[] })[] {
    return this.writable().map(({ tree, owner }) => {
      return { tree, owner, rows: [...(before?.get(tree.id) ?? []), ...tree.takeChanges()] };
    });
  }

  /** The trees of volumes that containers may write to. */
  volumes(): OwnedTree[] {
    const own = [treeOfContainer(this.uid, ''), treeOfLog(this.uid, ''), this.sandboxId];
    return this.writable().filter(({ tree }) => !own.some((prefix) => tree.id.startsWith(prefix)));
  }

  /** What a container has written into its termination message's file. */
  message(containerID: string): Bytes {
    const tree = this.trees.get(treeOfLog(this.uid, containerID));
    const key = tree?.find(tree.root, MESSAGE);
    return tree && key !== undefined && tree.node(key)?.type === 'file' ? tree.read(key, 0, MAX_MESSAGE_BYTES) : '';
  }

  has(id: string): boolean {
    return this.trees.has(id);
  }

  /** The trees that other pods may mount. */
  shared(): string[] {
    return [...this.trees.keys()].filter(outlivesPods);
  }

  /** How often the trees were changed that other pods may mount. */
  sharedMutations(): number {
    let sum = 0;
    for (const [id, { mutations }] of this.trees) if (outlivesPods(id)) sum += mutations;
    return sum;
  }

  /** The pod as whoever looked last knows it. */
  get latestView(): PodView {
    return this.view;
  }

  get pod(): Pod {
    return this.view.pod;
  }

  private get uid(): string {
    return this.view.pod.metadata.uid ?? '';
  }

  private get sandboxId(): string {
    return treeOfPod(this.view.pod, SANDBOX);
  }

  private describe(volume: Volume): VolumeTree | undefined {
    return findVolumeTree(volume, this.source());
  }

  private source(): VolumeSource {
    const { state, images, token, issuer, flows, podFolders } = this.options;
    const { pod } = this.view;
    return {
      pod,
      read: state,
      ...(issuer ? { issuer } : {}),
      ...(podFolders ? { podFolders } : {}),
      commandOf: (text) => commandOf(images, text),
      logs: (node) => summaryLogs(state, images, node, this.now),
      ...(flows ? { flows: () => flows(this.now) } : {}),
      token: (audience, seconds) => token(pod, audience, seconds, this.now),
      imageFiles: (text) => {
        const reference = parseReference(text);
        const found = reference && images.resolve(reference);
        return (found && 'image' in found && found.image.files) || NO_FILES;
      },
    };
  }

  private open(volume: VolumeTree): FileTree {
    const known = this.trees.get(volume.id);
    if (known) return known;
    const { id, limitBytes, live, written } = volume;
    const lower = volume.lower();
    this.lowers.set(id, lower);
    if (written) this.written.set(id, written);
    if (live) this.lives.set(id, live);
    if (!outlivesPods(id)) return this.add(id, lower, limitBytes);
    const shared = this.sharedTrees.get(id) ?? this.make(id, lower, limitBytes, live?.());
    this.sharedTrees.set(id, shared);
    this.trees.set(id, shared);
    this.refreshNode(this.view.pod);
    return shared;
  }

  private add(id: string, lower: ImageFiles, limitBytes?: number): FileTree {
    const tree = this.make(id, lower, limitBytes);
    this.lowers.set(id, lower);
    this.trees.set(id, tree);
    return tree;
  }

  private make(id: string, lower: ImageFiles, limitBytes?: number, live?: LiveFiles): FileTree {
    return new FileTree(id, lower, readRows(this.options.state, id), limitBytes, live);
  }
}

/** The entrypoint and the arguments that an image has for itself. */
function commandOf(images: ImageCatalog, text: string): readonly string[] {
  const reference = parseReference(text);
  const found = reference && images.resolve(reference);
  if (!found || !('image' in found)) return [];
  const { entrypoint = [], cmd = [] } = found.image.config;
  return [...entrypoint, ...cmd];
}

/** 'volume/NAME/UID' ends with its PersistentVolume; other trees have a name of their own. */
const ownerOf = (id: string): string => (id.startsWith('volume/') ? id.split('/').slice(0, 2).join('/') : id);
