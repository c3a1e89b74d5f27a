import type { CertificateSigningRequest } from '../../api/certificates_v1.js';
import type { Node } from '../../api/core_v1.js';
import { FileTree } from '../../kernel/files/tree.js';
import { CertificateSigningRequests, Faults, FileChanges, Leases, NodeRuntimes, Nodes } from '../../kinds/index.js';
import { findHost, listHosts } from '../../kinds/terrarium/noderuntime/hosts.js';
import { changesEffects } from '../../kinds/terrarium/fault/active.js';
import type { Fault } from '../../kinds/terrarium/fault/kind.js';
import type { KubeletConfiguration, NodeRuntime } from '../../kinds/terrarium/noderuntime/kind.js';
import type { Client } from '../../machinery/client.js';
import type { Kind } from '../../machinery/kind.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { keyOf, type Key } from '../../machinery/meta/object.js';
import { microTimestamp, type Millis } from '../../machinery/time/time.js';
import { defineController, watch, type Context, type Controller, type Result } from '../../runtime/controller.js';
import { CALICO, FLANNEL } from '../cni/agent-files.js';
import { CiliumNodes, routerOf, type CiliumNode } from '../cni/cilium/objects.js';
import type { ApiServerConfiguration } from '../../kinds/terrarium/noderuntime/api-server-configuration.js';
import { openAuditLog } from './api-server/audit-log.js';
import { nextEpochs } from './api-server/epochs.js';
import type { FoundApiServer } from './api-server/read-api-server.js';
import { deleteMachine } from '../cri/records/machine-record.js';
import { secondIPOf } from '../dualstack/addresses.js';
import { followServing, nodeOfServingRequest } from './pki/serving-request.js';
import { isOfLog, readRows } from '../cri/records/file-record.js';
import type { ImageCatalog } from '../cri/image.js';
import { parseReference } from '../cri/images/reference.js';
import { resourcesOf } from '../kubelet/config/allocatable.js';
import { internalIPOf } from '../kubelet/nodestatus/internal-ip.js';
import { NODE_LEASES } from '../kubelet/nodestatus/registration.js';
import { emptyStoreFault, switchStore } from './etcd/switch-store.js';
import { PLEG_THRESHOLD, readyOf, reportedConditions, RUNTIME_THRESHOLD, silenceOf } from './services/conditions.js';
import { faultsOfNode, withFaults, withoutFaults } from './services/faults.js';
import { freezeNode } from './services/freeze.js';
import { followUnregistered, makeRecord, registerStarted } from './services/register.js';
import { isControlPlane } from './files/config-files.js';
import { TreeDisk } from './files/disk.js';
import type { ClusterBootstrap } from './packages/cluster-bootstrap.js';
import { asInstalled } from './packages/as-installed.js';
import { evaluateHost, type HostView } from './evaluate.js';
import { nodeFiles } from './files/node-files.js';
import { takeRequests } from './requests.js';
import { shellKey } from './shell/node-shell.js';

const TREE = 'node/';
const API_SERVER_PORT = 6_443;
/** Writes to a node's disk that come together are looked at once. */
const DELAY = 20;

/**
 * What systemd, and the files of a node, make of its services: whether its kubelet and its containerd run, and which
 * static pods there are. Only nodes whose disk somebody has changed have anything to look at.
 */
