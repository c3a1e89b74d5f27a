import type { Thing, World } from './world.js';

export type Mode = 'placement' | 'traffic' | 'ownership' | 'storage';
export const MODES: readonly Mode[] = ['placement', 'traffic', 'ownership', 'storage'];

/** Things that are drawn inside each other. A group is an object of the cluster, or a heading. */
export interface Group {
  /** Unique in its mode, and the same while the group lives. */
  readonly id: string;
  readonly thing?: Thing;
  readonly kind: string;
  readonly title: string;
  readonly children: readonly Group[];
  readonly pods: readonly Thing[];
}

const byName = (a: { readonly title: string }, b: { readonly title: string }): number =>
  a.title < b.title ? -1 : a.title > b.title ? 1 : 0;
const group = (kind: string, title: string, more: Partial<Group> & { id: string }): Group => ({
  kind,
  title,
  children: [],
  pods: [],
  ...more,
});
const ofThing = (thing: Thing, more: Partial<Group> = {}): Group =>
  group(thing.kind, thing.name, { id: thing.uid, thing, ...more });

/** What waits for a node, and the nodes with their pods: the control plane's first. */
export function placementGroups(world: World): { readonly waiting: Group; readonly nodes: readonly Group[] } {
  const byNode = new Map<string, Thing[]>();
  const waiting: Thing[] = [];
  for (const node of world.all('Node')) byNode.set(node.name, []);
  for (const pod of world.all('Pod')) (byNode.get(pod.is.node ?? '') ?? waiting).push(pod);
  const nodes = [...world.all('Node')].map((node) => ofThing(node, { pods: byNode.get(node.name) ?? [] }));
  const keyed = nodes.map((node) => ({ node, rank: rankOfNode(node), key: numberedKey(node.title) }));
  keyed.sort((a, b) => a.rank - b.rank || compareKeys(a.key, b.key));
  return { waiting: group('Waiting', '', { id: 'waiting', pods: waiting }), nodes: keyed.map(({ node }) => node) };
}

const rankOfNode = ({ thing }: Group): number => (thing?.is.roles?.includes('control-plane') ? 0 : 1);

interface NumberedKey {
  readonly base: string;
  readonly number: number;
}

function numberedKey(name: string): NumberedKey {
  const digits = /\d{1,9}$/.exec(name)?.[0] ?? '';
  return { base: name.slice(0, name.length - digits.length), number: Number(digits) };
}

/** worker-2 comes before worker-10. */
export const compareNumbered = (a: string, b: string): number => compareKeys(numberedKey(a), numberedKey(b));

function compareKeys(a: NumberedKey, b: NumberedKey): number {
  if (a.base !== b.base) return a.base < b.base ? -1 : 1;
  return a.number - b.number;
}

/**
 * Namespaces with their NetworkPolicies, Services and the pods behind them; a pod is drawn once, at the first
 * Service that has it.
 */
export function trafficGroups(world: World): Group[] {
  /** By the pods' numbers. */
  const shown = new Uint8Array(world.top);
  const inNamespace = new Map<string, Group[]>();
  const add = (namespace: string, one: Group): void => {
    const known = inNamespace.get(namespace);
    if (known) known.push(one);
    else inNamespace.set(namespace, [one]);
  };
  const pods = endpointsOf(world);
  for (const service of world.all('Service')) {
    const behind = pods.get(`${service.namespace}/${service.name}`) ?? [];
    const own = behind.filter(({ index }) => shown[index] === 0);
    for (const { index } of own) shown[index] = 1;
    add(service.namespace, ofThing(service, { pods: own }));
  }
  for (const policy of world.all('NetworkPolicy')) add(policy.namespace, ofThing(policy));
  const others = new Map<string, Thing[]>();
  for (const pod of world.all('Pod')) {
    if (shown[pod.index] === 1) continue;
    const known = others.get(pod.namespace);
    if (known) known.push(pod);
    else others.set(pod.namespace, [pod]);
  }
  return namespaces(world, inNamespace, (namespace) => {
    const rest = others.get(namespace) ?? [];
    return rest.length > 0 ? [group('NoService', '', { id: `rest/${namespace}`, pods: rest })] : [];
  });
}

/** The pods behind each Service, by 'namespace/name', ready or not. */
export function endpointsOf(world: World): Map<string, readonly Thing[]> {
  const found = new Map<string, Set<Thing>>();
  for (const { namespace, is } of world.all('EndpointSlice')) {
    if (!is.service) continue;
    const key = `${namespace}/${is.service}`;
    const known = found.get(key) ?? new Set();
    const named = world.named('Pod', namespace);
    for (const names of [(is.ready as readonly string[] | undefined) ?? [], is.unready ?? []])
      for (const name of names) {
        const pod = named.get(name);
        if (pod) known.add(pod);
      }
    found.set(key, known);
  }
  return new Map([...found].map(([key, pods]) => [key, [...pods]]));
}

/** Namespaces with what was made by users, in it what that has made, down to the pods. */
export function ownershipGroups(world: World): Group[] {
  const roots = new Map<string, Group[]>();
  const loose = new Map<string, Thing[]>();
  const add = <T>(map: Map<string, T[]>, key: string, one: T): void => {
    const known = map.get(key);
    if (known) known.push(one);
    else map.set(key, [one]);
  };
  for (const kind of OWNERS)
    for (const thing of world.all(kind))
      if (!thing.owner || !world.get(thing.owner.uid)) add(roots, thing.namespace, ownedGroup(world, thing, 0));
  for (const pod of world.all('Pod')) if (!pod.owner || !world.get(pod.owner.uid)) add(loose, pod.namespace, pod);
  return namespaces(world, roots, (namespace) => {
    const pods = loose.get(namespace) ?? [];
    return pods.length > 0 ? [group('NoOwner', '', { id: `loose/${namespace}`, pods })] : [];
  });
}

const OWNERS = [
  ...['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job', 'ReplicaSet', 'ReplicationController'],
] as const;
const MAX_DEPTH = 6;

function ownedGroup(world: World, thing: Thing, depth: number): Group {
  const owned = depth < MAX_DEPTH ? [...world.ownedBy(thing.uid)] : [];
  const children = owned
    .filter(({ kind, is }) => (OWNERS as readonly string[]).includes(kind) && !isOld(kind, is.want))
    .map((child) => ownedGroup(world, child, depth + 1));
  return ofThing(thing, { children: children.sort(byName), pods: owned.filter(({ kind }) => kind === 'Pod') });
}

/** A ReplicaSet of an earlier rollout, which is kept to go back to. */
const isOld = (kind: string, want: unknown): boolean => kind === 'ReplicaSet' && !want;

function namespaces(world: World, inside: ReadonlyMap<string, Group[]>, rest: (namespace: string) => Group[]): Group[] {
  const names = new Set([...[...world.all('Namespace')].map(({ name }) => name), ...inside.keys()]);
  return [...names]
    .sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
    .map((name) => {
      const thing = world.find('Namespace', '', name);
      const children = [...(inside.get(name) ?? []).sort(byName), ...rest(name)];
      return group('Namespace', name, { id: `namespace/${name}`, ...(thing ? { thing } : {}), children });
    })
    .filter(({ children }) => children.length > 0);
}

/** The user's own come first. */
const rankOf = (namespace: string): number => (namespace === 'default' ? 0 : namespace.startsWith('kube-') ? 2 : 1);
