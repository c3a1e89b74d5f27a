import type { NodeCondition } from '../../../api/core_v1.js';
import type { NodeNetwork, NodeRuntime, NodeService } from '../../../kinds/terrarium/noderuntime/kind.js';
import { timestamp, type Millis } from '../../../machinery/time/time.js';
import { notReadyNetwork } from '../../cni/network-config.js';
import { HEALTHY } from '../../kubelet/nodestatus/setters.js';

const RUNTIME_DOWN = {
  status: 'False',
  reason: 'KubeletNotReady',
  message:
    '[container runtime is down, PLEG is not healthy: pleg was last seen active 3m0s ago; threshold is 3m0s, ' +
    'container runtime status check may not have completed yet]',
};

/**
 * What a kubelet that runs reports of its node: other components' conditions stay as they are, and what it has found
 * itself to be short of, unless it has just been started. Models
 * pkg/kubelet/nodestatus/setters.go ReadyCondition.
 */
export function reportedConditions(
  conditions: readonly NodeCondition[],
  { containerd, network, shutdown }: Pick<NodeRuntime, 'containerd' | 'network' | 'shutdown'>,
  now: Millis,
  isRestarted = true,
): NodeCondition[] {
  const stamp = timestamp(now);
  const own = HEALTHY.map((healthy): NodeCondition => {
    const next = healthy.type === 'Ready' ? { ...healthy, ...notReady(containerd.state, network) } : healthy;
    const before = conditions.find((c) => c.type === healthy.type);
    // What it is short of it measures itself; a kubelet that has just started has not measured yet.
    if (before?.type === 'Ready' && shutdown) return before;
    if (before?.status === 'True' && next.status === 'False' && next.type !== 'Ready' && !isRestarted) return before;
    const lastTransitionTime = before?.status === next.status ? before.lastTransitionTime : stamp;
    return { ...next, lastHeartbeatTime: stamp, lastTransitionTime };
  });
  return [...conditions.filter((c) => !HEALTHY.some((healthy) => healthy.type === c.type)), ...own];
}

/** What of the Ready condition is not as usual. */
function notReady(runtime: NodeService['state'], network: NodeNetwork | undefined): Partial<NodeCondition> {
  if (runtime !== 'running') return RUNTIME_DOWN;
  return network?.error === undefined
    ? {}
    : { status: 'False', reason: 'KubeletNotReady', message: notReadyNetwork(network.error) };
}

export const readyOf = (conditions: readonly NodeCondition[] = []): string | undefined =>
  conditions.find((c) => c.type === 'Ready')?.status;
