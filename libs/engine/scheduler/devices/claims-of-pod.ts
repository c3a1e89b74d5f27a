import type { Pod } from '../../api/core_v1.js';
import type { ResourceClaim } from '../../api/resource_v1.js';
import { ResourceClaims } from '../../kinds/index.js';
import { claimNameOf } from '../../kinds/resource/pod-claims.js';
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
