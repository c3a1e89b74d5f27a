import type {
  NetworkPolicy,
  NetworkPolicyEgressRule,
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
  NetworkPolicyPort,
} from '../../../api/networking_v1.js';
import type { LabelSelector } from '../../../api/meta_v1.js';
import { NAMESPACE_LABELS, POD_NAMESPACE } from '../../cni/cilium/labels.js';
import { parseIPBlock } from '../ip-blocks.js';
import type { CiliumRule, Item, Part, PeerMatch, PortMatch } from './rule.js';
import { peerOf, plainTest, type LabelTest } from './selector.js';

const NONE: Part = { allow: [], deny: [], closes: false };
const ANYBODY: readonly PeerMatch[] = [{ type: 'entity', name: 'all' }];

/**
 * A NetworkPolicy as the agent takes it: one rule among the others. An ipBlock means neither pods nor nodes. Models
 * pkg/k8s/network_policy.go.
 */
export function readNetworkPolicy({ metadata, spec }: NetworkPolicy): CiliumRule {
  const { namespace = '', name = '' } = metadata;
  const has = (type: string): boolean => spec.policyTypes?.includes(type) ?? false;
  const part = (rules: readonly (NetworkPolicyIngressRule & NetworkPolicyEgressRule)[] = []): Part => ({
    allow: rules.map(({ from, to, ports }, place) => readRule(from ?? to, ports, namespace, place)),
    ...{ deny: [], closes: true },
  });
  return {
    ...{ kind: 'NetworkPolicy', key: `${namespace}/${name}` },
    subject: peerOf(spec.podSelector ?? {}, namespace),
    ingress: has('Ingress') ? part(spec.ingress) : NONE,
    egress: has('Egress') ? part(spec.egress) : NONE,
  };
}

const readRule = (
  peers: readonly NetworkPolicyPeer[] = [],
  ports: readonly NetworkPolicyPort[] = [],
  namespace: string,
  place: number,
): Item => ({
  place,
  peers: peers.length === 0 ? ANYBODY : peers.flatMap((one) => readPeer(one, namespace)),
  requires: [],
  ports: ports.length === 0 ? undefined : ports.map(readPort),
});

function readPeer({ ipBlock, podSelector, namespaceSelector }: NetworkPolicyPeer, namespace: string): PeerMatch[] {
  if (ipBlock) {
    const block = parseIPBlock(ipBlock.cidr, ipBlock.except);
    return block ? [{ type: 'cidr', block }] : [];
  }
  if (!podSelector && !namespaceSelector) return [];
  const pods = podSelector ? plainTest(podSelector) : (): boolean => true;
  const inside: LabelTest = namespaceSelector
    ? ofNamespaces(namespaceSelector)
    : (labels) => labels[POD_NAMESPACE] === namespace;
  return [{ type: 'labels', test: (labels) => inside(labels) && pods(labels) }];
}

/** Labels of a namespace are among those of its pods' identities. */
function ofNamespaces({ matchLabels = {}, matchExpressions = [] }: LabelSelector): LabelTest {
  const test = plainTest({
    matchLabels: Object.fromEntries(Object.entries(matchLabels).map(([key, value]) => [NAMESPACE_LABELS + key, value])),
    matchExpressions: matchExpressions.map((one) => ({ ...one, key: NAMESPACE_LABELS + one.key })),
  });
  return (labels) => labels[POD_NAMESPACE] !== undefined && test(labels);
}

function readPort({ port, endPort, protocol = 'TCP' }: NetworkPolicyPort): PortMatch {
  const number = typeof port === 'number' ? port : 0;
  return { port: port ?? 0, end: endPort ?? number, protocol: protocol as PortMatch['protocol'] };
}
