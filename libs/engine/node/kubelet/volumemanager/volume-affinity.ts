import type { Pod, Volume } from '../../../api/core_v1.js';
import { claimNameOf } from '../../../kinds/core/pod/claims.js';
import { Nodes, PersistentVolumeClaims, PersistentVolumes } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { matchesNodeSelectorTerms } from '../../../machinery/scheduling/node-affinity.js';

/**
 * A volume that cannot be reached from the pod's node: whoever has named the node went past the scheduler. Models
 * operation_generator.go checkNodeAffinity. Undefined: it can, or its claim has no volume yet.
 */
export function findAffinityProblem(volume: Volume, pod: Pod, read: Reader): string | undefined {
  const { namespace = '' } = pod.metadata;
  const name = claimNameOf(pod, volume);
  const claim = name === undefined ? undefined : read.get(PersistentVolumeClaims, { namespace, name });
  const found = claim && read.get(PersistentVolumes, { namespace: '', name: claim.spec.volumeName ?? '' });
  const terms = found?.spec.nodeAffinity?.required?.nodeSelectorTerms;
  const node = terms && read.get(Nodes, { namespace: '', name: pod.spec.nodeName ?? '' });
  if (!node || matchesNodeSelectorTerms(node, terms)) return undefined;
  return (
    `MountVolume.NodeAffinity check failed for volume "${found.metadata.name ?? ''}" : ` +
    'no matching NodeSelectorTerms'
  );
}
