import { MINUTE, SECOND, type Millis } from '../../machinery/time/time.js';
import type { Delays } from './delays.js';
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

/**
 * What waits for the end of a back-off is told of at each sync, until the recorder lets no more of it through: so often
 * at most is a pod worker's sync simulated. `events`: how many of them a sync makes.
 */
export function tellOfBackOff(
  record: ContainerRecord,
  delays: Delays,
  now: Millis,
  events = 1,
): { readonly isTold: boolean; readonly record: ContainerRecord; readonly wakeAt: Millis } {
  const next = parseTime(record.tellAt);
  if (now < next) return { isTold: false, record, wakeAt: next };
  const told = (record.told ?? 0) + events;
  const wakeAt = now + (told < MANY_FAILURES ? delays.retry('other') : RETRY_LATER);
  return { isTold: true, record: { ...record, told, tellAt: formatTime(wakeAt) }, wakeAt };
}

/** The end of another run is told of at once, as long as the recorder lets it through. */
export const withoutTelling = (record: ContainerRecord): ContainerRecord =>
  (record.told ?? 0) < MANY_FAILURES ? omit(record, 'tellAt') : record;
