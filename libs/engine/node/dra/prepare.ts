import type { Pod } from '../../api/core_v1.js';
import { ResourceClaims } from '../../kinds/index.js';
import { claimNameOf, isReservedFor } from '../../kinds/resource/pod-claims.js';
import type { Reader } from '../../machinery/client.js';
import { registeredDrivers } from './drivers.js';

/** What an event about it begins with. */
export const NOT_PREPARED = 'Failed to prepare dynamic resources: ';

/**
 * Why the devices of a pod's claims cannot be prepared on its node, in the words of the kubelet's event; undefined:
 * they are. Models pkg/kubelet/cm/dra/manager.go prepareResources. Left out: what a driver changes in containers.
 */
export function findDeviceProblem(pod: Pod, read: Reader): string | undefined {
  if (!pod.spec.resourceClaims?.length) return undefined;
  const problem = whyNotPrepared(pod, read);
  return problem === undefined ? undefined : `${NOT_PREPARED}prepare dynamic resources: ${problem}`;
}

function whyNotPrepared(pod: Pod, read: Reader): string | undefined {
  const { namespace = '', name: podName = '', uid = '' } = pod.metadata;
  const drivers = registeredDrivers(read, pod.spec.nodeName ?? '');
  for (const wanted of pod.spec.resourceClaims ?? []) {
    const claimName = claimNameOf(pod, wanted);
    if (claimName === undefined) return `pod "${namespace}/${podName}": ResourceClaim not created yet`;
    if (claimName === null) continue;
    const claim = read.get(ResourceClaims, { namespace, name: claimName });
    if (!claim) return `fetch ResourceClaim ${claimName}: resourceclaims.resource.k8s.io "${claimName}" not found`;
    if (!isReservedFor(claim, pod))
      return `pod ${podName} (${uid}) is not allowed to use ResourceClaim ${claimName} (${claim.metadata.uid ?? ''})`;
    if (!claim.status?.allocation) return `ResourceClaim ${claimName}: not allocated`;
    const missing = claim.status.allocation.devices?.results?.find(({ driver }) => !drivers.has(driver));
    if (missing) return `DRA driver ${missing.driver} is not registered`;
  }
  return undefined;
}