export const nodeHost = (images: ImageCatalog, bootstrap: ClusterBootstrap): Controller =>
  defineController<Node>({
    name: 'node-host',
    component: 'terrarium',
    actor: (key) => `system:node:${key.name}`,
    eventSource: 'kubelet',
    // Agents of networks say of a node what they have left there.
    for: { kind: Nodes, when: (node, old) => old !== undefined && isPluggedAnew(node, old) },
    watches: [
      watch<Node>({
        kind: Nodes,
        when: (_node, old) => old === undefined,
        keys: (node, read) => (read.get(NodeRuntimes, keyOf(node))?.machine ? [keyOf(node)] : []),
      }),
      watch({
        kind: FileChanges,
        delay: DELAY,
        keys: ({ tree, row }) =>
          tree.startsWith(TREE) && !isOfLog(row) ? [{ namespace: '', name: tree.slice(TREE.length) }] : [],
      }),
      watch<CiliumNode>({
        kind: CiliumNodes as Kind<CiliumNode>,
        when: (own, old) => routerOf(own) !== routerOf(old),
        keys: ({ metadata: { name = '' } }) => [{ namespace: '', name }],
      }),
      watch<CertificateSigningRequest>({
        kind: CertificateSigningRequests,
        when: (request) => nodeOfServingRequest(request) !== undefined,
        keys: (request) => [{ namespace: '', name: nodeOfServingRequest(request)! }],
      }),
      watch<Fault>({
        kind: Faults,
        when: (fault, old) => changesEffects(fault, old, 'node', 'cni', 'component'),
        keys: (_fault, read) => read.list(Nodes).map(keyOf),
      }),
    ],
    reconcile(context, { name }) {
      const { client, now } = context;
      const key = { namespace: '', name };
      const node = findHost(client, name);
      if (!node) return deleteMachine(client, shellKey(name));
      const before = client.get(NodeRuntimes, key);
      const faults = faultsOfNode(client, name, isControlPlane(node));
      const rows = readRows(client, `${TREE}${name}`);
      if (rows.length === 0 && !before && !faults) return undefined;
      const lower = nodeFiles(name, { read: client, imageFiles: () => ({}) });
      const tree = new FileTree(`${TREE}${name}`, lower, rows);
      const disk = new TreeDisk(tree);
      const { started, ...found } = evaluateHost({
        node: asInstalled(node, client),
        disk,
        before: withoutFaults(before),
        now,
        isApiServer: (host, port) => port === API_SERVER_PORT && isControlPlaneAddress(context, host),
        imageFault: (reference) => imageFault(images, reference),
        emptyStoreFault: () => emptyStoreFault(client, name),
      });
      const apiServer = started ? openApiServer(context, name, tree, started) : found.apiServer;
      const view = withFaults({ ...found, ...(apiServer ? { apiServer } : {}) }, faults, before, now);
      const done = before?.requests ?? [];
      if (view.restored !== before?.restored)
        switchStore(context, bootstrap, {
          ...{ tree, disk, node: asInstalled(node, client), manifests: view.manifests },
          ...{ from: before?.restored, to: view.restored },
        });
      const isBack = before !== undefined && registerStarted(client, node, before, view);
      const requests = takeRequests({
        ...{ disk, node: name, done, client: context.as('kubernetes-admin'), etcd: context.etcd },
        ...{ bootstrap, isDualStack: secondIPOf(node) !== '' },
      });
      if (!before && isAsBooted(view) && requests.length === 0) return undefined;
      const stored = currentRecord(client, before, key);
      const registered = client.get(Nodes, key);
      const asked = { ...view, ...(requests.length > 0 ? { requests } : {}) };
      if (stored && (isBack || !registered)) return followUnregistered(client, node, stored, asked);
      const { serving, wakeAt } = followServing(context, node, before?.serving, view);
      apply(context, registered ?? node, stored, { ...asked, ...(serving ? { serving } : {}) });
      return wokenBy(followRuntime(context, key, view), wakeAt - now);
    },
  });

/**
 * Opens the log of an API server that comes up, and begins to write as it was told. Undefined: it acts as kubeadm has
 * set it up.
 */
function openApiServer(
  { client, now }: Context,
  node: string,
  tree: FileTree,
  { audit, encrypted, ...rest }: FoundApiServer,
): ApiServerConfiguration | undefined {
  const before = client.get(NodeRuntimes, { namespace: '', name: node })?.apiServer;
  const log = audit && openAuditLog(client, node, tree, audit, now);
  const encryption = nextEpochs(before?.encryption, encrypted, client.revision);
  const next = { ...rest, ...(log ? { audit: log } : {}), ...(encryption ? { encryption } : {}) };
  return Object.keys(next).length > 0 ? next : undefined;
}

