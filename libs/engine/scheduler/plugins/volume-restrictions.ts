import type { Pod } from '../../api/core_v1.js';
import { PersistentVolumeClaims } from '../../kinds/index.js';
import type { NodeInfo } from '../cache/node-info.js';
import { unschedulable, type FilterPlugin } from '../plugin.js';

const IN_USE = unschedulable(
  'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode',
);

/** The claims that a pod names, as 'namespace/name'; those of its ephemeral volumes are its own. */
const claimsOf = ({ metadata, spec }: Pod): string[] =>
  (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
    persistentVolumeClaim ? [`${metadata.namespace ?? ''}/${persistentVolumeClaim.claimName}`] : [],
  );

/**
 * Filters all nodes while another pod uses a ReadWriteOncePod claim; where that pod is decides only whether its
 * eviction helps. Models plugins/volumerestrictions. Left out: disks of GCE, AWS, iSCSI and RBD that pods name
 * themselves.
 */
export const volumeRestrictions: FilterPlugin = {
  name: 'VolumeRestrictions',
  preFilter(pod, { nodes, read }) {
    const namespace = pod.metadata.namespace ?? '';
    const exclusive = (pod.spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => {
      const name = persistentVolumeClaim?.claimName;
      const claim = name === undefined ? undefined : read.get(PersistentVolumeClaims, { namespace, name });
      return claim?.spec.accessModes?.includes('ReadWriteOncePod') ? [`${namespace}/${name}`] : [];
    });
    if (exclusive.length === 0) return undefined;
    const isUsed = ({ pods }: NodeInfo): boolean =>
      [...pods.values()].some((other) => claimsOf(other).some((claim) => exclusive.includes(claim)));
    const users = new Set(nodes.filter(isUsed).map(({ name }) => name));
    return (info) => {
      const isUsedElsewhere = users.size > (users.has(info.name) ? 1 : 0);
      return isUsedElsewhere || isUsed(info) ? IN_USE : undefined;
    };
  },
};
