import type { Pod, PodResourceClaim } from '../../api/core_v1.js';
import type { ResourceClaim } from '../../api/resource_v1.js';

/** Pods that one claim is for: ResourceClaimReservedForMaxSize. */
export const MAX_CONSUMERS = 256;
/** What keeps a claim from being deleted while somebody has its devices. */
export const DELETE_PROTECTION = 'resource.kubernetes.io/delete-protection';

/**
 * The ResourceClaim that a pod means; undefined: it is to be made of a template, null: none is needed. Models
 * dynamic-resource-allocation/resourceclaim Name.
 */
export function claimNameOf({ status }: Pod, { name, resourceClaimName }: PodResourceClaim): string | null | undefined {
  if (resourceClaimName) return resourceClaimName;
  const made = status.resourceClaimStatuses?.find((one) => one.name === name);
  return made && (made.resourceClaimName ?? null);
}

export const isReservedFor = ({ status }: ResourceClaim, { metadata }: Pod): boolean =>
  (status?.reservedFor ?? []).some(({ uid }) => uid === metadata.uid);
