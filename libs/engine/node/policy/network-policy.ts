import type { Namespace, Pod } from '../../api/core_v1.js';
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../../api/networking_v1.js';
import { matchesLabelSelector } from '../../machinery/selectors/selectors.js';
import { isInBlock, parseIPBlock, type IPBlock } from './ip-blocks.js';
import type { Decision, Direction, Packet, Party } from './packet.js';
import { matchesPorts } from './ports.js';

/** Where a rule's traffic may come from or go to. */
interface Peer {
  /** Undefined when the peer has selectors; null for one that is no CIDR, which matches nothing. */
  readonly block?: IPBlock | null;
  readonly pods?: NetworkPolicyPeer['podSelector'];
  readonly namespaces?: NetworkPolicyPeer['namespaceSelector'];
}

interface Rule {
  readonly ports: readonly NetworkPolicyPort[] | undefined;
  /** None: everybody. */
  readonly peers: readonly Peer[];
}

/** A NetworkPolicy with what it takes to judge a packet quickly. */
export interface ReadPolicy {
  readonly policy: NetworkPolicy;
  /** namespace/name */
  readonly key: string;
  /** The rules of a direction; undefined when the policy does not isolate its pods in it. */
  readonly ingress: readonly Rule[] | undefined;
  readonly egress: readonly Rule[] | undefined;
}

export type NamespaceOf = (name: string) => Namespace | undefined;

export function readPolicy(policy: NetworkPolicy): ReadPolicy {
  const { metadata, spec } = policy;
  const has = (type: string): boolean => spec.policyTypes?.includes(type) ?? false;
  const rule = (ports: readonly NetworkPolicyPort[] | undefined, peers: readonly NetworkPolicyPeer[] = []): Rule => ({
    ports,
    peers: peers.map(readPeer),
  });
  return {
    policy,
    key: `${metadata.namespace}/${metadata.name}`,
    ingress: has('Ingress') ? (spec.ingress ?? []).map(({ ports, from }) => rule(ports, from)) : undefined,
    egress: has('Egress') ? (spec.egress ?? []).map(({ ports, to }) => rule(ports, to)) : undefined,
  };
}

const readPeer = ({ ipBlock, podSelector, namespaceSelector }: NetworkPolicyPeer): Peer =>
  ipBlock
    ? { block: parseIPBlock(ipBlock.cidr, ipBlock.except) ?? null }
    : {
        ...(podSelector ? { pods: podSelector } : {}),
        ...(namespaceSelector ? { namespaces: namespaceSelector } : {}),
      };

/** Whether a policy is about a pod of its namespace. */
export const selectsPod = ({ spec }: NetworkPolicy, pod: Pod): boolean =>
  matchesLabelSelector(spec.podSelector ?? {}, pod.metadata.labels);

/**
 * What the NetworkPolicies that select a pod make of a packet in one direction: the first rule that matches allows it,
 * and nothing else does once one of them isolates the pod. Undefined when none does. Models kube-network-policies'
 * EvaluatePolicyDirection.
 */
export function judgeByPolicies(
  policies: readonly ReadPolicy[],
  direction: Direction,
  packet: Packet,
  namespaceOf: NamespaceOf,
): Decision | undefined {
  const isolating = policies.filter((policy) => policy[direction]);
  if (isolating.length === 0) return undefined;
  const [own, peer] =
    direction === 'egress' ? [packet.source, packet.destination] : [packet.destination, packet.source];
  const base = { direction, pod: nameOf(own), kind: 'NetworkPolicy' } as const;
  for (const { policy, key, [direction]: rules = [] } of isolating) {
    const rule = rules.findIndex(
      ({ ports, peers }) =>
        matchesPorts(ports, packet.destination.pod, packet.port, packet.protocol) &&
        (peers.length === 0 ||
          peers.some((one) => matchesPeer(one, peer, policy.metadata.namespace ?? '', namespaceOf))),
    );
    if (rule >= 0) return { ...base, action: 'allow', policies: [key], rule };
  }
  return { ...base, action: 'deny', policies: isolating.map(({ key }) => key) };
}

/** Selectors are about pods with addresses of their own; only a block can mean anything else. */
function matchesPeer(peer: Peer, { ip, pod }: Party, namespace: string, namespaceOf: NamespaceOf): boolean {
  if (peer.block !== undefined) return peer.block !== null && isInBlock(peer.block, ip);
  if (!pod || (!peer.pods && !peer.namespaces)) return false;
  if (peer.pods && !matchesLabelSelector(peer.pods, pod.metadata.labels)) return false;
  const own = pod.metadata.namespace ?? '';
  if (!peer.namespaces) return own === namespace;
  return matchesLabelSelector(peer.namespaces, namespaceOf(own)?.metadata.labels);
}

export const nameOf = ({ pod }: Party): string => (pod ? `${pod.metadata.namespace}/${pod.metadata.name}` : '');
