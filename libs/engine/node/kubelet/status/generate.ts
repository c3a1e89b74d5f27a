import type { ContainerStatus, Pod, PodCondition } from '../../../api/core_v1.js';
import { timestamp, type Millis } from '../../../machinery/time/time.js';

/** Statuses by container name, init containers included. */
export type Statuses = ReadonlyMap<string, ContainerStatus>;

export const isSidecar = (c: { readonly restartPolicy?: string }): boolean => c.restartPolicy === 'Always';

interface Plain {
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}
const TRUE: Plain = { status: 'True' };
const NO_SANDBOX: Plain = { status: 'False', reason: 'PodSandboxNotReady', message: 'no pod sandbox exists' };
const SANDBOX_GONE: Plain = { status: 'False', reason: 'PodSandboxNotReady', message: 'pod sandbox is not ready' };

/** Models pkg/kubelet/status/generate.go. */
function containersReady(pod: Pod, statuses: Statuses, phase: string): Plain {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  let unready: string[] | undefined;
  for (const c of pod.spec.initContainers ?? [])
    if (isSidecar(c) && !statuses.get(c.name)?.ready) (unready ??= []).push(c.name);
  for (const c of pod.spec.containers) if (!statuses.get(c.name)?.ready) (unready ??= []).push(c.name);
  return unready
    ? {
        status: 'False',
        reason: 'ContainersNotReady',
        message: `containers with unready status: [${unready.join(' ')}]`,
      }
    : TRUE;
}

function ready(pod: Pod, containers: Plain): Plain {
  if (containers.status !== 'True' || !pod.spec.readinessGates?.length) return containers;
  const messages: string[] = [];
  for (const { conditionType } of pod.spec.readinessGates) {
    const found = pod.status.conditions?.find((c) => c.type === conditionType);
    if (!found) messages.push(`corresponding condition of pod readiness gate "${conditionType}" does not exist.`);
    else if (found.status !== 'True')
      messages.push(`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`);
  }
  return messages.length === 0
    ? TRUE
    : { status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ') };
}

function initialized(pod: Pod, statuses: Statuses, phase: string): Plain {
  if (!pod.spec.initContainers?.length)
    return phase === 'Succeeded' ? { status: 'True', reason: 'PodCompleted' } : TRUE;
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  if (pod.spec.containers.some((c) => statuses.get(c.name)?.started !== undefined && statuses.get(c.name)!.containerID))
    return TRUE;
  const missing = pod.spec.initContainers.filter((c) => {
    const status = statuses.get(c.name);
    return isSidecar(c) ? !status?.started : !status?.ready;
  });
  if (missing.length === 0) return TRUE;
  return {
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${missing.map((c) => c.name).join(' ')}]`,
  };
}

const OWN = new Set(['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled']);

/** The pod's conditions in the kubelet's order; those of others stay behind them. */
export function conditionsOf(
  pod: Pod,
  statuses: Statuses,
  phase: string,
  sandbox: boolean,
  now: Millis,
): PodCondition[] {
  const containers = containersReady(pod, statuses, phase);
  const old = pod.status.conditions;
  const generation = pod.metadata.generation;
  let stamp: string | undefined;
  const condition = (type: string, { status, reason, message }: Plain): PodCondition => {
    const before = old?.find((c) => c.type === type);
    if (
      before &&
      before.status === status &&
      before.reason === reason &&
      before.message === message &&
      before.observedGeneration === generation
    )
      return before;
    return {
      // Go prints a zero Time as null.
      lastProbeTime: null as unknown as undefined,
      lastTransitionTime: before?.status === status ? before.lastTransitionTime : (stamp ??= timestamp(now)),
      ...(message ? { message } : {}),
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      ...(reason ? { reason } : {}),
      status,
      type,
    };
  };
  const conditions = [
    condition('PodReadyToStartContainers', sandbox ? TRUE : pod.status.podIP ? SANDBOX_GONE : NO_SANDBOX),
    condition('Initialized', initialized(pod, statuses, phase)),
    condition('Ready', ready(pod, containers)),
    condition('ContainersReady', containers),
    condition('PodScheduled', TRUE),
  ];
  if (old) for (const c of old) if (!OWN.has(c.type)) conditions.push(c);
  return conditions;
}

/** Models kubelet_pods.go getPhase. */
export function phaseOf(pod: Pod, statuses: Statuses): string {
  const policy = pod.spec.restartPolicy ?? 'Always';
  for (const c of pod.spec.initContainers ?? []) {
    const status = statuses.get(c.name);
    if (isSidecar(c)) {
      if (!status?.started && !pod.spec.containers.some((m) => statuses.get(m.name)?.containerID)) return 'Pending';
      continue;
    }
    const ended = status?.state?.terminated ?? status?.lastState?.terminated;
    if (status?.state?.terminated?.exitCode === 0) continue;
    if (ended && ended.exitCode !== 0 && policy === 'Never') return 'Failed';
    return 'Pending';
  }
  let [running, waiting, stopped, failed] = [0, 0, 0, 0];
  for (const c of pod.spec.containers) {
    const status = statuses.get(c.name);
    if (status?.state?.running) running++;
    else if (status?.state?.terminated ?? status?.lastState?.terminated) {
      stopped++;
      if ((status!.state?.terminated ?? status!.lastState!.terminated)!.exitCode !== 0) failed++;
    } else waiting++;
  }
  if (waiting > 0) return 'Pending';
  if (running > 0 || stopped === 0 || policy === 'Always') return 'Running';
  if (failed === 0) return 'Succeeded';
  return policy === 'Never' ? 'Failed' : 'Running';
}