/** The record that was looked at, with what a store that etcd has changed to makes of it: its Node may be gone. */
function currentRecord(client: Client, before: NodeRuntime | undefined, key: Key): NodeRuntime | undefined {
  const current = client.get(NodeRuntimes, key);
  if (!before || !current) return current;
  const { metadata, machine } = current;
  return { ...before, metadata, ...(machine ? { machine } : {}) };
}

/** What a kubelet says of its own release; kube-proxy's is not asked for any more, and shown all the same. */
function releaseOf({ status: { nodeInfo } }: Node, { release }: HostView): Pick<Node['status'], 'nodeInfo'> {
  if (!nodeInfo || release === undefined || nodeInfo.kubeletVersion === release) return {};
  return { nodeInfo: { ...nodeInfo, kubeletVersion: release } };
}

const isPluggedAnew = (node: Node, old: Node): boolean =>
  node.metadata.annotations !== old.metadata.annotations &&
  [`${FLANNEL}kube-subnet-manager`, `${FLANNEL}backend-type`, `${CALICO}IPv4Address`].some(
    (name) => node.metadata.annotations?.[name] !== old.metadata.annotations?.[name],
  );

const isAsBooted = ({
  kubelet,
  containerd,
  manifests,
  network,
  restored,
  broken,
  shutdown,
  apiServer,
  handlers,
}: HostView): boolean =>
  kubelet.state === 'running' &&
  containerd.state === 'running' &&
  kubelet.run === 'boot' &&
  !manifests &&
  !network &&
  !restored &&
  !broken &&
  !apiServer &&
  !handlers &&
  !shutdown;

function isControlPlaneAddress({ client }: Context, host: string): boolean {
  const isLocal = host === '127.0.0.1' || host === 'localhost' || host === 'control-plane';
  return (
    isLocal ||
    listHosts(client).some((n) => isControlPlane(n) && (internalIPOf(n) === host || n.metadata.name === host))
  );
}

function imageFault(images: ImageCatalog, text: string): string | undefined {
  const reference = parseReference(text);
  if (!reference)
    return `Failed to apply default image tag "${text}": couldn't parse image name "${text}": invalid reference format`;
  const found = images.resolve(reference);
  return 'error' in found ? found.error : undefined;
}

type AppliedView = HostView & Pick<NodeRuntime, 'requests' | 'fault' | 'serving'>;

function apply(context: Context, node: Node, before: NodeRuntime | undefined, view: AppliedView): void {
  const { client } = context;
  const next = makeRecord(node.metadata.name ?? '', before, { ...installedOf(node, before, view), ...view });
  if (before && deepEqual(before, next)) return;
  const wasUp = before === undefined || before.kubelet.state === 'running';
  const isUp = view.kubelet.state === 'running';
  if (wasUp && !isUp) freezeNode(client, node, context.now);
  if (before) client.update(NodeRuntimes, next);
  else client.create(NodeRuntimes, next);
  const wasStopped = before?.fault === 'off' || before?.fault === 'kubelet-stopped';
  const isRestarted =
    isUp && (!wasUp || before?.kubelet.run !== view.kubelet.run) && (view.kubelet.run !== 'boot' || wasStopped);
  if (isUp) report(context, node, view, { isRestarted, before: before?.configuration });
  if (isUp && before?.fault === 'off' && view.fault !== 'off') reportReboot(context, node);
}

/** The earlier of what is due next. */
const wokenBy = (result: Result | void, after: Millis): Result | void =>
  after === Infinity ? result : { requeueAfter: Math.min(Math.max(0, after), result?.requeueAfter ?? Infinity) };

