import type { Learner } from '../../api/labs.generated.js';

export type LearnerMap = ReadonlyMap<string, Learner>;

/** The learners after an event: all of them at first, then those that are others; one that is gone is `deleted`. */
export function afterLearners(known: LearnerMap, event: readonly Learner[], areAll: boolean): LearnerMap {
  const next = areAll ? new Map<string, Learner>() : new Map(known);
  for (const learner of event) {
    if (learner.state === 'deleted') next.delete(learner.clusterId);
    else next.set(learner.clusterId, learner);
  }
  return next;
}

export const ORDERS = ['name', 'progress', 'activity'] as const;
export type Order = (typeof ORDERS)[number];

const byName = (a: Learner, b: Learner): number => a.name.localeCompare(b.name, 'en', { numeric: true });
/** Who is stuck stands first by progress; who did something last, by activity. */
const COMPARE: Readonly<Record<Order, (a: Learner, b: Learner) => number>> = {
  name: byName,
  progress: (a, b) => a.step - b.step || a.score - b.score || byName(a, b),
  activity: (a, b) => b.lastActivity.localeCompare(a.lastActivity) || byName(a, b),
};

export const isFinished = ({ step, steps }: Learner): boolean => step > steps;

export const arrange = (learners: LearnerMap, order: Order, text: string): Learner[] =>
  [...learners.values()].filter(({ name }) => name.includes(text.trim().toLowerCase())).sort(COMPARE[order]);
