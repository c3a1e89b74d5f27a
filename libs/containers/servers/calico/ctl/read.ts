import { caliOf } from '../../../../engine/node/cni/fabric/names.js';
import type { Pod } from '../../../../engine/api/core_v1.js';
import type { ApiObject, Session } from '../../../tools/kubectl/session/session.js';
import type { CalicoKind, CalicoObject } from './kinds.js';
import { selectorText } from './selector-text.js';

type Fields = Readonly<Record<string, unknown>>;

export const API = 'projectcalico.org/v3';
const CRD = '/apis/crd.projectcalico.org/v1';
const ANNOTATION = 'projectcalico.org/';
/** Policies of the first tier are stored under it. */
const TIER = 'default.';

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const itemsOf = (list: ApiObject): readonly ApiObject[] => (list['items'] as readonly ApiObject[] | undefined) ?? [];

export const hasTier = ({ kind }: CalicoKind): boolean => kind === 'NetworkPolicy' || kind === 'GlobalNetworkPolicy';
export const storedName = (kind: CalicoKind, name: string): string =>
  hasTier(kind) && !name.includes('.') ? `${TIER}${name}` : name;
const shownName = (kind: CalicoKind, name: string): string =>
  hasTier(kind) && name.startsWith(TIER) ? name.slice(TIER.length) : name;

export const pathOfKind = ({ plural, isNamespaced }: CalicoKind, namespace: string, name = ''): string =>
  `${CRD}${isNamespaced && namespace !== '' ? `/namespaces/${namespace}` : ''}/${plural ?? ''}${name === '' ? '' : `/${name}`}`;

/** The objects of a kind; `namespace`: '' is all of them. Throws ApiFailure. */
export function listKind(session: Session, kind: CalicoKind, namespace: string): CalicoObject[] {
  switch (kind.kind) {
    case 'Node':
      return itemsOf(session.get('/api/v1/nodes')).map(nodeOf);
    case 'WorkloadEndpoint':
      return itemsOf(session.get(`/api/v1${ofNamespace(namespace)}/pods`)).flatMap(endpointOf);
    case 'Profile':
      return profiles(session);
    case 'NetworkPolicy':
      return [
        ...itemsOf(session.get(pathOfKind(kind, namespace))).map((one) => fromStored(kind, one)),
        ...itemsOf(session.get(`/apis/networking.k8s.io/v1${ofNamespace(namespace)}/networkpolicies`)).map(policyOf),
      ];
    default:
      return itemsOf(session.get(pathOfKind(kind, namespace))).map((one) => fromStored(kind, one));
  }
}

const ofNamespace = (namespace: string): string => (namespace === '' ? '' : `/namespaces/${namespace}`);

/** What is shown of an object's metadata. */
function metadataOf({ metadata = {} }: ApiObject, name = metadata.name ?? ''): CalicoObject['metadata'] {
  const { creationTimestamp, namespace, resourceVersion, uid } = metadata;
  return {
    ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(uid === undefined ? {} : { uid }),
  };
}

export const fromStored = (kind: CalicoKind, object: ApiObject): CalicoObject => ({
  ...{ apiVersion: API, kind: kind.kind, spec: fieldsOf(object['spec']) },
  metadata: metadataOf(object, shownName(kind, object.metadata?.name ?? '')),
});

/** Models libcalico-go's lib/backend/k8s/resources/node.go. */
function nodeOf(object: ApiObject): CalicoObject {
  const own = (name: string): string | undefined => object.metadata?.annotations?.[ANNOTATION + name];
  const status = fieldsOf(object['status']);
  const addresses = (Array.isArray(status['addresses']) ? (status['addresses'] as Fields[]) : []).filter(
    ({ type }) => type === 'InternalIP',
  );
  const [ipv4, ipip, asNumber] = [own('IPv4Address'), own('IPv4IPIPTunnelAddr'), own('ASNumber')];
  const name = object.metadata?.name ?? '';
  const bgp = {
    ...(asNumber === undefined ? {} : { asNumber }),
    ...(ipv4 === undefined ? {} : { ipv4Address: ipv4 }),
    ...(ipip === undefined ? {} : { ipv4IPIPTunnelAddr: ipip }),
  };
  const vxlan = own('IPv4VXLANTunnelAddr');
  return {
    ...{ apiVersion: API, kind: 'Node', metadata: { ...metadataOf(object), labels: object.metadata?.labels ?? {} } },
    spec: {
      addresses: [
        ...(ipv4 === undefined ? [] : [{ address: ipv4, type: 'CalicoNodeIP' }]),
        ...addresses.map(({ address }) => ({ address, type: 'InternalIP' })),
      ],
      ...(Object.keys(bgp).length === 0 ? {} : { bgp }),
      ...(vxlan === undefined ? {} : { ipv4VXLANTunnelAddr: vxlan }),
      orchRefs: [{ nodeName: name, orchestrator: 'k8s' }],
    },
  };
}

