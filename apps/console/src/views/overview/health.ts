import { toneOf } from '../picture/model/tone.js';
import type { Thing, World } from '../picture/model/world.js';

/** What is not as somebody wants it to be: one thing that stands for all that are so for the same cause. */
export interface Ill {
  readonly thing: Thing;
  /** What one sees of it: "Pending", "NotReady", "1 of 3 ready". */
  readonly status: string;
  /** Whose it is, at the top: a Deployment, and not its ReplicaSet. */
  readonly owner: Thing | undefined;
  /** How many are like it, with it. */
  readonly count: number;
}

/** How many of a kind are well. */
export interface Tally {
  readonly kind: string;
  readonly well: number;
  readonly all: number;
}

const SCALED = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController'];
const COUNTED = ['Node', 'Pod', 'Deployment', 'PersistentVolumeClaim'];
const POD_ILLS: ReadonlySet<string> = new Set(['waiting', 'failing', 'unready', 'starting']);

/** What is asked for on all nodes, of what they have: CPU in thousandths, memory in bytes. */
export interface Capacity {
  readonly cpu: { readonly used: number; readonly all: number };
  readonly memory: { readonly used: number; readonly all: number };
}

/** As the scheduler counts: pods that have a node and are not over. */
export function capacityOf(world: World): Capacity {
  const sum = (things: Iterable<Thing>, resource: 'cpu' | 'memory'): number => {
    let all = 0;
    for (const { is } of things) all += is[resource] ?? 0;
    return all;
  };
  const placed = [...world.all('Pod')].filter((pod) => pod.is.node && toneOf(pod) !== 'done');
  const of = (resource: 'cpu' | 'memory') => ({
    used: sum(placed, resource),
    all: sum(world.all('Node'), resource),
  });
  return { cpu: of('cpu'), memory: of('memory') };
}

/** What comes first explains what comes after: nodes, claims, pods, then what is made of pods. */
export function illsOf(world: World): Ill[] {
  const podIlls = illPods(world);
  const told = new Set(podIlls.map(({ owner }) => owner?.uid));
  const alone = (thing: Thing): Ill => ({ thing, status: statusOf(thing), owner: undefined, count: 1 });
  const ofKind = (kind: string): Ill[] => [...world.all(kind)].filter((one) => !isWell(one)).map(alone);
  return [
    ...ofKind('Node'),
    ...ofKind('PersistentVolumeClaim'),
    ...podIlls,
    // One whose pods are told already has nothing to add; one that has no pods has.
    ...SCALED.flatMap(ofKind).filter(({ thing }) => thing.owner === undefined && !told.has(thing.uid)),
  ];
}

export const talliesOf = (world: World): Tally[] =>
  COUNTED.map((kind) => {
    let well = 0;
    for (const thing of world.all(kind)) if (isWell(thing)) well++;
    return { kind, well, all: world.count(kind) };
  }).filter(({ all }) => all > 0);

/** Those of one owner and one status are one. */
function illPods(world: World): Ill[] {
  const groups = new Map<string, Ill>();
  for (const thing of world.all('Pod')) {
    if (isWell(thing)) continue;
    const owner = topOwner(world, thing);
    const status = statusOf(thing);
    const key = `${owner?.uid ?? thing.uid}/${status}`;
    const known = groups.get(key);
    groups.set(key, known ? { ...known, count: known.count + 1 } : { thing, status, owner, count: 1 });
  }
  return [...groups.values()];
}

function isWell(thing: Thing): boolean {
  const { kind, is } = thing;
  if (kind === 'Pod') return !POD_ILLS.has(toneOf(thing));
  if (thing.isEnding) return true;
  if (kind === 'Node') return /^Ready\b/.test(is.status ?? '') && (is.pressure ?? []).length === 0;
  if (kind === 'PersistentVolumeClaim') return is.status === 'Bound';
  return Number(is.ready ?? 0) >= (is.want ?? 0);
}

function statusOf({ kind, is }: Thing): string {
  if (kind === 'Node') return [is.status ?? '', ...(is.pressure ?? [])].filter(Boolean).join(', ');
  if (is.want !== undefined && kind !== 'Pod') return `${Number(is.ready ?? 0)}/${is.want}`;
  if (kind !== 'Pod' || is.status !== 'Running') return is.status ?? '';
  return `${Number(is.ready ?? 0)}/${is.total ?? 0}`;
}

const MAX_OWNERS = 5;
function topOwner(world: World, thing: Thing): Thing | undefined {
  let top: Thing | undefined;
  let { owner } = thing;
  for (let i = 0; owner && i < MAX_OWNERS; i++) {
    const next = world.get(owner.uid);
    if (!next) break;
    top = next;
    ({ owner } = next);
  }
  return top;
}

/**
 * What has been ill for a while: what only begins is on its way. Times are ms of one clock; what is ill when it is told
 * the first time has been so for who knows how long.
 */
export class Lasting {
  private readonly since = new Map<string, number>();
  private isFirst = true;

  constructor(private readonly graceMs: number) {}

  tell(ills: readonly Ill[], now: number): Ill[] {
    const keys = new Set<string>();
    const lasting = ills.filter((ill) => {
      const key = keyOf(ill);
      keys.add(key);
      const since = this.since.get(key) ?? (this.isFirst ? now - this.graceMs : now);
      this.since.set(key, since);
      return now - since >= this.graceMs;
    });
    for (const key of this.since.keys()) if (!keys.has(key)) this.since.delete(key);
    this.isFirst = false;
    return lasting;
  }

  /** Something waits for its time. */
  isWaiting(now: number): boolean {
    for (const since of this.since.values()) if (now - since < this.graceMs) return true;
    return false;
  }
}

export const keyOf = ({ thing, owner, status }: Ill): string => `${owner?.uid ?? thing.uid}/${status}`;
