import { MINUTE, SECOND, type Millis } from '../../machinery/time/time.js';
import { formatTime, omit, parseTime, type ContainerRecord } from './pod/pod-runtime.js';

/** How soon a pod worker syncs a pod again after a failure. Models pod_workers.go backOffPeriod with its jitter. */
const RETRY = 12 * SECOND;
/** After this many failures the next try comes later: the recorder lets no more of their events through. */
const MANY_FAILURES = 25;
const RETRY_LATER = 5 * MINUTE;

/** A container that cannot be made as it is described, and is tried again. */
export function retryContainer(
  record: ContainerRecord,
  now: Millis,
): { readonly record: ContainerRecord; readonly wakeAt: Millis } {
  const failures = (record.failures ?? 0) + 1;
  const notBefore = formatTime(now + (failures < MANY_FAILURES ? RETRY : RETRY_LATER));
  return { record: omit({ ...record, failures, notBefore }, 'step'), wakeAt: parseTime(notBefore) };
}
