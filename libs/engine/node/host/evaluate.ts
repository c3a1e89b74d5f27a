import type { Node, Pod } from '../../api/core_v1.js';
import { textOf, toArray, type Bytes } from '../../kernel/bytes.js';
import type { ApiServerConfiguration } from '../../kinds/terrarium/noderuntime/api-server-configuration.js';
import type { NodeManifest, NodeRuntime, NodeService } from '../../kinds/terrarium/noderuntime/kind.js';
import { ApiError } from '../../machinery/meta/status.js';
import { microTimestamp, type Millis } from '../../machinery/time/time.js';
import { decode } from '../../schema/index.js';
import { readNetwork } from '../cni/network-config.js';
import { digestOf } from '../digest.js';
import { secondRangeOf } from '../dualstack/addresses.js';
import { defaultManifests } from '../kubelet/pod/manifests.js';
import { defaultHash } from '../kubelet/pod/static-pods.js';
import { MAX_HEADER_BYTES, readHeader } from './etcd/snapshot.js';
import { startApiServer, type FoundApiServer } from './api-server/read-api-server.js';
import { dataFolderOf, findComponentFault } from './services/component-fault.js';
import { isControlPlane } from './files/config-files.js';
import type { Disk } from './files/disk.js';
import { installedRelease } from './packages/packages.js';
import { startKubelet, type KubeletStart } from './services/kubelet-start.js';
import { formatManifest } from './files/node-files.js';
import { readShutdown } from './services/power.js';
import { readHandlers } from './services/runtime-handlers.js';
import { readUnit, type Unit } from './services/units.js';

/** Files that a kubelet reads of its folder of manifests. */
const MAX_MANIFESTS = 100;
const POD = 'io.k8s.api.core.v1.Pod';
const NO_MANIFEST = 'no manifest';
/** kubeadm leaves it where it has taken a node of the control plane apart: nothing of it runs any more. */
export const RESET_FILE = '/run/kubeadm/reset';
const API_SERVER = 'kube-apiserver';
/** Components whose end stops controllers. */
const COMPONENTS = ['kube-scheduler', 'kube-controller-manager'] as const;

export interface HostFacts {
  readonly node: Node;
  readonly disk: Disk;
  readonly before: NodeRuntime | undefined;
  readonly now: Millis;
  isApiServer(host: string, port: number): boolean;
  /** Why an image cannot be pulled; undefined: it can. */
  imageFault(reference: string): string | undefined;
  /** Why etcd does not begin without data, in its last words; undefined: it does. */
  emptyStoreFault(): string | undefined;
}

export type HostView = Pick<
  NodeRuntime,
  | 'kubelet'
  | 'containerd'
  | 'manifests'
  | 'network'
  | 'broken'
  | 'restored'
  | 'configuration'
  | 'shutdown'
  | 'release'
  | 'handlers'
> & {
  /** What the API server acts on. */
  readonly apiServer?: ApiServerConfiguration;
  /** What an API server that comes up now has read; empty: nothing. */
  readonly started?: FoundApiServer;
};

/** What the disk of a node makes of its services. Reads only. */
export function evaluateHost(facts: HostFacts): HostView {
  const { disk, before } = facts;
  const shutdown = readShutdown(disk, before?.shutdown);
  if (before && shutdown?.isOff) return before;
  const start = startKubelet(disk, (host, port) => facts.isApiServer(host, port));
  const kubelet = evaluateKubelet(facts, start);
  const containerd = since(before?.containerd, serviceOf(facts, 'containerd'), facts.now);
  const kept = pickKept(before);
  const found: Found = disk.has(RESET_FILE)
    ? resetControlPlane(kept)
    : kubelet.state === 'stopped' || kubelet.state === 'failing'
      ? kept
      : readManifests(facts, start.manifests);
  const network = containerd.state === 'running' ? networkOn(facts) : before?.network;
  // What a kubelet has read holds until it starts again.
  const isNew = isStarted(before?.kubelet, kubelet);
  const configuration = isNew ? start.configuration : before?.configuration;
  const release = isNew ? installedRelease(disk, 'kubelet') : before?.release;
  const handlers = isStarted(before?.containerd, containerd) ? readHandlers(disk) : before?.handlers;
  return {
    kubelet,
    containerd,
    ...(handlers ? { handlers } : {}),
    ...(configuration ? { configuration } : {}),
    ...(release === undefined ? {} : { release }),
    ...(shutdown ? { shutdown } : {}),
    ...(network ? { network } : {}),
    ...(found.manifests ? { manifests: found.manifests } : {}),
    ...(found.restored === undefined ? {} : { restored: found.restored }),
    ...(found.started ? { started: found.started } : before?.apiServer ? { apiServer: before.apiServer } : {}),
    ...(found.broken && Object.keys(found.broken).length > 0 ? { broken: found.broken } : {}),
  };
}

