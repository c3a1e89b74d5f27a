import type { WhyStep } from '../../kube/why/why.generated.js';

export interface Mark {
  readonly kind: 'user' | 'command' | 'warning' | 'fault' | 'check';
  /** Virtual ms. */
  readonly at: number;
  readonly text: string;
  /** Of those that stand on each other: the others. */
  readonly more: number;
}

/** What a mark shows must be told apart: marks nearer than this share of the bar are one. */
const NEAR = 0.004;
export const MAX_MARKS = 150;

export interface Recorded {
  readonly users: readonly WhyStep[];
  readonly faults: readonly WhyStep[];
  readonly warnings: readonly { readonly at: number; readonly text: string }[];
}

export const NOTHING: Recorded = { users: [], faults: [], warnings: [] };
const MAX_KEPT = 5_000;

/** With what was read besides: each change once, the newest first. Of warnings the last reading holds. */
export const addEntries = (known: Recorded, { users, faults, warnings }: Recorded): Recorded => ({
  users: merge(known.users, users),
  faults: merge(known.faults, faults),
  warnings,
});

function merge(known: readonly WhyStep[], read: readonly WhyStep[]): WhyStep[] {
  const byRevision = new Map([...known, ...read].map((entry) => [entry.revision, entry]));
  return [...byRevision.values()].sort((a, b) => b.revision - a.revision).slice(0, MAX_KEPT);
}

/** Marks within a span, those that stand on each other once: the gravest of them. */
export function marksOf({ users, faults, warnings }: Recorded, from: number, to: number): Mark[] {
  const faulty = new Set(faults.map(({ revision }) => revision));
  const all: Mark[] = [
    ...faults.map((entry) => ({ kind: 'fault' as const, at: Date.parse(entry.at), text: entry.text, more: 0 })),
    ...warnings.map((one) => ({ kind: 'warning' as const, ...one, more: 0 })),
    ...users.filter(({ revision, object }) => !faulty.has(revision) && !CLOCKS.test(object)).map(markOf),
  ];
  const span = Math.max(1, to - from);
  const kept: Mark[] = [];
  for (const mark of all.filter(({ at }) => at >= from && at <= to).sort((a, b) => a.at - b.at)) {
    const last = kept.at(-1);
    if (!last || (mark.at - last.at) / span >= NEAR) kept.push(mark);
    else kept[kept.length - 1] = { ...(RANK[mark.kind] > RANK[last.kind] ? mark : last), more: last.more + 1 };
  }
  return kept.slice(-MAX_MARKS);
}

const RANK: Readonly<Record<Mark['kind'], number>> = { user: 0, check: 1, command: 2, warning: 3, fault: 4 };
/** What only says how the time runs is no act in the cluster. */
const CLOCKS = /^(clock|advance)\//;

/** Of what was typed in a terminal the lines themselves. */
function markOf({ verb, object, at, text, fields }: WhyStep): Mark {
  const isTyped = verb === 'type';
  const kind = isTyped ? 'command' : object.startsWith('check') ? 'check' : 'user';
  return { kind, at: Date.parse(at), text: isTyped ? fields.join('; ') : text, more: 0 };
}

/** The place in `marks` of the one that is nearest to a moment; -1 without any. */
export function nearestMark(marks: readonly Pick<Mark, 'at'>[], at: number): number {
  let nearest = -1;
  for (const [i, mark] of marks.entries())
    if (nearest < 0 || Math.abs(mark.at - at) < Math.abs(marks[nearest]!.at - at)) nearest = i;
  return nearest;
}
