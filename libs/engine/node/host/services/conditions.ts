import type { NodeCondition } from '../../../api/core_v1.js';
import type { NodeRuntime } from '../../../kinds/terrarium/noderuntime/kind.js';
import { timestamp, type Millis } from '../../../machinery/time/time.js';
import { HEALTHY } from '../../kubelet/nodestatus/setters.js';

const RUNTIME_DOWN = {
  status: 'False',
  reason: 'KubeletNotReady',
  message:
    '[container runtime is down, PLEG is not healthy: pleg was last seen active 3m0s ago; threshold is 3m0s, ' +
    'container runtime status check may not have completed yet]',
};

/**
 * What a kubelet that runs reports of its node: other components' conditions stay as they are. Models
 * pkg/kubelet/nodestatus/setters.go ReadyCondition.
 */
export function reportedConditions(
  conditions: readonly NodeCondition[],
  { containerd }: Pick<NodeRuntime, 'containerd'>,
  now: Millis,
): NodeCondition[] {
  const stamp = timestamp(now);
  const own = HEALTHY.map((healthy): NodeCondition => {
    const isDown = healthy.type === 'Ready' && containerd.state !== 'running';
    const next = isDown ? { ...healthy, ...RUNTIME_DOWN } : healthy;
    const before = conditions.find((c) => c.type === healthy.type);
    const lastTransitionTime = before?.status === next.status ? before.lastTransitionTime : stamp;
    return { ...next, lastHeartbeatTime: stamp, lastTransitionTime };
  });
  return [...conditions.filter((c) => !HEALTHY.some((healthy) => healthy.type === c.type)), ...own];
}

export const readyOf = (conditions: readonly NodeCondition[] = []): string | undefined =>
  conditions.find((c) => c.type === 'Ready')?.status;
