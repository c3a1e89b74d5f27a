import type { KubeObject, LabelSelector } from '../../machinery/meta/object.js';
import { parsePrefix, contains, parseAddress, type Prefix } from '../../machinery/net/netip.js';
import { matchesLabelSelector } from '../../machinery/selectors/selectors.js';
import type { Resource } from '../../machinery/resource.js';
import type { Labels } from '../../machinery/selectors/requirement.js';
import type { Decision, Direction, Packet, Party, Protocol } from './packet.js';
import { nameOf } from './network-policy.js';
import { hasNamedPort } from './ports.js';

const resource = (kind: Decision['kind'], plural: string): Resource<KubeObject> => ({
  group: 'policy.networking.k8s.io',
  version: 'v1alpha1',
  kind,
  plural,
  scope: 'Cluster',
});
/** Where the objects of the API's CRDs are, once they are applied. */
export const AdminNetworkPolicies = resource('AdminNetworkPolicy', 'adminnetworkpolicies');
export const BaselineAdminNetworkPolicies = resource('BaselineAdminNetworkPolicy', 'baselineadminnetworkpolicies');

/** As the API's own CRDs allow it. */
const MAX_ITEMS = 100;

export type Action = 'Allow' | 'Deny' | 'Pass';

/** A rule that is not understood in all of its parts matches nothing. */
interface AdminRule {
  readonly action: Action;
  readonly peers: readonly AdminPeer[];
  readonly ports: readonly AdminPort[] | undefined;
}
type AdminPeer =
  | { readonly namespaces: LabelSelector }
  | { readonly pods: LabelSelector; readonly of: LabelSelector }
  | { readonly nodes: LabelSelector }
  | { readonly networks: readonly Prefix[] };
type AdminPort = { readonly from: number; readonly to: number; readonly protocol: string } | { readonly named: string };

export interface AdminPolicy {
  readonly name: string;
  readonly priority: number;
  readonly subject: AdminPeer | undefined;
  readonly ingress: readonly AdminRule[];
  readonly egress: readonly AdminRule[];
}

/** The labels of what a peer may select. */
export interface LabelsOf {
  namespace(name: string): Labels | undefined;
  node(name: string): Labels | undefined;
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, MAX_ITEMS) : []);

/** Reads an object of a CRD: what a user's own CRD let through in another shape selects nothing. */
export function readAdminPolicy(object: KubeObject): AdminPolicy {
  const spec = fieldsOf((object as { readonly spec?: unknown }).spec);
  const rules = (list: unknown, peers: string): AdminRule[] =>
    listOf(list).flatMap((one) => readRule(fieldsOf(one), peers) ?? []);
  return {
    name: object.metadata.name ?? '',
    priority: typeof spec['priority'] === 'number' ? spec['priority'] : 0,
    subject: readPeer(fieldsOf(spec['subject'])),
    ingress: rules(spec['ingress'], 'from'),
    egress: rules(spec['egress'], 'to'),
  };
}

function readRule(rule: Fields, peers: string): AdminRule | undefined {
  const { action, ports } = rule;
  if (action !== 'Allow' && action !== 'Deny' && action !== 'Pass') return undefined;
  return {
    action,
    peers: listOf(rule[peers]).flatMap((one) => readPeer(fieldsOf(one)) ?? []),
    ports: ports === undefined ? undefined : listOf(ports).flatMap((one) => readPort(fieldsOf(one)) ?? []),
  };
}

/** Names of domains mean addresses outside, which a closed network has none of. */
function readPeer({ namespaces, pods, nodes, networks }: Fields): AdminPeer | undefined {
  if (namespaces !== undefined) {
    const selector = readSelector(namespaces);
    return selector && { namespaces: selector };
  }
  if (pods !== undefined) {
    const { podSelector, namespaceSelector } = fieldsOf(pods);
    const [own, of] = [readSelector(podSelector), readSelector(namespaceSelector)];
    return own && of && { pods: own, of };
  }
  if (nodes !== undefined) {
    const selector = readSelector(nodes);
    return selector && { nodes: selector };
  }
  const prefixes = listOf(networks).flatMap((one) => (typeof one === 'string' ? (parsePrefix(one) ?? []) : []));
  return prefixes.length > 0 ? { networks: prefixes } : undefined;
}

