import type { Node, Pod } from '../../../api/core_v1.js';
import { PodRuntimes, Pods } from '../../../kinds/index.js';
import { isPodTerminal } from '../../../kinds/core/pod/status/phase.js';
import type { NodeNetwork } from '../../../kinds/terrarium/noderuntime/kind.js';
import type { Reader } from '../../../machinery/client.js';
import { keyOf } from '../../../machinery/meta/object.js';
import { parseAddress } from '../../../machinery/net/netip.js';
import { addInterface } from './add-interface.js';
import { NETWORKS, type Attachment } from './attachment.js';
import { findDelegate, type Delegate } from './definition.js';
import { parseSelections, type Selection } from './selection.js';
import { formatStatus, type FirstInterface } from './status.js';

/** Of a pod whose networks are replaced as a whole. */
const DEFAULT_NETWORK = 'v1.multus-cni.io/default-network';
/** Attachments of a node that are looked at for one that is in the way. */
const MAX_OTHERS = 1_000;

export interface PlugRequest {
  readonly read: Reader;
  readonly pod: Pod;
  readonly node: Node;
  readonly network: NodeNetwork & { readonly multus: NonNullable<NodeNetwork['multus']> };
  /** As the first network has made it. */
  readonly first: FirstInterface;
}

export interface MultusEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export type PluggedNetworks = { readonly events: readonly MultusEvent[] } & (
  | { readonly failure: string }
  /** `status`: what the annotation says. */
  | { readonly attachments: readonly Attachment[]; readonly status: string }
);

/** What Multus does after the pod's first network is there. Models multus-cni's pkg/multus CmdAdd. */
export function plugNetworks(request: PlugRequest): PluggedNetworks {
  const { pod, network, first } = request;
  const { multus } = network;
  const events: MultusEvent[] = [];
  const found = loadDelegates(request, events);
  if ('error' in found)
    return {
      events,
      failure: failed(
        multus,
        `Multus: [${idOf(pod)}]: error loading k8s delegates k8s args: TryLoadPodDelegates: ${found.error}`,
      ),
    };
  events.push(added('eth0', first.addresses, multus.network));
  const given: Attachment[] = [];
  const others = othersOn(request);
  for (const [i, { selection, delegate }] of found.entries()) {
    const name = selection.interface ?? `net${i + 1}`;
    const made = ['lo', 'eth0', ...given.map((one) => one.name)].includes(name)
      ? {
          error:
            `DelegateAdd: cannot set ${JSON.stringify(delegate.plugins[0]?.['type'] ?? '')} interface name to ` +
            `${JSON.stringify(name)}: validateIfName: interface name ${name} already exists`,
        }
      : addInterface({
          ...{ read: request.read, pod, node: request.node, delegate, selection, name, given, others },
          binaries: multus.binaries,
        });
    if ('error' in made) {
      const why = `error adding container to network ${JSON.stringify(delegate.name)}: ${made.error}`;
      return { events, failure: failed(multus, `[${idOf(pod)}:${delegate.name}]: ${why}`) };
    }
    const [gateway] = selection.defaultRoute ?? [];
    const attachment: Attachment = gateway === undefined ? made : { ...made, defaultGateway: gateway };
    given.push(attachment);
    events.push(added(name, attachment.addresses, attachment.network));
  }
  return { events, attachments: given, status: formatStatus({ ...first, network: multus.network }, given) };
}

const idOf = ({ metadata }: Pod): string => `${metadata.namespace}/${metadata.name}/${metadata.uid}`;

const failed = ({ type, name }: PlugRequest['network']['multus'], message: string): string =>
  `plugin type="${type}"${name === undefined ? '' : ` name=${JSON.stringify(name)}`} failed (add): ${message}`;

const added = (name: string, addresses: readonly string[], network: string): MultusEvent => ({
  ...{ type: 'Normal', reason: 'AddedInterface' },
  message: `Add ${name} [${addresses.join(' ')}] from ${network}`,
});

interface Wanted {
  readonly selection: Selection;
  readonly delegate: Delegate;
}

/** The networks that a pod's annotation asks for. Models TryLoadPodDelegates. */
function loadDelegates(
  { read, pod }: PlugRequest,
  events: MultusEvent[],
): readonly Wanted[] | { readonly error: string } {
  const { annotations = {}, namespace = '' } = pod.metadata;
  if (annotations[DEFAULT_NETWORK] !== undefined)
    return {
      error:
        'error in loading K8s cluster default network from pod annotation: ' +
        `tryLoadK8sPodDefaultNetwork: the annotation ${DEFAULT_NETWORK} is not simulated`,
    };
  const text = annotations[NETWORKS] ?? '';
  if (text === '') return [];
  const selections = parseSelections(text, namespace);
  // GetPodNetwork's own failure is not wrapped.
  if ('error' in selections) return selections;
  const wanted: Wanted[] = [];
  for (const selection of selections.networks) {
    const delegate = findDelegate(read, selection);
    if ('error' in delegate) {
      if (delegate.isUnknown) events.push({ type: 'Warning', reason: 'NoNetworkFound', message: delegate.error });
      const own = delegate.isUnknown ? `getKubernetesDelegate: ${delegate.error}` : delegate.error;
      return {
        error: `error in getting k8s network for pod: GetNetworkDelegates: failed getting the delegate: ${own}`,
      };
    }
    wanted.push({ selection, delegate });
  }
  const gateways = wanted.flatMap(({ selection }) => selection.defaultRoute ?? []).map(parseAddress);
  if (gateways.filter((one) => one?.kind() === 'ipv4').length > 1)
    return { error: 'multus does not support ECMP for default-route' };
  return wanted;
}

/** What other pods of the node have. */
function othersOn({ read, node, pod }: PlugRequest): readonly Attachment[] {
  const others: Attachment[] = [];
  for (const other of read.byIndex(Pods, 'unfinishedByNode', node.metadata.name ?? '')) {
    if (others.length >= MAX_OTHERS) break;
    if (other.metadata.uid === pod.metadata.uid || isPodTerminal(other)) continue;
    if (other.metadata.annotations?.[NETWORKS] === undefined) continue;
    const stored = read.get(PodRuntimes, keyOf(other)) as { attachments?: readonly Attachment[] } | undefined;
    others.push(...(stored?.attachments ?? []));
  }
  return others;
}
