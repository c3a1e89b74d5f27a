import type { Thing, World } from './world.js';

export interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** Whom a rule of a NetworkPolicy means; nobody named: everybody. */
export interface Peer {
  readonly pods?: Selector;
  readonly namespaces?: Selector;
  readonly block?: string;
  /** '80/TCP'; none: all. */
  readonly ports?: readonly string[];
}

type Labelled = Pick<Thing, 'namespace' | 'labels'>;

/** The NetworkPolicies that are in force for a pod. */
export function policiesOf(world: World, pod: Labelled): Thing[] {
  return [...world.all('NetworkPolicy')].filter((policy) => isSelected(policy, pod));
}

const isSelected = ({ namespace, is }: Thing, pod: Labelled): boolean =>
  pod.namespace === namespace && selects((is.selector as Selector | undefined) ?? {}, pod.labels);

/** The pods that a policy is in force for. */
export const podsOfPolicy = (world: World, policy: Thing): Thing[] =>
  [...world.named('Pod', policy.namespace).values()].filter((pod) => isSelected(policy, pod));

/** The pods that it lets in; undefined when it says nothing of who comes in. */
export function letIn(world: World, policy: Thing): Thing[] | undefined {
  if (!typesOf(policy).includes('Ingress')) return undefined;
  const peers = peersOf(policy, 'in');
  const found: Thing[] = [];
  for (const pod of world.all('Pod')) {
    if (found.length >= MAX_FOUND) break;
    if (peers.some((peer) => isMeant(world, policy, peer, pod))) found.push(pod);
  }
  return found;
}
const MAX_FOUND = 500;

export const typesOf = ({ is }: Thing): readonly string[] => (is['types'] as readonly string[] | undefined) ?? [];
export const peersOf = ({ is }: Thing, way: 'in' | 'out'): readonly Peer[] =>
  (is[way] as readonly Peer[] | undefined) ?? [];

function isMeant(world: World, policy: Thing, { pods, namespaces, block }: Peer, pod: Thing): boolean {
  if (block !== undefined) return false;
  if (!namespaces && pods && pod.namespace !== policy.namespace) return false;
  if (namespaces && !selects(namespaces, world.find('Namespace', '', pod.namespace)?.labels ?? {})) return false;
  return !pods || selects(pods, pod.labels);
}

/** 'pods app=web of namespaces team=a, port 80/TCP'. */
export function describePeer({ pods, namespaces, block, ports }: Peer): string {
  const who = [
    ...(block === undefined ? [] : [block]),
    ...(pods ? [`pods ${describeSelector(pods)}`] : []),
    ...(namespaces ? [`namespaces ${describeSelector(namespaces)}`] : []),
  ].join(' of ');
  return `${who || '*'}${ports?.length ? ` : ${ports.join(', ')}` : ''}`;
}

export function describeSelector({ matchLabels = {}, matchExpressions = [] }: Selector): string {
  const parts = [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(({ key, operator, values }) =>
      values?.length ? `${key} ${operator} (${values.join(', ')})` : `${key} ${operator}`,
    ),
  ];
  return parts.join(', ') || '*';
}

export function selects(
  { matchLabels = {}, matchExpressions = [] }: Selector,
  labels: Readonly<Record<string, string>>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      const isIn = value !== undefined && values.includes(value);
      return operator === 'In' ? isIn : !isIn;
    })
  );
}
