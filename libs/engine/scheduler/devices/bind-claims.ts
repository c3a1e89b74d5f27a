import type { Node, Pod } from '../../api/core_v1.js';
import type { ResourceClaim } from '../../api/resource_v1.js';
import { ResourceClaims, ResourceSlices } from '../../kinds/index.js';
import { DELETE_PROTECTION, isReservedFor } from '../../kinds/resource/pod-claims.js';
import type { Client } from '../../machinery/client.js';
import { allocationResult } from './allocation-result.js';
import { allocateDevices, takenDevices } from './allocator.js';
import { claimsOfPod } from './claims-of-pod.js';
import { PublishedDevices } from './pools.js';
import { wishesOf } from './wishes.js';

/**
 * Allocates the claims of a pod on its node, and reserves them for it. False: they cannot be had any more. Models
 * Reserve and PreBind of the plug-in DynamicResources.
 */
export function bindClaims(pod: Pod, node: Node, client: Client): boolean {
  if (!pod.spec.resourceClaims?.length) return true;
  const claims = claimsOfPod(pod, client);
  if (typeof claims === 'string') return false;
  const wishes = claims.filter(({ status }) => !status?.allocation).map((claim) => wishesOf(claim, client));
  const fulfillable = wishes.filter((one) => typeof one !== 'string');
  if (fulfillable.length < wishes.length) return false;
  const taken = takenDevices(client.list(ResourceClaims));
  const found = allocateDevices(fulfillable, new PublishedDevices(client.list(ResourceSlices)), node, taken);
  if (!found || typeof found === 'string') return false;
  for (const claim of claims) {
    const given = found.get(claim);
    const allocation = given ? allocationResult(claim, given, node) : claim.status.allocation;
    if (!isReservedFor(claim, pod)) reserve(claim, allocation, pod, client);
  }
  return true;
}

function reserve(
  claim: ResourceClaim,
  allocation: ResourceClaim['status']['allocation'],
  pod: Pod,
  client: Client,
): void {
  const { finalizers = [] } = claim.metadata;
  const own = finalizers.includes(DELETE_PROTECTION)
    ? claim
    : client.update(ResourceClaims, {
        ...claim,
        metadata: { ...claim.metadata, finalizers: [...finalizers, DELETE_PROTECTION] },
      });
  const { name = '', uid = '' } = pod.metadata;
  const reservedFor = [...(own.status?.reservedFor ?? []), { resource: 'pods', name, uid }];
  client.updateStatus(ResourceClaims, {
    ...own,
    status: { ...own.status, ...(allocation ? { allocation } : {}), reservedFor },
  });
}
