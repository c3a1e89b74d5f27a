import { isInternal } from '../../kube/order.js';
import type { WhyStep } from '../../kube/why/why.generated.js';

export interface PastLane {
  readonly name: string;
  readonly writes: number;
  /** The latest first. */
  readonly last: readonly WhyStep[];
}

const SHOWN = 5;

/** What each loop has written, who wrote last first. All kubelets are one lane; users are none. */
export function pastLanes(entries: readonly WhyStep[]): PastLane[] {
  const lanes = new Map<string, WhyStep[]>();
  for (const entry of [...entries].sort((a, b) => b.revision - a.revision)) {
    const name = loopOf(entry.actor);
    if (name === undefined || isInternal(entry.object)) continue;
    const known = lanes.get(name);
    if (known) known.push(entry);
    else lanes.set(name, [entry]);
  }
  return [...lanes].map(([name, written]) => ({ name, writes: written.length, last: written.slice(0, SHOWN) }));
}

function loopOf(actor: string): string | undefined {
  if (actor.startsWith('system:node:')) return 'kubelet';
  if (actor.startsWith('system:serviceaccount:kube-system:')) return actor.split(':').at(-1);
  return /^system:(?!serviceaccount:)/.test(actor) ? actor.slice('system:'.length) : undefined;
}