/** A runtime that stays silent is told of when its kubelet notices, and again when no pod was looked at for long. */
function followRuntime(context: Context, key: Key, view: AppliedView): Result | void {
  const { client, now } = context;
  if (view.kubelet.state !== 'running' || view.containerd.state === 'running') return undefined;
  const silent = silenceOf(view.containerd, now);
  const node = client.get(Nodes, key);
  const told = node?.status.conditions?.find(({ type }) => type === 'Ready')?.message ?? '';
  const isTold = silent < RUNTIME_THRESHOLD || (silent < PLEG_THRESHOLD ? / is down/ : / is down, PLEG/).test(told);
  if (node && !isTold) report(context, node, view, { isRestarted: false, before: view.configuration });
  const next = [RUNTIME_THRESHOLD, PLEG_THRESHOLD].find((one) => one > silent);
  return next === undefined ? undefined : { requeueAfter: next - silent };
}

/** A kubelet of another release keeps in mind which one the node was set up with. */
function installedOf(
  node: Node,
  before: NodeRuntime | undefined,
  { release }: HostView,
): Pick<NodeRuntime, 'installed'> {
  const known = node.status.nodeInfo?.kubeletVersion;
  const installed = before?.installed ?? (release !== undefined && known !== release ? known : undefined);
  return installed === undefined ? {} : { installed };
}

/** Models pkg/kubelet/nodestatus/setters.go: the machine has another boot ID than the API server knows. */
function reportReboot(context: Context, { metadata: { name = '' } }: Node): void {
  const node = context.client.get(Nodes, { namespace: '', name });
  if (!node?.status.nodeInfo) return;
  const bootID = context.random.uuid();
  const source = { source: { component: 'kubelet', host: name } };
  context.event(node, 'Warning', 'Rebooted', `Node ${name} has been rebooted, boot id: ${bootID}`, source);
  context.client.updateStatus(Nodes, {
    ...node,
    status: { ...node.status, nodeInfo: { ...node.status.nodeInfo, bootID } },
  });
}

interface Start {
  readonly isRestarted: boolean;
  /** What the kubelet was told until now. */
  readonly before: KubeletConfiguration | undefined;
}

function report(context: Context, node: Node, view: HostView, { isRestarted, before }: Start): void {
  const { client, now } = context;
  const name = node.metadata.name ?? '';
  const lease = client.get(Leases, { namespace: NODE_LEASES, name });
  if (lease) client.update(Leases, { ...lease, spec: { ...lease.spec, renewTime: microTimestamp(now) } });
  const stored = client.get(Nodes, { namespace: '', name }) ?? node;
  const conditions = reportedConditions(stored.status.conditions ?? [], view, now, isRestarted);
  const resources = resourcesOf(stored, before, view.configuration);
  const source = { source: { component: 'kubelet', host: name } };
  if (isRestarted) {
    context.event(stored, 'Normal', 'Starting', 'Starting kubelet.', source);
    context.event(stored, 'Normal', 'NodeAllocatableEnforced', 'Updated Node Allocatable limit across pods', source);
  }
  const [was, is] = [readyOf(stored.status.conditions), readyOf(conditions)];
  client.updateStatus(Nodes, {
    ...stored,
    status: { ...stored.status, ...resources, ...releaseOf(stored, view), conditions },
  });
  if (was === is && !isRestarted) return;
  const well = isRestarted ? ['NodeHasSufficientMemory', 'NodeHasNoDiskPressure', 'NodeHasSufficientPID'] : [];
  // It says so when it registers, and again with its first status where that was not known.
  const reasons = was === 'Unknown' ? [...well, ...well] : well;
  for (const reason of [...reasons, is === 'True' ? 'NodeReady' : 'NodeNotReady'])
    if (was !== is || reason.startsWith('NodeHas'))
      context.event(stored, 'Normal', reason, `Node ${name} status is now: ${reason}`, source);
}
