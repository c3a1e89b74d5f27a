/** Who makes changes: the parts of a cluster that are shown above it. */
export interface Actor {
  readonly name: string;
  /** 0..1: how lately it did something. */
  heat: number;
  acts: number;
}

/** Parts that are always shown, whether they do something or not. */
const ALWAYS = ['users', 'deployment-controller', 'replicaset-controller', 'kube-scheduler', 'kubelet'];
const MAX_ACTORS = 14;
const COOLING_MS = 1_500;

/** The actor's short name: all kubelets are one, and so are all users. */
export function actorName(actor: string): string {
  if (actor.startsWith('system:node:')) return 'kubelet';
  if (actor.startsWith(ACCOUNTS)) return actor.slice(ACCOUNTS.length);
  return actor.startsWith('system:') && !actor.startsWith('system:serviceaccount:') ? actor.slice(7) : 'users';
}
const ACCOUNTS = 'system:serviceaccount:kube-system:';

/** The parts that have done something of late, in a stable order; the coldest one makes room for another. */
export class Actors {
  private readonly byName = new Map<string, Actor>(ALWAYS.map((name) => [name, { name, heat: 0, acts: 0 }]));

  get all(): readonly Actor[] {
    return [...this.byName.values()];
  }

  /** Its place among all. */
  act(actor: string): number {
    const name = actorName(actor);
    let known = this.byName.get(name);
    if (!known) {
      if (this.byName.size >= MAX_ACTORS) this.dropColdest();
      known = { name, heat: 0, acts: 0 };
      this.byName.set(name, known);
    }
    known.heat = 1;
    known.acts++;
    return [...this.byName.keys()].indexOf(name);
  }

  /** Whether one of them is still warm. */
  cool(ms: number): boolean {
    let warm = false;
    for (const actor of this.byName.values()) {
      actor.heat = Math.max(0, actor.heat - ms / COOLING_MS);
      warm ||= actor.heat > 0;
    }
    return warm;
  }

  private dropColdest(): void {
    const [coldest] = this.all
      .filter(({ name }) => !ALWAYS.includes(name))
      .sort((a, b) => a.heat - b.heat || a.acts - b.acts);
    if (coldest) this.byName.delete(coldest.name);
  }
}