function readSelector(value: unknown): LabelSelector | undefined {
  const { matchLabels, matchExpressions } = fieldsOf(value);
  const isRead =
    Object.values(fieldsOf(matchLabels)).every((one) => typeof one === 'string') &&
    listOf(matchExpressions).every((one) => {
      const { key, operator, values } = fieldsOf(one);
      return typeof key === 'string' && typeof operator === 'string' && (values === undefined || Array.isArray(values));
    });
  if (value === undefined || !isRead) return undefined;
  return {
    matchLabels: fieldsOf(matchLabels) as Record<string, string>,
    matchExpressions: listOf(matchExpressions) as LabelSelector['matchExpressions'],
  };
}

function readPort({ portNumber, namedPort, portRange }: Fields): AdminPort | undefined {
  if (typeof namedPort === 'string') return { named: namedPort };
  const { port, protocol: one } = fieldsOf(portNumber);
  if (typeof port === 'number') return { from: port, to: port, protocol: protocolOf(one) };
  const { start, end, protocol } = fieldsOf(portRange);
  if (typeof start !== 'number' || typeof end !== 'number') return undefined;
  return { from: start, to: end, protocol: protocolOf(protocol) };
}

const protocolOf = (value: unknown): string => (typeof value === 'string' ? value : 'TCP');

/** Whether a policy is about a pod. */
export const isSubject = ({ subject }: AdminPolicy, party: Party, labels: LabelsOf): boolean =>
  subject !== undefined && ('namespaces' in subject || 'pods' in subject) && matchesPeer(subject, party, labels);

/** Those of the lowest number first. */
export const byPriority = (a: AdminPolicy, b: AdminPolicy): number =>
  a.priority - b.priority || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/**
 * What the first rule that matches says, of policies that select a pod and are in order. Undefined when it passes the
 * packet on, or none matches. Models kube-network-policies' evaluateAdminIngress and evaluateAdminEgress.
 */
export function judgeByAdmin(
  policies: readonly AdminPolicy[],
  kind: Decision['kind'],
  direction: Direction,
  packet: Packet,
  labels: LabelsOf,
): Decision | undefined {
  const [own, peer] =
    direction === 'egress' ? [packet.source, packet.destination] : [packet.destination, packet.source];
  for (const policy of policies) {
    const rule = policy[direction].findIndex(
      ({ peers, ports }) =>
        matchesAdminPorts(ports, packet) && peers.some((one) => matchesPeer(one, peer, labels, direction)),
    );
    if (rule < 0) continue;
    const { action } = policy[direction][rule]!;
    if (action === 'Pass') return undefined;
    const decided = action === 'Allow' ? 'allow' : 'deny';
    return { direction, pod: nameOf(own), kind, action: decided, policies: [policy.name], rule };
  }
  return undefined;
}

/** Addresses and nodes are where traffic goes to: nothing is told apart by them where it comes from. */
function matchesPeer(peer: AdminPeer, party: Party, labels: LabelsOf, direction: Direction = 'ingress'): boolean {
  const { pod } = party;
  if ('namespaces' in peer)
    return pod !== undefined && matchesLabelSelector(peer.namespaces, labels.namespace(pod.metadata.namespace ?? ''));
  if ('pods' in peer)
    return (
      pod !== undefined &&
      matchesLabelSelector(peer.of, labels.namespace(pod.metadata.namespace ?? '')) &&
      matchesLabelSelector(peer.pods, pod.metadata.labels)
    );
  if (direction === 'ingress') return false;
  if ('nodes' in peer) return party.node !== undefined && matchesLabelSelector(peer.nodes, labels.node(party.node));
  const address = parseAddress(party.ip);
  return address !== undefined && peer.networks.some((prefix) => contains(prefix, address));
}

function matchesAdminPorts(ports: readonly AdminPort[] | undefined, packet: Packet): boolean {
  if (ports === undefined) return true;
  const { port, protocol, destination } = packet;
  return ports.some((one) =>
    'named' in one
      ? hasNamedPort(destination.pod, one.named, port, protocol)
      : one.protocol === protocol && port >= one.from && port <= one.to,
  );
}

export type { Protocol };