/** Models libcalico-go's lib/backend/k8s/conversion podToDefaultWorkloadEndpoint. */
function endpointOf(object: ApiObject): CalicoObject[] {
  const pod = object as unknown as Pod;
  const { spec, status, metadata } = pod;
  const { nodeName } = spec;
  if (spec.hostNetwork === true || nodeName === undefined || !status.podIP) return [];
  if (status.phase === 'Succeeded' || status.phase === 'Failed') return [];
  const [name, namespace] = [metadata.name ?? '', metadata.namespace ?? ''];
  const account = spec.serviceAccountName ?? 'default';
  return [
    {
      ...{ apiVersion: API, kind: 'WorkloadEndpoint' },
      metadata: {
        ...metadataOf(object, `${dashed(nodeName)}-k8s-${dashed(name)}-eth0`),
        labels: {
          ...metadata.labels,
          [`${ANNOTATION}namespace`]: namespace,
          [`${ANNOTATION}orchestrator`]: 'k8s',
          [`${ANNOTATION}serviceaccount`]: account,
        },
      },
      spec: {
        ...{ endpoint: 'eth0', interfaceName: caliOf(pod), ipNetworks: [`${status.podIP}/32`], node: nodeName },
        ...{ orchestrator: 'k8s', pod: name, profiles: [`kns.${namespace}`, `ksa.${namespace}.${account}`] },
        serviceAccountName: account,
      },
    },
  ];
}

const dashed = (text: string): string => text.replaceAll('-', '--');

/** Models lib/backend/k8s/conversion NamespaceToProfile and ServiceAccountToProfile. */
function profiles(session: Session): CalicoObject[] {
  const make = (name: string, prefix: string, labels: Fields, own: string): CalicoObject => ({
    ...{ apiVersion: API, kind: 'Profile', metadata: { name } },
    spec: {
      ...(prefix === 'pcns' ? { egress: [ALLOW], ingress: [ALLOW] } : {}),
      labelsToApply: {
        ...Object.fromEntries(Object.entries(labels).map(([key, value]) => [`${prefix}.${key}`, value])),
        [`${prefix}.${ANNOTATION}name`]: own,
      },
    },
  });
  const open: CalicoObject = {
    ...{ apiVersion: API, kind: 'Profile', metadata: { name: 'projectcalico-default-allow' } },
    spec: { egress: [ALLOW], ingress: [ALLOW] },
  };
  const namespaces = itemsOf(session.get('/api/v1/namespaces')).map(({ metadata = {} }) =>
    make(`kns.${metadata.name}`, 'pcns', metadata.labels ?? {}, metadata.name ?? ''),
  );
  const accounts = itemsOf(session.get('/api/v1/serviceaccounts')).map(({ metadata = {} }) =>
    make(`ksa.${metadata.namespace}.${metadata.name}`, 'pcsa', metadata.labels ?? {}, metadata.name ?? ''),
  );
  return [open, ...namespaces, ...accounts];
}

const ALLOW = { action: 'Allow', destination: {}, source: {} };

/** Kubernetes' own policies, which calicoctl shows and does not change; their rules are left out. */
function policyOf(object: ApiObject): CalicoObject {
  const spec = fieldsOf(object['spec']);
  return {
    ...{ apiVersion: API, kind: 'NetworkPolicy' },
    metadata: metadataOf(object, `knp.default.${object.metadata?.name ?? ''}`),
    spec: {
      order: 1000,
      selector: selectorText(fieldsOf(spec['podSelector'])),
      types: Array.isArray(spec['policyTypes']) ? spec['policyTypes'] : ['Ingress'],
    },
  };
}
