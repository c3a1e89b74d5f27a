/**
 * POST of pods/eviction: a delete that respects disruption budgets. Models EvictionREST of
 * pkg/registry/core/pod/storage.
 */
import type { Pod } from '../../../../api/core_v1.js';
import type { Eviction, PodDisruptionBudget } from '../../../../api/policy_v1.js';
import type { ActionRequest } from '../../../../machinery/kind.js';
import { keyOf } from '../../../../machinery/meta/object.js';
import { matchesLabelSelector } from '../../../../machinery/selectors/selectors.js';
import { ApiError, internalError } from '../../../../machinery/meta/status.js';
import { timestamp } from '../../../../machinery/time/time.js';
import { kind as PodDisruptionBudgets } from '../../../policy/poddisruptionbudget/kind.js';
import { kind as Pods } from '../kind.js';
import { isPodReady, isPodTerminal } from '../status/phase.js';

const VIOLATES = "Cannot evict pod as it would violate the pod's disruption budget.";
const MAX_DISRUPTED_PODS = 2000;
const RETRY_SECONDS = 10;

export function evict({ object: pod, body, client, context, store }: ActionRequest<Pod>): unknown {
  const budgets = exempt(pod)
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
  const spent = budget && !mayGoUnhealthy(pod, budget) ? spend(budget, pod, now) : undefined;
  if (spent && !dryRun) client.updateStatus(PodDisruptionBudgets, spent);
  if (!dryRun) store(targeted(pod, now));
  client.delete(Pods, keyOf(pod), options);
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

/** Pods that no budget protects: they do not run, or are going already. */
const exempt = (pod: Pod): boolean =>
  pod.metadata.deletionTimestamp !== undefined || pod.status.phase === 'Pending' || isPodTerminal(pod);

function mayGoUnhealthy(pod: Pod, { spec, status: budget }: PodDisruptionBudget): boolean {
  if (isPodReady(pod)) return false;
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { desiredHealthy = 0, currentHealthy = 0 } = budget;
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

/** The budget with one disruption fewer. */
function spend(budget: PodDisruptionBudget, pod: Pod, now: string): PodDisruptionBudget {
  const { status } = budget;
  const { disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0 } = status;
  const name = budget.metadata.name ?? '';
  if ((status.observedGeneration ?? 0) < (budget.metadata.generation ?? 0)) {
    throw refused(`The disruption budget ${name} is still being processed by the server.`, RETRY_SECONDS);
  }
  if (disruptionsAllowed < 0) throw refused('pdb disruptions allowed is negative', 0);
  if (Object.keys(status.disruptedPods ?? {}).length > MAX_DISRUPTED_PODS)
    throw refused('DisruptedPods map too big - too many evictions not confirmed by PDB controller', 0);
  if (disruptionsAllowed === 0) {
    throw refused(
      `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
      0,
    );
  }
  const disruptedPods = { ...status.disruptedPods, [pod.metadata.name ?? '']: now };
  return { ...budget, status: { ...status, disruptionsAllowed: disruptionsAllowed - 1, disruptedPods } };
}

const refused = (message: string, retryAfterSeconds: number): ApiError =>
  new ApiError(429, 'TooManyRequests', VIOLATES, {
    causes: [{ reason: 'DisruptionBudget', message }],
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  });

function targeted(pod: Pod, now: string): Pod {
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
