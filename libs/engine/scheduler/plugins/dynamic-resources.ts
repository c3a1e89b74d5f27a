import type { Pod, PodResourceClaim } from '../../api/core_v1.js';
import type { ResourceClaim, ResourceSlice } from '../../api/resource_v1.js';
import { ResourceClaims, ResourceSlices } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { matchesNodeSelectorTerms } from '../../machinery/scheduling/node-affinity.js';
import type { NodeInfo } from '../cache/node-info.js';
import { unresolvable, type FilterPlugin } from '../plugin.js';

const NOT_ALLOCATED = unresolvable('cannot allocate all claims');
const ELSEWHERE = unresolvable('resourceclaim not available on the node');

/**
 * Filters nodes for pods with ResourceClaims: a claim that is not there keeps the pod waiting, one that is allocated
 * leads to its nodes, another one to nodes that have devices at all. Models plugins/dynamicresources. Left out: devices
 * are not chosen, and no claim is allocated.
 */
export const dynamicResources: FilterPlugin = {
  name: 'DynamicResources',
  preFilter(pod, { read }) {
    const { resourceClaims = [] } = pod.spec;
    if (resourceClaims.length === 0) return undefined;
    const namespace = pod.metadata.namespace ?? '';
    const claims: ResourceClaim[] = [];
    for (const wanted of resourceClaims) {
      const name = claimNameOf(pod, wanted);
      if (name === null) continue;
      if (name === undefined)
        return { preFilterMessage: `pod "${namespace}/${pod.metadata.name}": ResourceClaim not created yet` };
      const claim = read.get(ResourceClaims, { namespace, name });
      if (!claim) return { preFilterMessage: `resourceclaim "${name}" not found` };
      if (claim.metadata.deletionTimestamp !== undefined)
        return { preFilterMessage: `resourceclaim "${name}" is being deleted` };
      claims.push(claim);
    }
    return (info) => {
      for (const claim of claims) {
        const { allocation } = claim.status ?? {};
        const terms = allocation?.nodeSelector?.nodeSelectorTerms;
        if (terms && !matchesNodeSelectorTerms(info.node!, terms)) return ELSEWHERE;
        if (!allocation && !hasDevices(info, read)) return NOT_ALLOCATED;
      }
      return undefined;
    };
  },
};

/** The claim that is meant; undefined: it is to be made of a template, null: none is needed. */
function claimNameOf(pod: Pod, { name, resourceClaimName }: PodResourceClaim): string | null | undefined {
  if (resourceClaimName) return resourceClaimName;
  const made = pod.status.resourceClaimStatuses?.find((one) => one.name === name);
  return made && (made.resourceClaimName ?? null);
}

function hasDevices({ node, name }: NodeInfo, read: Reader): boolean {
  const reaches = ({ spec }: ResourceSlice): boolean =>
    (spec.devices?.length ?? 0) > 0 &&
    (spec.allNodes === true ||
      spec.perDeviceNodeSelection === true ||
      spec.nodeName === name ||
      (spec.nodeSelector !== undefined && matchesNodeSelectorTerms(node!, spec.nodeSelector.nodeSelectorTerms)));
  return read.list(ResourceSlices).some(reaches);
}
