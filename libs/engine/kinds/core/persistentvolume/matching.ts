import type { PersistentVolume, PersistentVolumeClaim } from '../../../api/core_v1.js';
import { compareQuantity } from '../../../machinery/quantity/quantity.js';
import { matchesLabelSelector } from '../../../machinery/selectors/selectors.js';
import { storageClassOf } from '../persistentvolumeclaim/kind.js';

const sizeOf = (volume: PersistentVolume): string => volume.spec.capacity?.['storage'] ?? '0';

export const isVolumeBoundToClaim = (volume: PersistentVolume, claim: PersistentVolumeClaim): boolean => {
  const ref = volume.spec.claimRef;
  return (
    ref?.namespace === claim.metadata.namespace &&
    ref?.name === claim.metadata.name &&
    (!ref?.uid || ref.uid === claim.metadata.uid)
  );
};

/**
 * The volume reserved for the claim, else the smallest suitable one. Models
 * pkg/controller/volume/persistentvolume/index.go.
 */
export function findVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
): PersistentVolume | undefined {
  const suitable = volumes.filter(
    (volume) => volume.metadata.deletionTimestamp === undefined && isSuitable(volume, claim),
  );
  const reserved = suitable.find((volume) => isVolumeBoundToClaim(volume, claim));
  if (reserved) return reserved;
  const free = suitable.filter((volume) => !volume.spec.claimRef && volume.status.phase === 'Available');
  return free.reduce<PersistentVolume | undefined>(
    (best, v) => (best && compareQuantity(sizeOf(best), sizeOf(v)) <= 0 ? best : v),
    undefined,
  );
}

function isSuitable(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const { accessModes = [], resources, selector, volumeMode = 'Filesystem' } = claim.spec;
  return (
    storageClassOf(volume) === storageClassOf(claim) &&
    (volume.spec.volumeMode ?? 'Filesystem') === volumeMode &&
    compareQuantity(sizeOf(volume), resources?.requests?.['storage'] ?? '0') >= 0 &&
    accessModes.every((mode) => volume.spec.accessModes?.includes(mode)) &&
    (selector === undefined || matchesLabelSelector(selector, volume.metadata.labels ?? {}))
  );
}
