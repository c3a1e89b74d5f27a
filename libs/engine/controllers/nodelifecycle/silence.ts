import type { Node } from '../../api/core_v1.js';
import { Leases, Pods } from '../../kinds/index.js';
import { isKubeletRunning } from '../../kinds/terrarium/noderuntime/kind.js';
import type { Reader } from '../../machinery/client.js';
import { keyOf } from '../../machinery/meta/object.js';
import { parseTimestamp, SECOND, timestamp, type Millis } from '../../machinery/time/time.js';
import type { Context } from '../../runtime/controller.js';
import { findCondition } from '../conditions.js';

/** node-monitor-grace-period of 1.36. */
const GRACE = 50 * SECOND;
/** node-monitor-period: how often the controller looks. */
const PERIOD = 5 * SECOND;

/**
 * When a node that has fallen silent is given up; undefined while its kubelet renews its lease, or when it is given up
 * already.
 */
export function silentUntil(read: Reader, { metadata, status }: Node): Millis | undefined {
  const name = metadata.name ?? '';
  const ready = findCondition(status.conditions, 'Ready');
  if (!ready || ready.status === 'Unknown' || isKubeletRunning(read, name)) return undefined;
  const renewed = read.get(Leases, { namespace: 'kube-node-lease', name })?.spec.renewTime;
  const heard = Math.max(parse(renewed), parse(ready.lastHeartbeatTime));
  return Math.ceil((heard + GRACE) / PERIOD) * PERIOD;
}

const parse = (text: string | undefined): Millis => (text ? parseTimestamp(text) : 0);

/** Models pkg/controller/util/node MarkPodsNotReady. */
export function markPodsNotReady(context: Context, node: string): void {
  const { client, now } = context;
  for (const pod of client.byIndex(Pods, 'nodeName', node)) {
    const ready = findCondition(pod.status.conditions, 'Ready');
    if (ready?.status !== 'True') continue;
    const stored = client.get(Pods, keyOf(pod)) ?? pod;
    const conditions = (stored.status.conditions ?? []).map((condition) =>
      condition.type === 'Ready' ? { ...condition, status: 'False', lastTransitionTime: timestamp(now) } : condition,
    );
    client.updateStatus(Pods, { ...stored, status: { ...stored.status, conditions } });
    context.event(stored, 'Warning', 'NodeNotReady', 'Node is not ready');
  }
}
