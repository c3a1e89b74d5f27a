import type { Pod } from '../../../../api/core_v1.js';
import type { PodDisruptionBudget } from '../../../../api/policy_v1.js';
import type { ApiError } from '../../../../machinery/meta/status.js';
import { context } from '../../../testing.js';
import { kind } from '../kind.js';

export interface ActionResult {
  stored?: Pod;
  readonly budgets: PodDisruptionBudget[];
  deleted: number;
  error?: ApiError;
}

/** Runs an action; returns what was stored, which budgets were written, and how often the pod was deleted. */
export function runAction(
  action: string,
  verb: 'create' | 'update' | 'get',
  object: Pod,
  body?: unknown,
  budgets: readonly PodDisruptionBudget[] = [],
): ActionResult {
  const result: ActionResult = { budgets: [], deleted: 0 };
  const client = {
    list: () => budgets,
    updateStatus: (_: unknown, budget: PodDisruptionBudget) => result.budgets.push(budget),
    delete: () => result.deleted++,
  };
  const store = (pod: Pod): Pod => (result.stored = pod);
  try {
    kind.subresources!.actions![action]!.handle({ verb, object, body, client, context, store } as never);
  } catch (error) {
    result.error = error as ApiError;
  }
  return result;
}
