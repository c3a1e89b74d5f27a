/**
 * The meaning of NetworkPolicies by another way than `policies.ts`: every policy is written out as the flows that it
 * lets through, one by one, over all addresses and ports of a small world; a flow passes when it is on the lists.
 */
import type { Node, Pod } from '../../api/core_v1.js';
import type { LabelSelector } from '../../api/meta_v1.js';
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../../api/networking_v1.js';

export interface SmallWorld {
  readonly namespaces: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  /** Addresses that are neither a pod's nor a node's. */
  readonly outside: readonly string[];
  readonly ports: readonly number[];
  readonly policies: readonly NetworkPolicy[];
}

const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];
const numberOf = (ip: string): bigint => ip.split('.').reduce((n, part) => n * 256n + BigInt(part), 0n);
const ipOfNode = (node: Node): string => node.status.addresses?.[0]?.address ?? '';

/** Every flow that is let through, as 'from to port protocol'. */
export function allowedFlows(world: SmallWorld): Set<string> {
  const all = everyAddress(world);
  const lists = { Ingress: listsOf(world, 'Ingress', all), Egress: listsOf(world, 'Egress', all) };
  const atHome = pairsAtHome(world);
  const flows = new Set<string>();
  for (const from of all)
    for (const to of all)
      for (const port of world.ports)
        for (const protocol of PROTOCOLS) {
          const flow = `${from} ${to} ${port} ${protocol}`;
          const sent = lists.Egress.get(from);
          const received = lists.Ingress.get(to);
          const passes = (!sent || sent.has(flow)) && (!received || received.has(flow));
          if (passes || from === to || atHome.has(`${from} ${to}`)) flows.add(flow);
        }
  return flows;
}

const everyAddress = ({ pods, nodes, outside }: SmallWorld): string[] => [
  ...pods.map((pod) => pod.status.podIP ?? ''),
  ...nodes.map(ipOfNode),
  ...outside,
];

/** Pairs of addresses of a pod and its own node, in both orders. */
function pairsAtHome({ pods, nodes }: SmallWorld): Set<string> {
  const homes = pods.flatMap((pod) =>
    nodes
      .filter((node) => node.metadata.name === pod.spec.nodeName)
      .flatMap((node) => [`${pod.status.podIP} ${ipOfNode(node)}`, `${ipOfNode(node)} ${pod.status.podIP}`]),
  );
  return new Set(homes);
}

/** By the address of each pod that is isolated in a direction: the flows that one of its policies lists. */
function listsOf(world: SmallWorld, type: 'Ingress' | 'Egress', all: readonly string[]): Map<string, Set<string>> {
  const lists = new Map<string, Set<string>>();
  for (const { metadata, spec } of world.policies) {
    if (!spec.policyTypes?.includes(type)) continue;
    const namespace = metadata.namespace ?? '';
    const subjects = podsOf(world, namespace, spec.podSelector ?? {});
    for (const subject of subjects) {
      const own = subject.status.podIP ?? '';
      const list = lists.get(own) ?? new Set<string>();
      lists.set(own, list);
      const rules =
        type === 'Ingress'
          ? (spec.ingress ?? []).map(({ from, ports }) => ({ peers: from, ports }))
          : (spec.egress ?? []).map(({ to, ports }) => ({ peers: to, ports }));
      for (const { peers, ports } of rules) {
        const others = peers?.length ? peers.flatMap((peer) => addressesOf(world, namespace, peer, all)) : all;
        for (const other of others) {
          const [from, to] = type === 'Ingress' ? [other, own] : [own, other];
          for (const pair of pairsOf(world, ports, to)) list.add(`${from} ${to} ${pair}`);
        }
      }
    }
  }
  return lists;
}

const podsOf = (world: SmallWorld, namespace: string, selector: LabelSelector): Pod[] =>
  world.pods.filter((pod) => pod.metadata.namespace === namespace && select(selector, pod.metadata.labels ?? {}));

function addressesOf(
  world: SmallWorld,
  namespace: string,
  { ipBlock, podSelector, namespaceSelector }: NetworkPolicyPeer,
  all: readonly string[],
): string[] {
  if (ipBlock) {
    const excluded = new Set((ipBlock.except ?? []).flatMap((cidr) => inside(cidr, all)));
    return inside(ipBlock.cidr, all).filter((ip) => !excluded.has(ip));
  }
  const namespaces = namespaceSelector
    ? [...world.namespaces].filter(([, labels]) => select(namespaceSelector, labels)).map(([name]) => name)
    : [namespace];
  return namespaces.flatMap((name) => podsOf(world, name, podSelector ?? {}).map((pod) => pod.status.podIP ?? ''));
}

/** By dividing: two addresses are in one block when their numbers have the same quotient. */
function inside(cidr: string, all: readonly string[]): string[] {
  const [base = '', bits = '0'] = cidr.split('/');
  const size = 2n ** BigInt(32 - Number(bits));
  return all.filter((ip) => numberOf(ip) / size === numberOf(base) / size);
}

/** 'port protocol' of every port that a rule opens at an address. */
function pairsOf(world: SmallWorld, ports: readonly NetworkPolicyPort[] | undefined, to: string): string[] {
  const every = world.ports.flatMap((port) => PROTOCOLS.map((protocol) => `${port} ${protocol}`));
  if (!ports?.length) return every;
  const named = world.pods
    .filter((pod) => pod.status.podIP === to)
    .flatMap((pod) => pod.spec.containers.flatMap((c) => c.ports ?? []));
  return ports.flatMap(({ port, endPort, protocol = 'TCP' }) => {
    if (port === undefined) return every.filter((pair) => pair.endsWith(protocol));
    if (typeof port === 'string')
      return named
        .filter((one) => one.name === port && one.protocol === protocol)
        .map((one) => `${one.containerPort} ${protocol}`);
    return world.ports.filter((one) => one >= port && one <= (endPort ?? port)).map((one) => `${one} ${protocol}`);
  });
}

/** A selector as a list of tests, of which all must hold. */
function select({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Readonly<Record<string, string>>) {
  const tests: Readonly<Record<string, (value: string | undefined, values: readonly string[]) => boolean>> = {
    In: (value, values) => values.some((one) => one === value),
    NotIn: (value, values) => values.every((one) => one !== value),
    Exists: (value) => value !== undefined,
    DoesNotExist: (value) => value === undefined,
  };
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => tests[operator]!(labels[key], values))
  );
}
