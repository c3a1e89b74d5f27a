import type { Node } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { MINUTE, parseTimestamp, timestamp, type Millis } from '../../../machinery/time/time.js';
import { isKubeletRunning } from '../../terrarium/noderuntime/kind.js';

/** A kubelet repeats an unchanged status this often: nodeStatusReportFrequency. */
const REPORT_EVERY = 5 * MINUTE;

const isAlive = ({ status }: Node): boolean =>
  status.conditions?.some((c) => c.type === 'Ready' && c.status !== 'Unknown') ?? false;

/**
 * The node with the last heartbeat that its kubelet would have written by now. Models
 * pkg/kubelet/kubelet_node_status.go.
 */
export function addMissedHeartbeats(node: Node, now: Millis, read: Reader): Node {
  if (!isAlive(node) || !isKubeletRunning(read, node.metadata.name ?? '')) return node;
  const conditions = node.status.conditions!.map((condition) => {
    if (!condition.lastHeartbeatTime) return condition;
    const written = parseTimestamp(condition.lastHeartbeatTime);
    const missed = Math.floor((now - written) / REPORT_EVERY);
    return missed > 0 ? { ...condition, lastHeartbeatTime: timestamp(written + missed * REPORT_EVERY) } : condition;
  });
  return { ...node, status: { ...node.status, conditions } };
}
