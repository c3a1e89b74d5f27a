import type { Pod } from '../../../api/core_v1.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';

/** The PLEG looks every second, then the kubelet stops the sandbox; times of containers are whole seconds. */
const LINGER_MS = 3_000;

/**
 * Whether the sandbox of a pod that has ended is still there, and with it its address. Models the way from the end of a
 * container through pleg/generic.go and SyncTerminatedPod to StopPodSandbox.
 */
export function lingers({ status }: Pod, now: Millis): boolean {
  if (status.phase !== 'Succeeded' && status.phase !== 'Failed') return false;
  const ends = (status.containerStatuses ?? []).map(({ state }) => state?.terminated?.finishedAt);
  const last = Math.max(0, ...ends.map((text) => (text ? parseTimestamp(text) : 0)));
  return last > 0 && now - last < LINGER_MS;
}