const resetControlPlane = (kept: Found): Found => ({
  ...kept,
  manifests: [],
  broken: Object.fromEntries([...COMPONENTS, 'etcd', API_SERVER].map((component) => [component, NO_MANIFEST])),
});

const networkOn = ({ disk, node }: HostFacts): NodeRuntime['network'] =>
  readNetwork(disk, node.spec.podCIDR, secondRangeOf(node));

const isStarted = (before: NodeService | undefined, { state, run }: NodeService): boolean =>
  (state === 'running' || state === 'cut') && run !== 'boot' && (before?.run !== run || before.state === 'failing');

function serviceOf({ disk }: HostFacts, unit: Unit): Pick<NodeService, 'state' | 'run'> {
  const { isActive, run } = readUnit(disk, unit);
  return { state: isActive ? 'running' : 'stopped', run };
}

/** A kubelet reads its configuration when it starts: one that has come up goes on with what it has read. */
function evaluateKubelet(facts: HostFacts, start: KubeletStart): NodeService {
  const { before, disk, now } = facts;
  const { isActive, run, hasFailed } = readUnit(disk, 'kubelet');
  if (!isActive) return since(before?.kubelet, { state: 'stopped', run }, now);
  const known = before?.kubelet;
  const isSameRun = (known?.run ?? 'boot') === run;
  const isUp = isSameRun && !hasFailed && known?.state !== 'failing' && known?.state !== 'stopped';
  if (isUp) return known ?? { state: 'running', since: microTimestamp(now), run };
  if (start.failure !== undefined) return since(known, { state: 'failing', run, message: start.failure }, now);
  if (start.cut !== undefined) return since(known, { state: 'cut', run, message: start.cut }, now);
  return since(known, { state: 'running', run }, now);
}

const since = (before: NodeService | undefined, next: Omit<NodeService, 'since'>, now: Millis): NodeService =>
  before?.state === next.state && before.run === next.run && before.message === next.message
    ? before
    : { ...next, since: microTimestamp(now) };

type Found = Pick<NodeRuntime, 'manifests' | 'broken' | 'restored'> & { readonly started?: FoundApiServer };

const pickKept = (before: NodeRuntime | undefined): Found => ({
  manifests: before?.manifests,
  broken: before?.broken,
  restored: before?.restored,
});

/** The folder as the kubelet finds it; nothing when it is as kubeadm left it. */
function readManifests(facts: HostFacts, folder: string): Found {
  const { disk, node, before } = facts;
  const defaults = isControlPlane(node) ? defaultManifests(node) : [];
  const names =
    folder === ''
      ? []
      : disk
          .list(folder)
          .filter((name) => !name.startsWith('.'))
          .slice(0, MAX_MANIFESTS);
  const files = names.flatMap((file): [string, string][] => {
    const content = disk.read(`${folder}/${file}`);
    return content === undefined ? [] : [[file, content]];
  });
  const own = new Map(defaults.map(([file, pod]) => [file, { pod, text: formatManifest(pod) }]));
  const isUntouched = files.length === own.size && files.every(([file, text]) => own.get(file)?.text === textOf(text));
  const manifests = isUntouched
    ? undefined
    : files.map(([file, text]): NodeManifest => {
        const known = own.get(file);
        return known?.text === textOf(text)
          ? { file, pod: known.pod, hash: defaultHash(known.pod.metadata.name ?? '') }
          : readManifest(file, text);
      });
  const pods: FoundPod[] = manifests
    ? manifests.flatMap(({ pod, hash = '' }) => (pod === undefined ? [] : [{ pod: pod as Pod, hash }]))
    : defaults.map(([, pod]) => ({ pod, hash: defaultHash(pod.metadata.name ?? '') }));
  if (!isControlPlane(node)) return { manifests };
  const { broken, started } = findBroken(facts, pods);
  const restored = broken['etcd'] === undefined ? storeOf(facts, pods) : before?.restored;
  return { manifests, broken, restored, ...(started ? { started } : {}) };
}

