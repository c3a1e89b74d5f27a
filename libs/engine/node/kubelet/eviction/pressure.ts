import type { Node, NodeCondition, Pod } from '../../../api/core_v1.js';
import { Nodes, Pods } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { timestamp, type Millis } from '../../../machinery/time/time.js';
import type { Context } from '../../../runtime/controller.js';
import type { Machines, PodView } from '../../cri/machines.js';
import type { AdmitFailure } from '../lifecycle/admit-failure.js';
import { EVICTED, isCritical } from './local-storage.js';
import type { MemoryUsage } from './memory.js';

const TYPE = 'MemoryPressure';
const TAINT = 'node.kubernetes.io/memory-pressure';
/** Models pkg/kubelet/nodestatus/setters.go MemoryPressureCondition. */
const INSUFFICIENT = {
  status: 'True',
  reason: 'KubeletHasInsufficientMemory',
  message: 'kubelet has insufficient memory available',
} as const;
const SUFFICIENT = {
  status: 'False',
  reason: 'KubeletHasSufficientMemory',
  message: 'kubelet has sufficient memory available',
} as const;

/** The condition of a node whose kubelet itself has found it short of memory. */
export const pressureOf = ({ status }: Node): NodeCondition | undefined =>
  status.conditions?.find((c) => c.type === TYPE && c.status === 'True' && c.reason === INSUFFICIENT.reason);

/** What the pods of a node hold. `own`: one of them as its sync knows it. */
export function memoryOnNode(
  read: Reader,
  machines: Machines,
  node: string,
  now: Millis,
  own?: PodView,
): MemoryUsage[] {
  const pods = read.byIndex(Pods, 'unfinishedByNode', node);
  return pods.map((pod) => {
    const view = own && own.pod.metadata.uid === pod.metadata.uid ? own : machines.viewOf(pod);
    return { pod, containers: machines.memoryOf(view, now) };
  });
}

/** Writes whether a node is short of memory, and when that was found last. */
export function setPressure(context: Context, node: Node, isShort: boolean): void {
  const { client, now } = context;
  const wasShort = pressureOf(node) !== undefined;
  const at = timestamp(now);
  const conditions = (node.status.conditions ?? []).map((condition) =>
    condition.type === TYPE
      ? {
          ...condition,
          ...(isShort ? INSUFFICIENT : SUFFICIENT),
          lastHeartbeatTime: at,
          lastTransitionTime: wasShort === isShort ? condition.lastTransitionTime : at,
        }
      : condition,
  );
  const updated = client.updateStatus(Nodes, { ...node, status: { ...node.status, conditions } });
  if (wasShort === isShort) return;
  const name = node.metadata.name ?? '';
  const reason = isShort ? 'NodeHasInsufficientMemory' : 'NodeHasSufficientMemory';
  context.event(updated, 'Normal', reason, `Node ${name} status is now: ${reason}`, {
    source: { component: 'kubelet', host: name },
  });
}

/**
 * Why a node that is short of memory does not take a pod: it is of best effort. Models
 * pkg/kubelet/eviction/eviction_manager.go Admit.
 */
export function checkPressure(pod: Pod, node: Node): AdmitFailure | undefined {
  if (!pressureOf(node) || isCritical(pod) || pod.status.qosClass !== 'BestEffort') return undefined;
  const isTolerated = pod.spec.tolerations?.some(
    ({ key, operator, value, effect }) =>
      (!effect || effect === 'NoSchedule') &&
      (operator === 'Exists' ? !key || key === TAINT : key === TAINT && (value ?? '') === ''),
  );
  return isTolerated ? undefined : { reason: EVICTED, message: `The node had condition: [${TYPE}]. ` };
}
