/** What wakes the control loops of programs in pods, beside what their own pods wake them for. */
import type { Deployment } from '../../../api/apps_v1.js';
import type { Node, Pod, Service } from '../../../api/core_v1.js';
import {
  ConfigMaps,
  CustomResourceDefinitions,
  Deployments,
  Ingresses,
  MutatingWebhookConfigurations,
  Namespaces,
  Nodes,
  Pods,
  Secrets,
  Services,
  ValidatingWebhookConfigurations,
} from '../../../kinds/index.js';
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
/** What cert-manager's controllers look at. */
export const CERT_MANAGER = 'cert-manager';
/** Gateways and their routes, and what these name. */
export const GATEWAY_API = 'gateway-api';

/** What istiod keeps: its webhooks' trust, and its authority in every namespace. */
export const ISTIO = 'istio';
const ISTIO_AUTHORITY = 'istio-ca-root-cert';

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
  custom('cilium.io', 'v2', 'CiliumEndpoint', 'ciliumendpoints'),
  custom('cilium.io', 'v2', 'CiliumNetworkPolicy', 'ciliumnetworkpolicies'),
  custom('cilium.io', 'v2', 'CiliumClusterwideNetworkPolicy', 'ciliumclusterwidenetworkpolicies'),
];

const gateway = (kind: string, plural: string): Resource => custom('gateway.networking.k8s.io', 'v1', kind, plural);
const GATEWAY_CLASSES = gateway('GatewayClass', 'gatewayclasses');
/** Objects of the Gateway API, and of its controllers. */
const GATEWAY_OBJECTS: readonly Resource[] = [
  ...[GATEWAY_CLASSES, gateway('Gateway', 'gateways'), gateway('HTTPRoute', 'httproutes')],
  ...[gateway('GRPCRoute', 'grpcroutes'), gateway('TLSRoute', 'tlsroutes')],
  gateway('ReferenceGrant', 'referencegrants'),
  custom('gateway.nginx.org', 'v1alpha2', 'NginxProxy', 'nginxproxies'),
];
const CERTIFICATE_OBJECTS: readonly Resource[] = [
  ...['Issuer', 'ClusterIssuer', 'Certificate', 'CertificateRequest'].map((kind) =>
    custom('cert-manager.io', 'v1', kind, `${kind.toLowerCase()}s`),
  ),
  ...['Order', 'Challenge'].map((kind) => custom('acme.cert-manager.io', 'v1', kind, `${kind.toLowerCase()}s`)),
];
/** Where there is no issuer, nobody looks through the pods for cert-manager. */
const ISSUERS = CERTIFICATE_OBJECTS.slice(0, 2);

/** Where it is not, nobody looks through the pods for istiod. */
const ISTIO_DEFINITION = { namespace: '', name: 'virtualservices.networking.istio.io' };

/** Where there is no class, nobody looks through the pods for a controller of Gateways. */
const GATEWAY_LABEL = 'gateway.networking.k8s.io/gateway-name';

