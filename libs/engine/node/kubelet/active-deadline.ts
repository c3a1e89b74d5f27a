import type { Pod } from '../../api/core_v1.js';
import { SECOND, timestamp, type Millis } from '../../machinery/time/time.js';
import { parseTime } from './pod/pod-runtime.js';

export const DEADLINE_EXCEEDED = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

/**
 * When a pod has been active for activeDeadlineSeconds; undefined: never. One that begins at this moment is told so by
 * the status that comes of it. Models pkg/kubelet/active_deadline.go.
 */
export function activeDeadline({ spec, status }: Pod, now: Millis): Millis | undefined {
  if (spec.activeDeadlineSeconds === undefined) return undefined;
  return parseTime(status.startTime ?? timestamp(now)) + spec.activeDeadlineSeconds * SECOND;
}
