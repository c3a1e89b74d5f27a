import { ResourceClaims, ResourceSlices } from '../../kinds/index.js';
import { isReservedFor, MAX_CONSUMERS } from '../../kinds/resource/pod-claims.js';
import { matchesNodeSelectorTerms } from '../../machinery/scheduling/node-affinity.js';
import { allocateDevices, takenDevices } from '../devices/allocator.js';
import { claimsOfPod } from '../devices/claims-of-pod.js';
import { PublishedDevices } from '../devices/pools.js';
import { wishesOf, type ClaimWishes } from '../devices/wishes.js';
import { unresolvable, unschedulable, type FilterPlugin } from '../plugin.js';

const NOT_ALLOCATED = unschedulable('cannot allocate all claims');
const ELSEWHERE = unresolvable('resourceclaim not available on the node');

/**
 * Filters nodes for pods with ResourceClaims: a claim that is not there keeps the pod waiting, one that is allocated
 * leads to its nodes, the others need devices of the node together. Models plugins/dynamicresources. Left out: extended
 * resources of DeviceClasses, binding conditions, claims that are freed for another node.
 */
export const dynamicResources: FilterPlugin = {
  name: 'DynamicResources',
  preFilter(pod, { read }) {
    if (!pod.spec.resourceClaims?.length) return undefined;
    const claims = claimsOfPod(pod, read);
    if (typeof claims === 'string') return { preFilterMessage: claims };
    const wishes: ClaimWishes[] = [];
    for (const claim of claims) {
      const { allocation, reservedFor = [] } = claim.status ?? {};
      if (allocation) {
        if (!isReservedFor(claim, pod) && reservedFor.length >= MAX_CONSUMERS)
          return { preFilterMessage: 'resourceclaim in use' };
        continue;
      }
      const found = wishesOf(claim, read);
      if (typeof found === 'string') return { preFilterMessage: found };
      wishes.push(found);
    }
    const terms = claims.flatMap(({ status }) => {
      const selector = status?.allocation?.nodeSelector;
      return selector ? [selector.nodeSelectorTerms] : [];
    });
    const taken = takenDevices(wishes.length > 0 ? read.list(ResourceClaims) : []);
    const published = new PublishedDevices(wishes.length > 0 ? read.list(ResourceSlices) : []);
    return ({ node }) => {
      if (!terms.every((one) => matchesNodeSelectorTerms(node!, one))) return ELSEWHERE;
      if (wishes.length === 0) return undefined;
      const found = allocateDevices(wishes, published, node!, taken);
      if (typeof found === 'string') return unresolvable(found);
      return found ? undefined : NOT_ALLOCATED;
    };
  },
};
