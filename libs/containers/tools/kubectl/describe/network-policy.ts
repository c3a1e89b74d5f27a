import type { ApiObject, Session } from '../session/session.js';
import { describeAnnotations, describeLabels, type Details } from './parts/details.js';
import { formatSelector } from './parts/selector.js';

type Selector = Parameters<typeof formatSelector>[0];
interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}
interface Port {
  readonly port?: number | string;
  readonly endPort?: number;
  readonly protocol?: string;
}
interface Rule {
  readonly ports?: readonly Port[];
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
}
interface Spec {
  readonly podSelector?: Selector;
  readonly policyTypes?: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

/** Models k8s.io/kubectl/pkg/describe describeNetworkPolicy. */
export function describeNetworkPolicy(_session: Session, details: Details, object: ApiObject): void {
  const { name = '', namespace = '', labels, annotations, creationTimestamp = '' } = object.metadata ?? {};
  details.field(0, 'Name', name);
  details.field(0, 'Namespace', namespace);
  details.field(0, 'Created on', `${String(creationTimestamp).replace('T', ' ').replace('Z', '')} +0000 UTC`);
  describeLabels(details, 'Labels', labels);
  describeAnnotations(details, 'Annotations', annotations);
  describeSpec(details, object['spec'] as Spec);
}

function describeSpec(details: Details, { podSelector = {}, policyTypes = [], ingress, egress }: Spec): void {
  const selected = formatSelector(podSelector);
  const all = '<none> (Allowing the specific traffic to all pods in this namespace)';
  details.line(0, 'Spec:');
  details.line(1, `PodSelector:     ${selected === '' ? all : selected}`);
  for (const [type, rules] of [
    ['Ingress', ingress],
    ['Egress', egress],
  ] as const) {
    const word = type.toLowerCase();
    if (!policyTypes.includes(type)) details.line(1, `Not affecting ${word} traffic`);
    else {
      details.line(1, `Allowing ${word} traffic:`);
      describeRules(details, word, rules ?? []);
    }
  }
  details.line(1, `Policy Types: ${policyTypes.join(', ')}`);
}

function describeRules(details: Details, word: string, rules: readonly Rule[]): void {
  const isIngress = word === 'ingress';
  if (rules.length === 0) return details.line(2, `<none> (Selected pods are isolated for ${word} connectivity)`);
  rules.forEach(({ ports = [], from = [], to = [] }, at) => {
    if (ports.length === 0) details.line(2, 'To Port: <any> (traffic allowed to all ports)');
    for (const port of ports) details.line(2, portText(port));
    const peers = isIngress ? from : to;
    const side = isIngress ? 'From' : 'To';
    if (peers.length === 0)
      details.line(2, `${side}: <any> (traffic not restricted by ${isIngress ? 'source' : 'destination'})`);
    for (const peer of peers) describePeer(details, side, peer);
    if (at < rules.length - 1) details.line(2, '----------');
  });
}

const portText = ({ port, endPort, protocol = 'TCP' }: Port): string => {
  if (endPort !== undefined) return `To Port Range: ${String(port)}-${endPort}/${protocol}`;
  return `To Port: ${port === undefined ? '<any>' : String(port)}/${protocol}`;
};

function describePeer(details: Details, side: string, { podSelector, namespaceSelector, ipBlock }: Peer): void {
  details.line(2, `${side}:`);
  if (ipBlock) {
    details.line(3, 'IPBlock:');
    details.line(4, `CIDR: ${ipBlock.cidr}`);
    return details.line(4, `Except: ${(ipBlock.except ?? []).join(', ')}`);
  }
  if (namespaceSelector) details.line(3, `NamespaceSelector: ${formatSelector(namespaceSelector) || '<none>'}`);
  if (podSelector) details.line(3, `PodSelector: ${formatSelector(podSelector) || '<none>'}`);
}
