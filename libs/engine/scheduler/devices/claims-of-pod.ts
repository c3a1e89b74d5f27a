import type { Pod, PodResourceClaim } from '../../api/core_v1.js';
import type { ResourceClaim } from '../../api/resource_v1.js';
import { ResourceClaims } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';

/** The claims of a pod; a text: why not all are there. Models plugins/dynamicresources foreachPodResourceClaim. */
export function claimsOfPod(pod: Pod, read: Reader): ResourceClaim[] | string {
  const { namespace = '', name: podName = '' } = pod.metadata;
  const claims: ResourceClaim[] = [];
  for (const wanted of pod.spec.resourceClaims ?? []) {
    const name = claimNameOf(pod, wanted);
    if (name === null) continue;
    if (name === undefined) return `pod "${namespace}/${podName}": ResourceClaim not created yet`;
    const claim = read.get(ResourceClaims, { namespace, name });
    if (!claim) return `resourceclaim "${name}" not found`;
    if (claim.metadata.deletionTimestamp !== undefined) return `resourceclaim "${name}" is being deleted`;
    if (!claims.includes(claim)) claims.push(claim);
  }
  return claims;
}

/** The claim that is meant; undefined: it is to be made of a template, null: none is needed. */
function claimNameOf(pod: Pod, { name, resourceClaimName }: PodResourceClaim): string | null | undefined {
  if (resourceClaimName) return resourceClaimName;
  const made = pod.status.resourceClaimStatuses?.find((one) => one.name === name);
  return made && (made.resourceClaimName ?? null);
}

export const isReservedFor = ({ status }: ResourceClaim, { metadata }: Pod): boolean =>
  (status?.reservedFor ?? []).some(({ uid }) => uid === metadata.uid);
