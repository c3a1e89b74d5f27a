import type { NodeCondition } from '../../../api/core_v1.js';
import type { NodeNetwork, NodeRuntime, NodeService } from '../../../kinds/terrarium/noderuntime/kind.js';
import { MINUTE, parseTimestamp, SECOND, timestamp, type Millis } from '../../../machinery/time/time.js';
import { notReadyNetwork } from '../../cni/network-config.js';
import { HEALTHY } from '../../kubelet/nodestatus/setters.js';

/** So long a runtime may be silent: then its kubelet takes it for down, and later says that no pod was looked at. */
export const RUNTIME_THRESHOLD: Millis = 30 * SECOND;
export const PLEG_THRESHOLD: Millis = 3 * MINUTE;
const DOWN = 'container runtime is down';

/**
 * What a kubelet that runs reports of its node: other components' conditions stay as they are, and what it has found
 * itself to be short of, unless it has just been started. Models pkg/kubelet/nodestatus/setters.go ReadyCondition.
 */
export function reportedConditions(
  conditions: readonly NodeCondition[],
  { containerd, network, shutdown }: Pick<NodeRuntime, 'containerd' | 'network' | 'shutdown'>,
  now: Millis,
  isRestarted = true,
): NodeCondition[] {
  const stamp = timestamp(now);
  const own = HEALTHY.map((healthy): NodeCondition => {
    const next = healthy.type === 'Ready' ? { ...healthy, ...notReady(containerd, network, now) } : healthy;
    const before = conditions.find((c) => c.type === healthy.type);
    // What it is short of it measures itself; a kubelet that has just started has not measured yet.
    if (before?.type === 'Ready' && shutdown) return before;
    if (before?.status === 'True' && next.status === 'False' && next.type !== 'Ready' && !isRestarted) return before;
    const lastTransitionTime = before?.status === next.status ? before.lastTransitionTime : stamp;
    return { ...next, lastHeartbeatTime: stamp, lastTransitionTime };
  });
  return [...conditions.filter((c) => !HEALTHY.some((healthy) => healthy.type === c.type)), ...own];
}

/** What of the Ready condition is not as usual. Models pkg/kubelet/runtime.go runtimeErrors. */
function notReady(runtime: NodeService, network: NodeNetwork | undefined, now: Millis): Partial<NodeCondition> {
  const silent = silenceOf(runtime, now);
  if (silent >= RUNTIME_THRESHOLD) {
    const pleg = `PLEG is not healthy: pleg was last seen active ${spanText(silent)} ago; threshold is 3m0s`;
    const message = silent >= PLEG_THRESHOLD ? `[${DOWN}, ${pleg}]` : DOWN;
    return { status: 'False', reason: 'KubeletNotReady', message };
  }
  return network?.error === undefined
    ? {}
    : { status: 'False', reason: 'KubeletNotReady', message: notReadyNetwork(network.error) };
}

/** How long a runtime does not answer; 0: it does. */
export const silenceOf = ({ state, since }: Pick<NodeService, 'state' | 'since'>, now: Millis): Millis =>
  state === 'running' || since === '' ? 0 : now - parseTimestamp(since);

/** '3m5s', in Go's words. */
const spanText = (ms: Millis): string => `${Math.floor(ms / MINUTE)}m${Math.floor((ms % MINUTE) / SECOND)}s`;

export const readyOf = (conditions: readonly NodeCondition[] = []): string | undefined =>
  conditions.find((c) => c.type === 'Ready')?.status;
