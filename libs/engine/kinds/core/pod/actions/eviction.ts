/**
 * POST of pods/eviction: a delete that respects disruption budgets. Models EvictionREST of
 * pkg/registry/core/pod/storage.
 */
import type { Pod } from '../../../../api/core_v1.js';
import type { DeleteOptions } from '../../../../api/meta_v1.js';
import type { Eviction, PodDisruptionBudget } from '../../../../api/policy_v1.js';
import type { ActionRequest } from '../../../../machinery/kind.js';
import { matchesLabelSelector } from '../../../../machinery/selectors/selectors.js';
import { ApiError, internalError } from '../../../../machinery/meta/status.js';
import { timestamp } from '../../../../machinery/time/time.js';
import { kind as PodDisruptionBudgets } from '../../../policy/poddisruptionbudget/kind.js';
import { isPodReady, isPodTerminal } from '../status/phase.js';

const VIOLATES = "Cannot evict pod as it would violate the pod's disruption budget.";
const MAX_DISRUPTED_PODS = 2000;
const RETRY_SECONDS = 10;

/** `deletePod` takes the Eviction's own deleteOptions. Throws ApiError 429 when a budget allows no disruption. */
export function evict(
  { object: pod, body, client, context, store }: ActionRequest<Pod>,
  deletePod: (options: DeleteOptions) => void,
): unknown {
  const budgets = isExempt(pod)
    ? []
    : client
        .list(PodDisruptionBudgets, pod.metadata.namespace)
        .filter((b) => matchesLabelSelector(b.spec.selector, pod.metadata.labels));
  if (budgets.length > 1)
    throw internalError(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  const now = timestamp(context.now);
  const options = (body as Eviction).deleteOptions ?? {};
  const dryRun = (options.dryRun?.length ?? 0) > 0;
  const budget = budgets[0];
  const taken = budget && !canEvictUnhealthyPod(pod, budget) ? takeDisruption(budget, pod, now) : undefined;
  if (taken && !dryRun) client.updateStatus(PodDisruptionBudgets, taken);
  if (!dryRun) store(withDisruptionTarget(pod, now));
  deletePod(options);
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

/** Whether the pod is evicted without asking any budget. Models canIgnorePDB. */
const isExempt = (pod: Pod): boolean =>
  pod.metadata.deletionTimestamp !== undefined || pod.status.phase === 'Pending' || isPodTerminal(pod);

function canEvictUnhealthyPod(pod: Pod, { spec, status: budget }: PodDisruptionBudget): boolean {
  if (isPodReady(pod)) return false;
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { desiredHealthy = 0, currentHealthy = 0 } = budget;
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

/** The budget with one disruption fewer. Models checkAndDecrement. */
function takeDisruption(budget: PodDisruptionBudget, pod: Pod, now: string): PodDisruptionBudget {
  const { status } = budget;
  const { disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0 } = status;
  const name = budget.metadata.name ?? '';
  if ((status.observedGeneration ?? 0) < (budget.metadata.generation ?? 0)) {
    throw tooManyRequests(`The disruption budget ${name} is still being processed by the server.`, RETRY_SECONDS);
  }
  if (disruptionsAllowed < 0) throw tooManyRequests('pdb disruptions allowed is negative', 0);
  if (Object.keys(status.disruptedPods ?? {}).length > MAX_DISRUPTED_PODS)
    throw tooManyRequests('DisruptedPods map too big - too many evictions not confirmed by PDB controller', 0);
  if (disruptionsAllowed === 0) {
    throw tooManyRequests(
      `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
      0,
    );
  }
  const disruptedPods = { ...status.disruptedPods, [pod.metadata.name ?? '']: now };
  return { ...budget, status: { ...status, disruptionsAllowed: disruptionsAllowed - 1, disruptedPods } };
}

const tooManyRequests = (message: string, retryAfterSeconds: number): ApiError =>
  new ApiError(429, 'TooManyRequests', VIOLATES, {
    causes: [{ reason: 'DisruptionBudget', message }],
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  });

function withDisruptionTarget(pod: Pod, now: string): Pod {
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
    lastTransitionTime: now,
  };
  const others = pod.status.conditions?.filter((c) => c.type !== condition.type) ?? [];
  return { ...pod, status: { ...pod.status, conditions: [...others, condition] } };
}
