import { formatBytes, formatCpu } from '../model/format.js';
import {
  describePeer,
  describeSelector,
  letIn,
  peersOf,
  podsOfPolicy,
  policiesOf,
  typesOf,
} from '../model/policies.js';
import type { Selector } from '../model/policies.js';
import type { Thing, World } from '../model/world.js';

/** A line of the panel: the key of its word, and what it says. */
export interface FactLine {
  readonly key: FactKey;
  readonly text: string;
  /** The uid of what it names, when the picture has it. */
  readonly to?: string;
}
export type FactKey =
  | 'status'
  | 'ready'
  | 'restarts'
  | 'node'
  | 'requests'
  | 'ip'
  | 'owner'
  | 'claims'
  | 'policies'
  | 'taints'
  | 'roles'
  | 'pressure'
  | 'allocatable'
  | 'type'
  | 'ports'
  | 'volume'
  | 'claim'
  | 'class'
  | 'size'
  | 'attached'
  | 'hosts'
  | 'targets'
  | 'ends'
  | 'message'
  | 'containers'
  | 'want'
  | 'schedule'
  | 'selects'
  | 'letsIn'
  | 'letsOut';

/** What the picture knows of a thing, line by line. */
export function factsOf(world: World, thing: Thing): FactLine[] {
  const { is, kind, namespace } = thing;
  const lines: FactLine[] = [];
  const add = (key: FactKey, text: unknown, to?: Thing): void => {
    if (text !== undefined && text !== '') lines.push({ key, text: String(text), ...(to ? { to: to.uid } : {}) });
  };
  const list = (texts: readonly string[] | undefined): string | undefined =>
    texts?.length ? texts.join(', ') : undefined;
  add('status', thing.isEnding ? 'Terminating' : is.status);
  if (kind === 'Pod') add('ready', `${Number(is.ready ?? 0)}/${is.total ?? 0}`);
  else if (is.want !== undefined) add('want', `${Number(is.ready ?? 0)}/${is.want}`);
  add('restarts', is.restarts);
  add('node', is.node, is.node ? world.find('Node', '', is.node) : undefined);
  if (thing.owner) add('owner', `${thing.owner.kind} ${thing.owner.name}`, world.get(thing.owner.uid));
  const amounts = `cpu ${formatCpu(is.cpu ?? 0)}, memory ${formatBytes(is.memory ?? 0)}`;
  if (kind === 'Pod') add('requests', amounts);
  if (kind === 'Node') add('allocatable', `${amounts}, pods ${is.pods ?? 0}`);
  add('ip', is.ip);
  for (const claim of is.claims ?? []) add('claims', claim, world.find('PersistentVolumeClaim', namespace, claim));
  if (kind === 'Pod') for (const policy of policiesOf(world, thing)) add('policies', policy.name, policy);
  for (const one of is.containers ?? [])
    add('containers', `${one.name}: ${one.state ?? ''}${one.image ? ` (${one.image})` : ''}`);
  if (kind === 'NetworkPolicy') for (const line of policyLines(world, thing)) lines.push(line);
  add('roles', list(is.roles));
  add('taints', list(is.taints));
  add('pressure', list(is.pressure));
  add('type', is.type);
  add('ports', list(is.ports));
  add('hosts', list(is.hosts));
  add('volume', is.volume, is.volume ? world.find('PersistentVolume', '', is.volume) : undefined);
  const [space = '', name = ''] = (is.claim ?? '').split('/');
  add('claim', is.claim, world.find('PersistentVolumeClaim', space, name));
  add('class', is.class);
  add('size', is.size);
  add('schedule', typeof is['schedule'] === 'string' ? is['schedule'] : undefined);
  if (kind === 'VolumeAttachment') add('attached', is.attached === true);
  add('targets', list(is.targets));
  add('ends', is.ends);
  add('message', is.message ?? is.scheduled ?? is.error ?? is.reason);
  return lines;
}

/** What a NetworkPolicy selects, and whom it lets in and out. */
function policyLines(world: World, policy: Thing): FactLine[] {
  const lines: FactLine[] = [
    { key: 'selects', text: describeSelector((policy.is.selector as Selector | undefined) ?? {}) },
  ];
  for (const pod of podsOfPolicy(world, policy).slice(0, MAX_NAMED))
    lines.push({ key: 'selects', text: pod.name, to: pod.uid });
  for (const [type, way, key] of WAYS) {
    if (!typesOf(policy).includes(type)) continue;
    const peers = peersOf(policy, way);
    for (const peer of peers) lines.push({ key, text: describePeer(peer) });
    if (peers.length === 0) lines.push({ key, text: '0' });
  }
  for (const pod of (letIn(world, policy) ?? []).slice(0, MAX_NAMED))
    lines.push({ key: 'letsIn', text: pod.name, to: pod.uid });
  return lines;
}
const WAYS = [
  ['Ingress', 'in', 'letsIn'],
  ['Egress', 'out', 'letsOut'],
] as const;
const MAX_NAMED = 20;

/** The pods that a thing stands for: behind a Service, or made by it, at any remove. */
export function podsOf(world: World, thing: Thing): Thing[] {
  if (thing.kind === 'Pod') return [thing];
  const pods: Thing[] = [];
  if (thing.kind === 'NetworkPolicy') return podsOfPolicy(world, thing);
  if (thing.kind === 'Node') {
    for (const pod of world.all('Pod')) if (pod.is.node === thing.name) pods.push(pod);
    return pods;
  }
  const walk = (uid: string, depth: number): void => {
    for (const one of world.ownedBy(uid)) {
      if (one.kind === 'Pod') pods.push(one);
      else if (depth < MAX_DEPTH) walk(one.uid, depth + 1);
    }
  };
  walk(thing.uid, 0);
  return pods;
}
const MAX_DEPTH = 6;

/** uids of what the active faults act on. */
export function faultyThings(world: World): Set<string> {
  const uids = new Set<string>();
  for (const { is } of world.all('Fault')) {
    if (is.status !== 'Active') continue;
    for (const target of is.targets ?? []) {
      const [kind, a = '', b] = target.split('/');
      const thing = kind === 'node' ? world.find('Node', '', a) : b === undefined ? undefined : world.find('Pod', a, b);
      if (thing) uids.add(thing.uid);
    }
  }
  return uids;
}

const DOWN_BY: Readonly<Record<string, string>> = {
  SchedulerDown: 'kube-scheduler',
  ControllerManagerDown: 'kube-controller-manager',
};

/** Parts of the control plane that are switched off, or kept down by a fault. */
export function downParts(world: World): Set<string> {
  const down = new Set<string>();
  for (const { name, is } of world.all('Component')) if (is.enabled !== true) down.add(name);
  for (const { is } of world.all('Fault'))
    if (is.status === 'Active' && DOWN_BY[is.type ?? '']) down.add(DOWN_BY[is.type ?? '']!);
  return down;
}