/** Models pkg/kubelet/config/file.go extractFromFile. */
function readManifest(file: string, bytes: Bytes): NodeManifest {
  try {
    const { value } = decode(toArray(bytes), 'application/yaml', POD);
    const pod = value as unknown as Pod;
    if (!pod.metadata?.name || !pod.spec?.containers?.length)
      return { file, error: `invalid pod: ${pod.metadata?.name ? 'spec.containers' : 'name'}: Required value` };
    return { file, pod: { ...pod, status: {} }, hash: digestOf(bytes).slice(0, 32) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { file, error: `couldn't parse as pod(${error.message}), please check config file` };
  }
}

/**
 * A component that has come up goes on with what it has read; another one tries again with the files as they are. An
 * API server ends with its etcd.
 */
function findBroken(
  facts: HostFacts,
  pods: readonly FoundPod[],
): { readonly broken: Record<string, string>; readonly started?: FoundApiServer } {
  const broken: Record<string, string> = {};
  let started: FoundApiServer | undefined;
  const etcd = pods.find(({ pod }) => pod.metadata.name === 'etcd')?.pod;
  for (const component of [...COMPONENTS, 'etcd', API_SERVER]) {
    const found = pods.find(({ pod }) => pod.metadata.name === component);
    const hasLost = component === API_SERVER && broken['etcd'] !== undefined;
    if (found && !hasLost && runsOn(facts, component, found)) continue;
    const reason = found ? faultOf(facts, component, found.pod, hasLost ? undefined : etcd) : NO_MANIFEST;
    if (reason !== undefined) broken[component] = reason;
    else if (found && component === API_SERVER) {
      const start = startApiServer(found.pod, facts.disk);
      if ('fault' in start) broken[component] = start.fault;
      else started = start.found;
    }
  }
  return { broken, ...(started ? { started } : {}) };
}

interface FoundPod {
  readonly pod: Pod;
  readonly hash: string;
}

function runsOn({ before }: HostFacts, component: string, { hash }: FoundPod): boolean {
  if (before?.broken?.[component] !== undefined) return false;
  const known = before?.manifests?.find(({ pod }) => (pod as Pod | undefined)?.metadata.name === component);
  return hash === (before?.manifests ? known?.hash : defaultHash(component));
}

/**
 * The store that the etcd which runs has: what its data were restored from; undefined: the one that the node was set up
 * with. One that comes up without data begins a new one; one that runs on has what it had, whatever becomes of files.
 */
function storeOf(facts: HostFacts, pods: readonly FoundPod[]): string | undefined {
  const { disk, before, now } = facts;
  const etcd = pods.find(({ pod }) => pod.metadata.name === 'etcd');
  if (!etcd) return before?.restored;
  const restored = readHeader(disk.read(dataOf(etcd.pod), MAX_HEADER_BYTES) ?? '')?.restored;
  if (restored !== undefined) return restored;
  if (runsOn(facts, 'etcd', etcd)) return before?.restored;
  return disk.has(dataOf(etcd.pod)) ? undefined : `empty-${now}`;
}

const dataOf = (etcd: Pod): string => `${dataFolderOf(etcd) ?? ''}/member/snap/db`;

const isEmptyStore = ({ disk }: HostFacts, pod: Pod): boolean =>
  pod.metadata.name === 'etcd' && dataFolderOf(pod) !== undefined && !disk.has(dataOf(pod));

const faultOf = (facts: HostFacts, component: string, pod: Pod, etcd: Pod | undefined): string | undefined =>
  facts.imageFault(pod.spec.containers[0]?.image ?? '') ??
  findComponentFault(component, pod, facts.disk, etcd) ??
  (isEmptyStore(facts, pod) ? facts.emptyStoreFault() : undefined);
