import type { Job, PodFailurePolicyRule } from '../../api/batch_v1.js';
import type { Pod } from '../../api/core_v1.js';

/** What a pod failure policy makes of a failed pod; 'Count' when no rule matches. */
export interface Verdict {
  readonly action: 'FailJob' | 'Ignore' | 'Count' | 'FailIndex';
  readonly message: string;
}

const COUNT: Verdict = { action: 'Count', message: '' };

/** The first matching rule decides. Models pod_failure_policy.go matchPodFailurePolicy. */
export function matchPodFailurePolicy(job: Job, pod: Pod): Verdict {
  if (pod.status.phase !== 'Failed') return COUNT;
  for (const [index, rule] of (job.spec.podFailurePolicy?.rules ?? []).entries()) {
    const message = matchOnExitCodes(rule, index, pod) ?? matchOnPodCondition(rule, index, pod);
    if (message !== undefined) return { action: rule.action as Verdict['action'], message };
  }
  return COUNT;
}

function matchOnExitCodes(rule: PodFailurePolicyRule, index: number, pod: Pod): string | undefined {
  const wanted = rule.onExitCodes;
  if (!wanted) return undefined;
  for (const c of [...(pod.status.containerStatuses ?? []), ...(pod.status.initContainerStatuses ?? [])]) {
    const code = c.state?.terminated?.exitCode;
    if (!code || (wanted.containerName && wanted.containerName !== c.name)) continue;
    if (wanted.values.includes(code) === (wanted.operator === 'In')) {
      return `Container ${c.name} for pod ${pod.metadata.namespace}/${pod.metadata.name} failed with exit code ${code} matching ${rule.action} rule at index ${index}`;
    }
  }
  return undefined;
}

function matchOnPodCondition(rule: PodFailurePolicyRule, index: number, pod: Pod): string | undefined {
  for (const pattern of rule.onPodConditions ?? []) {
    const found = pod.status.conditions?.some(
      (c) => c.type === pattern.type && c.status === (pattern.status ?? 'True'),
    );
    if (found)
      return `Pod ${pod.metadata.namespace}/${pod.metadata.name} has condition ${pattern.type} matching ${rule.action} rule at index ${index}`;
  }
  return undefined;
}
