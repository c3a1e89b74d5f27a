import { treeOfContainer } from '../../cri/pods/pod-trees.js';
import {
  EVICTION_GRACE_SECONDS,
  findStorageEviction,
  hasStorageLimits,
  MONITORING_PERIOD,
  nextMonitoring,
} from '../eviction/local-storage.js';
import type { StopCause } from '../pod/pod-runtime.js';
import { processOfContainer, viewOfSync, wakeNoLaterThan, type PodSync } from './pod-sync.js';

/** After its measure, the kubelet has so much time to act on it. */
const AFTERWARDS = MONITORING_PERIOD / 10;

/** Why a pod is stopped at this moment, or has begun to be; undefined: it is not. */
export function findStop(sync: PodSync): StopCause | undefined {
  const { pod, context, delays, stored } = sync;
  if (stored?.stopping) return stored.stopping;
  const { now } = context;
  const isMeasured = delays.instant || now - nextMonitoring(now - MONITORING_PERIOD + 1) < AFTERWARDS;
  if (!isMeasured || !hasStorageLimits(pod) || !runsMachine(sync)) return undefined;
  const eviction = findStorageEviction(pod, usageOf(sync));
  return eviction && { ...eviction, graceSeconds: EVICTION_GRACE_SECONDS, isDisruption: true };
}

/** Sees to it that a pod with limits of what it may write is measured. What sleeps writes nothing. */
export function waitForMeasure(sync: PodSync): void {
  const { pod, context, machines } = sync;
  if (!hasStorageLimits(pod) || !runsMachine(sync)) return;
  const { now } = context;
  const isOver = findStorageEviction(pod, usageOf(sync)) !== undefined;
  const next = isOver ? now : (machines?.quietUntil(viewOfSync(sync), now) ?? Infinity);
  if (next < Infinity) wakeNoLaterThan(sync, nextMonitoring(Math.max(next, now + 1)));
}

const runsMachine = (sync: PodSync): boolean =>
  sync.machines !== undefined &&
  sync.pod.spec.containers.some(
    (container) => sync.statuses.get(container.name)?.state?.running && processOfContainer(sync, container)?.isMachine,
  );

function usageOf(sync: PodSync): Parameters<typeof findStorageEviction>[1] {
  const { machines, context, pod, statuses } = sync;
  const view = viewOfSync(sync);
  const { trees } = machines!.at(view, context.now);
  return {
    volume: (name) => trees.volume(name)?.tree.usedBytes() ?? 0,
    container(name) {
      const id = statuses.get(name)?.containerID;
      return id === undefined ? 0 : trees.find(treeOfContainer(pod.metadata.uid ?? '', id)).usedBytes();
    },
  };
}
