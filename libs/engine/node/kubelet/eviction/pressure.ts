import type { Node, NodeCondition, Pod, Taint } from '../../../api/core_v1.js';
import { Nodes } from '../../../kinds/index.js';
import { isTaintTolerated } from '../../../machinery/scheduling/tolerations.js';
import { timestamp } from '../../../machinery/time/time.js';
import type { Context } from '../../../runtime/controller.js';
import type { AdmitFailure } from '../lifecycle/admit-failure.js';
import { EVICTED, isCritical } from './local-storage.js';
import type { PressureType } from './thresholds.js';

const MEMORY_TAINT: Taint = { key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' };

interface Words {
  readonly reason: string;
  readonly message: string;
  /** The reason of the node's event. */
  readonly event: string;
}

/** Models pkg/kubelet/nodestatus/setters.go MemoryPressureCondition, DiskPressureCondition, PIDPressureCondition. */
const WORDS: Readonly<Record<PressureType, { readonly short: Words; readonly well: Words }>> = {
  MemoryPressure: {
    short: {
      reason: 'KubeletHasInsufficientMemory',
      message: 'kubelet has insufficient memory available',
      event: 'NodeHasInsufficientMemory',
    },
    well: {
      reason: 'KubeletHasSufficientMemory',
      message: 'kubelet has sufficient memory available',
      event: 'NodeHasSufficientMemory',
    },
  },
  DiskPressure: {
    short: { reason: 'KubeletHasDiskPressure', message: 'kubelet has disk pressure', event: 'NodeHasDiskPressure' },
    well: {
      reason: 'KubeletHasNoDiskPressure',
      message: 'kubelet has no disk pressure',
      event: 'NodeHasNoDiskPressure',
    },
  },
  PIDPressure: {
    short: {
      reason: 'KubeletHasInsufficientPID',
      message: 'kubelet has insufficient PID available',
      event: 'NodeHasInsufficientPID',
    },
    well: {
      reason: 'KubeletHasSufficientPID',
      message: 'kubelet has sufficient PID available',
      event: 'NodeHasSufficientPID',
    },
  },
};
export const PRESSURES = Object.keys(WORDS) as PressureType[];

/** The condition of a node whose kubelet itself has found it short of something. */
export const pressureOf = ({ status }: Node, type: PressureType): NodeCondition | undefined =>
  status.conditions?.find((c) => c.type === type && c.status === 'True' && c.reason === WORDS[type].short.reason);

export const pressuresOf = (node: Node): PressureType[] => PRESSURES.filter((type) => pressureOf(node, type));

const wasShortOf = (node: Node, type: PressureType): boolean =>
  PRESSURES.includes(type) && pressureOf(node, type) !== undefined;

/** Writes what a node is short of; a shortage has the time at which it was found last. */
export function setPressures(context: Context, node: Node, next: ReadonlyMap<PressureType, boolean>): void {
  const { client, now } = context;
  const at = timestamp(now);
  const changed: Words[] = [];
  const conditions = (node.status.conditions ?? []).map((condition) => {
    const type = condition.type as PressureType;
    const isShort = next.get(type);
    // A kubelet writes all of its conditions at once. A shortage keeps the time at which it was found last.
    if (isShort === undefined) return wasShortOf(node, type) ? condition : { ...condition, lastHeartbeatTime: at };
    const { event, ...words } = WORDS[type][isShort ? 'short' : 'well'];
    const wasShort = pressureOf(node, type) !== undefined;
    if (wasShort !== isShort) changed.push({ ...words, event });
    return {
      ...condition,
      ...words,
      status: isShort ? 'True' : 'False',
      lastHeartbeatTime: at,
      lastTransitionTime: wasShort === isShort ? condition.lastTransitionTime : at,
    };
  });
  const updated = client.updateStatus(Nodes, { ...node, status: { ...node.status, conditions } });
  const name = node.metadata.name ?? '';
  for (const { event } of changed)
    context.event(updated, 'Normal', event, `Node ${name} status is now: ${event}`, {
      source: { component: 'kubelet', host: name },
    });
}

/**
 * Why a node that is short of something does not take a pod: of memory, it is of best effort. Models
 * pkg/kubelet/eviction/eviction_manager.go Admit.
 */
export function checkPressure(pod: Pod, node: Node): AdmitFailure | undefined {
  const pressures = pressuresOf(node);
  if (pressures.length === 0 || isCritical(pod)) return undefined;
  const isOfMemoryAlone = pressures.length === 1 && pressures[0] === 'MemoryPressure';
  if (isOfMemoryAlone && (pod.status.qosClass !== 'BestEffort' || isTaintTolerated(MEMORY_TAINT, pod.spec.tolerations)))
    return undefined;
  return { reason: EVICTED, message: `The node had condition: [${pressures.join(' ')}]. ` };
}