const CILIUM_NODES = CUSTOM.find(({ kind }) => kind === 'CiliumNode')!;
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
  const ofGateways = (_object: unknown, reader: Reader): Iterable<Key> =>
    reader.list(GATEWAY_CLASSES).length === 0 ? NO_KEYS : keysOf(reader.list(Pods), GATEWAY_API);
  const ofIssuers = (_object: unknown, reader: Reader): Iterable<Key> =>
    ISSUERS.every((resource) => reader.list(resource).length === 0) ? NO_KEYS : keysOf(reader.list(Pods), CERT_MANAGER);
  const ofIstio = (_object: unknown, reader: Reader): Iterable<Key> =>
    reader.get(CustomResourceDefinitions, ISTIO_DEFINITION) ? keysOf(reader.list(Pods), ISTIO) : NO_KEYS;
  return [
    watch<KubeObject>({ kind: Namespaces as Kind, when: (_object, old) => old === undefined, keys: ofIstio }),
    watch<KubeObject>({ kind: MutatingWebhookConfigurations as Kind, keys: ofIstio }),
    watch<KubeObject>({ kind: ValidatingWebhookConfigurations as Kind, keys: ofIstio }),
    watch<KubeObject>({
      kind: ConfigMaps as Kind,
      when: ({ metadata }) => metadata.name === ISTIO_AUTHORITY,
      keys: ofIstio,
    }),
    ...CERTIFICATE_OBJECTS.map((resource) => watch<KubeObject>({ kind: resource as Kind, keys: all(CERT_MANAGER) })),
    watch<KubeObject>({ kind: Secrets as Kind, when: hasOtherSpec, keys: ofIssuers }),
    watch<KubeObject>({ kind: Ingresses as Kind, when: isAnotherIngress, keys: ofIssuers }),
    watch<Pod>({
      kind: Pods,
      when: (pod, old) => pod.status.podIP !== old?.status.podIP || pod.metadata.deletionTimestamp !== undefined,
      keys: ({ spec }, reader) =>
        POD_NETWORKS.every((resource) => reader.list(resource).length === 0)
          ? NO_KEYS
          : keysOf(reader.byIndex(Pods, 'nodeName', spec.nodeName ?? ''), PODS_ON_NODE),
    }),
    watch<Pod>({
      kind: Pods,
      // Labels make a pod's identity.
      when: (pod, old) => old !== undefined && pod !== old && pod.metadata.labels !== old.metadata.labels,
      keys: ({ spec }, reader) =>
        reader.list(CILIUM_NODES).length === 0
          ? NO_KEYS
          : keysOf(reader.byIndex(Pods, 'nodeName', spec.nodeName ?? ''), PODS_ON_NODE),
    }),
    watch<Service>({
      kind: Services,
      when: (service, old) => isBalanced(service) || (old !== undefined && isBalanced(old)),
      keys: all(LOAD_BALANCERS),
    }),
    ...GATEWAY_OBJECTS.map((resource) => watch<KubeObject>({ kind: resource as Kind, keys: all(GATEWAY_API) })),
    watch<Service>({ kind: Services, when: hasOtherSpec, keys: ofGateways }),
    watch<KubeObject>({ kind: Secrets as Kind, when: hasOtherSpec, keys: ofGateways }),
    watch<KubeObject>({ kind: Namespaces as Kind, when: hasOtherLabels, keys: ofGateways }),
    watch<Deployment>({
      kind: Deployments,
      when: ({ metadata }) => metadata.labels?.[GATEWAY_LABEL] !== undefined,
      keys: ofGateways,
    }),
    watch<Node>({ kind: Nodes, when: (_node, old) => old === undefined, keys: all(NODES) }),
    ...CUSTOM.map((resource) =>
      watch<KubeObject>({ kind: resource as Kind, keys: all(`${resource.plural}.${resource.group}`) }),
    ),
  ];
}

/** It is new or goes, or is another one than before; of a Service also where it is reached. */
const hasOtherSpec = (object: Loose, old: Loose | undefined): boolean =>
  object === old ||
  old === undefined ||
  object.spec !== old.spec ||
  object.data !== old.data ||
  object.status?.loadBalancer !== old.status?.loadBalancer;
const isAnotherIngress = (object: KubeObject, old: KubeObject | undefined): boolean =>
  hasOtherSpec(object, old) || object.metadata.annotations !== old?.metadata.annotations;
const hasOtherLabels = (object: KubeObject, old: KubeObject | undefined): boolean =>
  object === old || object.metadata.labels !== old?.metadata.labels;

type Loose = KubeObject & {
  readonly spec?: unknown;
  readonly data?: unknown;
  readonly status?: { readonly loadBalancer?: unknown };
};

const isBalanced = ({ spec }: Service): boolean => spec.type === 'LoadBalancer';
