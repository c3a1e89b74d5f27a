import type { ContainerStatus, Pod, PodCondition } from '../../../api/core_v1.js';
import { timestamp, type Millis } from '../../../machinery/time/time.js';
import { isSidecar } from '../container/role.js';
import { hasMainContainerStarted, type Statuses } from './phase.js';

/** A condition without its times. */
interface ConditionStatus {
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

const TRUE: ConditionStatus = { status: 'True' };
const COMPLETED: ConditionStatus = { status: 'True', reason: 'PodCompleted' };
const NO_SANDBOX: ConditionStatus = {
  status: 'False',
  reason: 'PodSandboxNotReady',
  message: 'no pod sandbox exists',
};
const SANDBOX_NOT_READY: ConditionStatus = {
  status: 'False',
  reason: 'PodSandboxNotReady',
  message: 'pod sandbox is not ready',
};

/** Models pkg/kubelet/status/generate.go GenerateContainersReadyCondition. */
function generateContainersReady(pod: Pod, statuses: Statuses, phase: string): ConditionStatus {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  let unready: string[] | undefined;
  for (const c of pod.spec.initContainers ?? [])
    if (isSidecar(c) && !statuses.get(c.name)?.ready) (unready ??= []).push(c.name);
  for (const c of pod.spec.containers) if (!statuses.get(c.name)?.ready) (unready ??= []).push(c.name);
  if (!unready) return TRUE;
  const message = `containers with unready status: [${unready.join(' ')}]`;
  return { status: 'False', reason: 'ContainersNotReady', message };
}

/** Models GeneratePodReadyCondition: all containers are ready, and so say the readiness gates. */
function generatePodReady(pod: Pod, containersReady: ConditionStatus): ConditionStatus {
  if (containersReady.status !== 'True' || !pod.spec.readinessGates?.length) return containersReady;
  const messages: string[] = [];
  for (const { conditionType } of pod.spec.readinessGates) {
    const found = pod.status.conditions?.find((c) => c.type === conditionType);
    if (!found) messages.push(`corresponding condition of pod readiness gate "${conditionType}" does not exist.`);
    else if (found.status !== 'True')
      messages.push(`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`);
  }
  if (messages.length === 0) return TRUE;
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ') };
}

/** Models GeneratePodInitializedCondition. */
function generatePodInitialized({ spec }: Pod, statuses: Statuses, phase: string): ConditionStatus {
  if (phase === 'Succeeded') return COMPLETED;
  if (!spec.initContainers?.length || hasMainContainerStarted(spec, statuses)) return TRUE;
  const incomplete = spec.initContainers.filter((c) => !isInitialized(c, statuses.get(c.name)));
  if (incomplete.length === 0) return TRUE;
  const message = `containers with incomplete status: [${incomplete.map((c) => c.name).join(' ')}]`;
  return { status: 'False', reason: 'ContainersNotInitialized', message };
}

const isInitialized = (
  container: { readonly restartPolicy?: string },
  status: ContainerStatus | undefined,
): boolean | undefined => (isSidecar(container) ? status?.started : status?.ready);

/** Models GeneratePodReadyToStartContainersCondition. */
function generateReadyToStartContainers({ status }: Pod, hasSandbox: boolean): ConditionStatus {
  if (hasSandbox) return TRUE;
  return status.podIP ? SANDBOX_NOT_READY : NO_SANDBOX;
}

/** The types of conditions that the kubelet owns. Models pkg/kubelet/types PodConditionByKubelet. */
const OWNED = new Set([
  'PodResizePending',
  'PodResizeInProgress',
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
]);

/** The pod's conditions in the kubelet's order; those of other components stay behind them. */
export function generatePodConditions(
  pod: Pod,
  statuses: Statuses,
  phase: string,
  hasSandbox: boolean,
  now: Millis,
  resize: readonly PodCondition[] = [],
): PodCondition[] {
  const containersReady = generateContainersReady(pod, statuses, phase);
  const conditions = [
    ...resize,
    updateCondition(pod, 'PodReadyToStartContainers', generateReadyToStartContainers(pod, hasSandbox), now),
    updateCondition(pod, 'Initialized', generatePodInitialized(pod, statuses, phase), now),
    updateCondition(pod, 'Ready', generatePodReady(pod, containersReady), now),
    updateCondition(pod, 'ContainersReady', containersReady, now),
    updateCondition(pod, 'PodScheduled', TRUE, now),
  ];
  for (const c of pod.status.conditions ?? []) if (!OWNED.has(c.type)) conditions.push(c);
  return conditions;
}

/** The condition that the pod has already when nothing changed; its transition time moves with its status only. */
function updateCondition(pod: Pod, type: string, next: ConditionStatus, now: Millis): PodCondition {
  const { status, reason, message } = next;
  const { generation } = pod.metadata;
  const old = pod.status.conditions?.find((c) => c.type === type);
  const isSame =
    old?.status === status && old.reason === reason && old.message === message && old.observedGeneration === generation;
  if (isSame) return old;
  return {
    // Go prints a zero Time as null.
    lastProbeTime: null as unknown as undefined,
    lastTransitionTime: old?.status === status ? old.lastTransitionTime : timestamp(now),
    ...(message ? { message } : {}),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...(reason ? { reason } : {}),
    status,
    type,
  };
}
