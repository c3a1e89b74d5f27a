import type { Pod } from '../../api/core_v1.js';
import { ResourceClaims } from '../../kinds/index.js';
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

function whyNotPrepared({ metadata, spec, status }: Pod, read: Reader): string | undefined {
  const { namespace = '', name: podName = '', uid = '' } = metadata;
  const drivers = registeredDrivers(read, spec.nodeName ?? '');
  for (const { name, resourceClaimName } of spec.resourceClaims ?? []) {
    const made = status.resourceClaimStatuses?.find((one) => one.name === name);
    if (!resourceClaimName && !made) return `pod "${namespace}/${podName}": ResourceClaim not created yet`;
    const claimName = resourceClaimName ?? made?.resourceClaimName;
    if (claimName === undefined) continue;
    const claim = read.get(ResourceClaims, { namespace, name: claimName });
    if (!claim) return `fetch ResourceClaim ${claimName}: resourceclaims.resource.k8s.io "${claimName}" not found`;
    if (!claim.status?.reservedFor?.some((one) => one.uid === uid))
      return `pod ${podName} (${uid}) is not allowed to use ResourceClaim ${claimName} (${claim.metadata.uid ?? ''})`;
    if (!claim.status.allocation) return `ResourceClaim ${claimName}: not allocated`;
    const missing = claim.status.allocation.devices?.results?.find(({ driver }) => !drivers.has(driver));
    if (missing) return `DRA driver ${missing.driver} is not registered`;
  }
  return undefined;
}
