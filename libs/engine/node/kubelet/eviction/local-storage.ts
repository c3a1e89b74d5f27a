import type { Container, Pod, Volume } from '../../../api/core_v1.js';
import { addQuantities, canonicalQuantity, quantityValue } from '../../../machinery/quantity/quantity.js';
import { SECOND, type Millis } from '../../../machinery/time/time.js';
import { isMirrorPod } from '../../../kinds/core/pod/mirror.js';

/** The kubelet measures so often. Models evictionMonitoringPeriod. */
export const MONITORING_PERIOD = 10 * SECOND;
export const EVICTED = 'Evicted';
/** Models immediateEvictionGracePeriodSeconds. */
export const EVICTION_GRACE_SECONDS = 1;
const SYSTEM_CRITICAL_PRIORITY = 2_000_000_000;

/** Why a pod as a whole is stopped. */
export interface Eviction {
  readonly reason: string;
  readonly message: string;
}

/** Bytes that a pod has written. */
export interface StorageUsage {
  /** Of an emptyDir on the node's disk. */
  volume(name: string): number;
  /** In a container's own layer. */
  container(name: string): number;
}

/** Whether a pod has limits of what it may write: only then it is measured. */
export const hasStorageLimits = ({ spec }: Pod): boolean =>
  spec.containers.some((container) => storageLimit(container) !== undefined) ||
  spec.volumes?.some((volume) => diskLimit(volume) !== undefined) === true;

/**
 * Why a pod that writes more than it may is evicted, in upstream's order. Models eviction_manager.go
 * localStorageEviction. Left out: the bytes of logs.
 */
export function findStorageEviction(pod: Pod, usage: StorageUsage): Eviction | undefined {
  if (isCritical(pod)) return undefined;
  const message = overVolume(pod, usage) ?? overPod(pod, usage) ?? overContainer(pod, usage);
  return message === undefined ? undefined : { reason: EVICTED, message };
}

/** The time at which the kubelet measures next: at `now`, or later. */
export const nextMonitoring = (now: Millis): Millis => Math.ceil(now / MONITORING_PERIOD) * MONITORING_PERIOD;

interface Limit {
  readonly name: string;
  readonly limit: string;
}

const emptyDirLimits = ({ volumes = [] }: Pod['spec']): Limit[] =>
  volumes.flatMap((volume) => {
    const limit = diskLimit(volume);
    return limit === undefined ? [] : [{ name: volume.name, limit }];
  });

const containerLimits = ({ containers }: Pod['spec']): Limit[] =>
  containers.flatMap((container) => {
    const limit = storageLimit(container);
    return limit === undefined ? [] : [{ name: container.name, limit }];
  });

const diskLimit = ({ emptyDir }: Volume): string | undefined =>
  emptyDir?.sizeLimit && emptyDir.medium !== 'Memory' && quantityValue(emptyDir.sizeLimit) > 0
    ? emptyDir.sizeLimit
    : undefined;

function storageLimit({ resources }: Container): string | undefined {
  const limit = resources?.limits?.['ephemeral-storage'];
  return limit !== undefined && quantityValue(limit) > 0 ? limit : undefined;
}

function overVolume({ spec }: Pod, usage: StorageUsage): string | undefined {
  const over = emptyDirLimits(spec).find(({ name, limit }) => usage.volume(name) > quantityValue(limit));
  return over && `Usage of EmptyDir volume "${over.name}" exceeds the limit "${canonicalQuantity(over.limit)}". `;
}

/** Containers' layers and the volumes on the disk count together. */
function overPod({ spec }: Pod, usage: StorageUsage): string | undefined {
  const limits = containerLimits(spec);
  if (limits.length === 0) return undefined;
  const limit = limits.map((one) => one.limit).reduce(addQuantities);
  let used = 0;
  for (const { name } of spec.containers) used += usage.container(name);
  for (const { name, emptyDir } of spec.volumes ?? [])
    if (emptyDir && emptyDir.medium !== 'Memory') used += usage.volume(name);
  if (used <= quantityValue(limit)) return undefined;
  return `Pod ephemeral local storage usage exceeds the total limit of containers ${canonicalQuantity(limit)}. `;
}

function overContainer({ spec }: Pod, usage: StorageUsage): string | undefined {
  const over = containerLimits(spec).find(({ name, limit }) => usage.container(name) > quantityValue(limit));
  return (
    over && `Container ${over.name} exceeded its local ephemeral storage limit "${canonicalQuantity(over.limit)}". `
  );
}

/** Models kubelet/types IsCriticalPod: static pods, and those of a system priority. */
export const isCritical = ({ spec, metadata }: Pod): boolean =>
  (spec.priority ?? 0) >= SYSTEM_CRITICAL_PRIORITY || isMirrorPod({ metadata });
