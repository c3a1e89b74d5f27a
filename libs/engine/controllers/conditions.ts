import { timestamp, type Millis } from '../machinery/time/time.js';

/** What every condition of the older workload APIs has. */
export interface AnyCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

export const findCondition = <C extends AnyCondition>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined => conditions?.find((c) => c.type === type);

export const filterOutCondition = <C extends AnyCondition>(conditions: readonly C[] | undefined, type: string): C[] =>
  (conditions ?? []).filter((c) => c.type !== type);

/** Puts a condition last, unless status and reason stand already; the transition time moves only with the status. */
export function setCondition<C extends AnyCondition>(conditions: readonly C[] | undefined, condition: C): C[] {
  const current = findCondition(conditions, condition.type);
  if (current && current.status === condition.status && current.reason === condition.reason) return [...conditions!];
  const next =
    current?.status === condition.status ? { ...condition, lastTransitionTime: current.lastTransitionTime } : condition;
  return [...filterOutCondition(conditions, condition.type), next];
}

/** Changes a condition in its place, message included. Models apimachinery/pkg/api/meta SetStatusCondition. */
export function setStatusCondition<C extends AnyCondition>(conditions: readonly C[] | undefined, condition: C): C[] {
  const list = [...(conditions ?? [])];
  const at = list.findIndex((c) => c.type === condition.type);
  if (at < 0) return [...list, condition];
  const current = list[at]!;
  list[at] =
    current.status === condition.status ? { ...condition, lastTransitionTime: current.lastTransitionTime } : condition;
  return list;
}

export const newCondition = (
  type: string,
  status: 'True' | 'False' | 'Unknown',
  reason: string,
  message: string,
  now: Millis,
) => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: timestamp(now),
});
