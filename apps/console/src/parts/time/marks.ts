import type { Entry } from './operations.generated.js';

export interface Mark {
  readonly kind: 'user' | 'warning' | 'fault' | 'check';
  /** Virtual ms. */
  readonly at: number;
  readonly text: string;
}

/** What a mark shows must be told apart: marks nearer than this share of the bar are one. */
const NEAR = 0.004;
export const MAX_MARKS = 150;

export interface Recorded {
  readonly users: readonly Entry[];
  readonly faults: readonly Entry[];
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

function merge(known: readonly Entry[], read: readonly Entry[]): Entry[] {
  const byRevision = new Map([...known, ...read].map((entry) => [entry.revision, entry]));
  return [...byRevision.values()].sort((a, b) => b.revision - a.revision).slice(0, MAX_KEPT);
}

/** Marks within a span, those that stand on each other once: the gravest of them. */
export function marksOf({ users, faults, warnings }: Recorded, from: number, to: number): Mark[] {
  const faulty = new Set(faults.map(({ revision }) => revision));
  const all: Mark[] = [
    ...faults.map((entry) => ({ kind: 'fault' as const, at: Date.parse(entry.at), text: entry.text })),
    ...warnings.map((one) => ({ kind: 'warning' as const, ...one })),
    ...users
      .filter(({ revision, object }) => !faulty.has(revision) && !CLOCKS.test(object))
      .map(({ at, object, text }) => ({ kind: kindOf(object), at: Date.parse(at), text })),
  ];
  const span = Math.max(1, to - from);
  const kept: Mark[] = [];
  for (const mark of all.filter(({ at }) => at >= from && at <= to).sort((a, b) => a.at - b.at)) {
    const last = kept.at(-1);
    if (!last || (mark.at - last.at) / span >= NEAR) kept.push(mark);
    else if (RANK[mark.kind] > RANK[last.kind]) kept[kept.length - 1] = mark;
  }
  return kept.slice(-MAX_MARKS);
}

const RANK: Readonly<Record<Mark['kind'], number>> = { user: 0, check: 1, warning: 2, fault: 3 };
/** What only says how the time runs is no act in the cluster. */
const CLOCKS = /^(clock|advance)\//;
const kindOf = (object: string): 'check' | 'user' => (object.startsWith('check') ? 'check' : 'user');
