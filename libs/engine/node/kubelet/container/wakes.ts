/** What wakes the control loops of programs in pods, beside what their own pods wake them for. */
import type { Node, Pod, Service } from '../../../api/core_v1.js';
import { Nodes, Pods, Services } from '../../../kinds/index.js';
import type { Kind } from '../../../machinery/kind.js';
import { keyOf, type Key, type KubeObject } from '../../../machinery/meta/object.js';
import type { Reader } from '../../../machinery/client.js';
import type { Resource } from '../../../machinery/resource.js';
import { NO_KEYS, watch, type Source } from '../../../runtime/controller.js';

/** Which pods' images have control loops that something wakes, by its name in Image.tends. */
export type WokenBy = (pod: Pod, wake: string) => boolean;

/** Pods of the same node that are plugged in or unplugged. */
export const PODS_ON_NODE = 'pods-on-node';
/** Services of type LoadBalancer. */
export const LOAD_BALANCERS = 'load-balancers';
/** Nodes that come and go. */
export const NODES = 'nodes';

const custom = (group: string, version: string, kind: string, plural: string): Resource => ({
  ...{ group, version, kind, plural },
  scope: 'Cluster',
});
const calico = (kind: string): Resource => custom('crd.projectcalico.org', 'v1', kind, `${kind.toLowerCase()}s`);
const metallb = (kind: string, plural = `${kind.toLowerCase()}s`): Resource =>
  custom('metallb.io', 'v1beta1', kind, plural);

/** Custom resources of networks, once their definitions are applied; each wakes by the name of its definition. */
const CUSTOM: readonly Resource[] = [
  calico('IPPool'),
  calico('CalicoNodeStatus'),
  metallb('IPAddressPool'),
  metallb('L2Advertisement'),
  metallb('BGPAdvertisement'),
  custom('cilium.io', 'v2', 'CiliumNode', 'ciliumnodes'),
];

/** Where none of them is, nobody keeps a list of a node's pods. */
const POD_NETWORKS = CUSTOM.filter(({ kind }) => kind === 'IPPool' || kind === 'CiliumNode');

/** The sources of all wakes that an image may name. */
export function wakeSources(isWoken: WokenBy): Source[] {
  const all =
    (wake: string) =>
    (_object: unknown, reader: Reader): Iterable<Key> =>
      keysOf(reader.list(Pods), wake);
  const keysOf = (pods: readonly Pod[], wake: string): Key[] =>
    pods.filter((pod) => pod.spec.nodeName !== undefined && isWoken(pod, wake)).map(keyOf);
  return [
    watch<Pod>({
      kind: Pods,
      when: (pod, old) => pod.status.podIP !== old?.status.podIP || pod.metadata.deletionTimestamp !== undefined,
      keys: ({ spec }, reader) =>
        POD_NETWORKS.every((resource) => reader.list(resource).length === 0)
          ? NO_KEYS
          : keysOf(reader.byIndex(Pods, 'nodeName', spec.nodeName ?? ''), PODS_ON_NODE),
    }),
    watch<Service>({
      kind: Services,
      when: (service, old) => isBalanced(service) || (old !== undefined && isBalanced(old)),
      keys: all(LOAD_BALANCERS),
    }),
    watch<Node>({ kind: Nodes, when: (_node, old) => old === undefined, keys: all(NODES) }),
    ...CUSTOM.map((resource) =>
      watch<KubeObject>({ kind: resource as Kind, keys: all(`${resource.plural}.${resource.group}`) }),
    ),
  ];
}

const isBalanced = ({ spec }: Service): boolean => spec.type === 'LoadBalancer';
