import type { Pod } from '../../api/core_v1.js';
import { SECOND, type Millis } from '../../machinery/time/time.js';
import { parseTime } from './pod/pod-runtime.js';

export const DEADLINE_EXCEEDED = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

/** When a pod has been active for activeDeadlineSeconds; undefined: never. Models pkg/kubelet/active_deadline.go. */
export function activeDeadline({ spec, status }: Pod): Millis | undefined {
  if (spec.activeDeadlineSeconds === undefined || !status.startTime) return undefined;
  return parseTime(status.startTime) + spec.activeDeadlineSeconds * SECOND;
}
